import Router

/// Incrementally parses one HTTP/1.1 reply (RFC 9112), with limits on its size.
package struct HTTPReplyReader {
  struct Malformed: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// The maximum size of all heads and trailers of a reply, including interim replies, in bytes.
  static let maximumHeadBytes = 81_920
  /// The maximum number of interim (1xx) replies before the final one.
  static let maximumInterimReplies = 16
  /// The maximum length of a chunk size line, in bytes.
  static let maximumChunkLineBytes = 1024

  private enum State {
    case head, chunkSize, chunkEnd, trailers
    case body(left: Int)
    case chunk(left: Int)
    /// The body ends with the connection.
    case untilClosed
    case ended
  }

  package var maximumBytes: Int
  /// The final reply's status; `nil` until its head is complete.
  package private(set) var status: Int?
  private(set) var headers = HeaderFields()

  private var state = State.head
  /// The current line, and the complete lines of the current head.
  private var line: [UInt8] = []
  private var lines: [String] = []
  private var (byteCount, headByteCount, interimCount) = (0, 0, 0)

  package init(maximumBytes: Int = .max) { self.maximumBytes = maximumBytes }

  package var hasEnded: Bool { if case .ended = state { true } else { false } }

  /// Whether the reply is complete if the connection ends here.
  package var isComplete: Bool { if case .untilClosed = state { true } else { hasEnded } }

  /// Parses bytes and returns the parts of the body, without bytes after the reply's end. Throws ``Malformed``.
  package mutating func feed(_ bytes: ArraySlice<UInt8>) throws -> [ArraySlice<UInt8>] {
    var (rest, body) = (bytes, [ArraySlice<UInt8>]())
    while !rest.isEmpty {
      switch state {
      case .head, .chunkSize, .chunkEnd, .trailers:
        if let line = try takeLine(&rest) { try read(line) }
      case .body(let left):
        let part = try take(left, of: &rest)
        body.append(part)
        state = part.count == left ? .ended : .body(left: left - part.count)
      case .chunk(let left):
        let part = try take(left, of: &rest)
        body.append(part)
        state = part.count == left ? .chunkEnd : .chunk(left: left - part.count)
      case .untilClosed: body.append(try take(rest.count, of: &rest))
      case .ended: return body
      }
    }
    return body
  }

  private mutating func take(_ count: Int, of rest: inout ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
    let part = rest.prefix(count)
    rest = rest.dropFirst(part.count)
    byteCount += part.count
    guard byteCount <= maximumBytes else { throw Malformed("it is larger than \(maximumBytes) bytes") }
    return part
  }

  // MARK: Lines

  /// Takes a line without its line feed and optional carriage return (RFC 9112, section 2.2).
  private mutating func takeLine(_ rest: inout ArraySlice<UInt8>) throws -> String? {
    let end = rest.firstIndex(of: 0x0A)
    let part = try take((end.map { $0 + 1 } ?? rest.endIndex) - rest.startIndex, of: &rest)
    line += part
    switch state {
    case .chunkSize, .chunkEnd:
      guard line.count <= Self.maximumChunkLineBytes else { throw Malformed("the size line of a chunk is too long") }
    default:
      headByteCount += part.count
      guard headByteCount <= Self.maximumHeadBytes else { throw Malformed("its head is too long") }
    }
    guard end != nil else { return nil }
    defer { line.removeAll(keepingCapacity: true) }
    line.removeLast()
    if line.last == 0x0D { line.removeLast() }
    guard !line.contains(where: { $0 == 0 || $0 == 0x0D }) else { throw Malformed("a line contains a control character") }
    return String(decoding: line, as: UTF8.self)
  }

  private mutating func read(_ line: String) throws {
    switch state {
    case .head where !line.isEmpty: lines.append(line)
    // Skips empty lines before a head (RFC 9112, section 2.2).
    case .head: if !lines.isEmpty { try endHead() }
    case .chunkSize:
      let digits = (line.cut(at: ";")?.before ?? line[...]).trimmingWhiteSpace
      guard digits.allSatisfy(\.isHexDigit), let size = Int(digits, radix: 16) else {
        throw Malformed("a chunk has no size")
      }
      state = size > 0 ? .chunk(left: size) : .trailers
    case .chunkEnd:
      guard line.isEmpty else { throw Malformed("a chunk is longer than its size") }
      state = .chunkSize
    case .trailers: if line.isEmpty { state = .ended }
    case .body, .chunk, .untilClosed, .ended: preconditionFailure("there are no lines in a body")
    }
  }

  /// Completes the head and determines the length of the body (RFC 9112, section 6.3).
  private mutating func endHead() throws {
    let status = try Self.status(lines[0])
    if status < 200 {
      interimCount += 1
      guard interimCount <= Self.maximumInterimReplies else { throw Malformed("it has too many interim replies") }
    } else {
      for line in lines.dropFirst() {
        let (name, value) = try Self.field(line)
        headers.add(name: name, value: value)
      }
      self.status = status
      state = try Self.body(status, headers)
    }
    lines = []
  }

  private static func body(_ status: Int, _ headers: HeaderFields) throws -> State {
    if status == 204 || status == 304 { return .ended }
    if let last = headers.list("Transfer-Encoding").last { return last.lowercased() == "chunked" ? .chunkSize : .untilClosed }
    let lengths = headers.list("Content-Length")
    guard let length = lengths.first else { return .untilClosed }
    guard lengths.allSatisfy({ $0.isSame(as: length) }), length.allSatisfy(\.isASCIIDigit), let count = Int(length) else {
      throw Malformed("its Content-Length is not a number")
    }
    return count == 0 ? .ended : .body(left: count)
  }

  /// Reads a line such as `HTTP/1.1 200 OK`.
  private static func status(_ line: String) throws -> Int {
    let words = line.split(at: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count >= 2, words[0] == "HTTP/1.1" || words[0] == "HTTP/1.0", words[1].count == 3,
      words[1].allSatisfy(\.isASCIIDigit), let status = Int(words[1]), status >= 100
    else { throw Malformed("it does not start with a status line") }
    return status
  }

  /// Reads a line such as `Content-Type: text/plain`.
  private static func field(_ line: String) throws -> (name: String, value: String) {
    guard let (name, value) = line.cut(at: ":"), !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter) else {
      throw Malformed("a header field has no name")
    }
    return (String(name), value.trimmingWhiteSpace)
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}

extension UInt8 {
  /// RFC 9110, section 5.6.2.
  fileprivate var isTokenCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
  }
}
