import Router

/// Reads one reply of HTTP/1.1 as its bytes come (RFC 9112). What is no HTTP ends it.
struct HTTPReplyParser {
  enum Part: Equatable {
    case head(status: Int, headers: HeaderFields)
    /// Bytes of the body, never none.
    case body(ArraySlice<UInt8>)
    /// The body is complete.
    case end
  }

  /// What came is no reply.
  struct NoHTTP: Error {
    let reason: String
  }

  /// What a head, or the lines between chunks, may take, in bytes.
  static let maximumHead = 81_920

  private enum State {
    case head
    /// So many bytes more.
    case body(Int)
    /// The body ends with the connection.
    case untilClosed
    case chunkSize
    case chunk(Int)
    case chunkEnd
    case trailers
    case ended
  }

  private var state = State.head
  /// A line, or the lines of a head, as far as they have come.
  private var line: [UInt8] = []
  private var lines: [String] = []
  private var headBytes = 0

  /// Gives the parts that are complete with these bytes. What comes after the reply's end is left alone.
  ///
  /// - Throws: ``NoHTTP`` for what is no reply; what `take` throws.
  mutating func feed(_ bytes: ArraySlice<UInt8>, _ take: (Part) throws -> Void) throws {
    var rest = bytes
    while !rest.isEmpty {
      switch state {
      case .head, .chunkSize, .chunkEnd, .trailers:
        guard let line = try takeLine(&rest) else { return }
        try read(line, take)
      case .body(let count):
        let part = rest.prefix(count)
        rest = rest.dropFirst(part.count)
        state = .body(count - part.count)
        try take(.body(part))
        if part.count == count { try end(take) }
      case .chunk(let count):
        let part = rest.prefix(count)
        rest = rest.dropFirst(part.count)
        state = part.count == count ? .chunkEnd : .chunk(count - part.count)
        try take(.body(part))
      case .untilClosed:
        try take(.body(rest))
        return
      case .ended: return
      }
    }
  }

  /// Whether the reply is complete if the connection ends here.
  var isComplete: Bool {
    switch state {
    case .ended, .untilClosed: true
    case .head, .body, .chunkSize, .chunk, .chunkEnd, .trailers: false
    }
  }

  /// Whether nothing more belongs to it.
  var hasEnded: Bool { if case .ended = state { true } else { false } }

  private mutating func end(_ take: (Part) throws -> Void) rethrows {
    state = .ended
    try take(.end)
  }

  // MARK: Lines

  /// Takes a line without its end, which is a line feed with or without a carriage return (RFC 9112, section 2.2).
  private mutating func takeLine(_ rest: inout ArraySlice<UInt8>) throws -> String? {
    let end = rest.firstIndex(of: 0x0A)
    let part = rest[..<(end ?? rest.endIndex)]
    rest = rest[(end.map { $0 + 1 } ?? rest.endIndex)...]
    headBytes += part.count + 1
    guard headBytes <= Self.maximumHead else { throw Self.noHTTP("its head is too long") }
    line += part
    guard end != nil else { return nil }
    if line.last == 0x0D { line.removeLast() }
    defer { line.removeAll(keepingCapacity: true) }
    guard !line.contains(where: { $0 == 0 || $0 == 0x0D }) else { throw Self.noHTTP("a line has a control character") }
    return String(decoding: line, as: UTF8.self)
  }

  private mutating func read(_ line: String, _ take: (Part) throws -> Void) throws {
    switch state {
    case .head:
      guard line.isEmpty else { return lines.append(line) }
      // A client may meet empty lines before the reply; some old servers send them.
      if !lines.isEmpty { try begin(take) }
    case .chunkSize:
      let digits = line.prefix { $0 != ";" }.trimmingSpaces()
      guard !digits.isEmpty, digits.allSatisfy(\.isHexDigit), let size = Int(digits, radix: 16) else {
        throw Self.noHTTP("a chunk has no size")
      }
      headBytes = 0
      state = size > 0 ? .chunk(size) : .trailers
    case .chunkEnd:
      guard line.isEmpty else { throw Self.noHTTP("a chunk is longer than its size") }
      state = .chunkSize
    case .trailers:
      if line.isEmpty { try end(take) }
    case .body, .untilClosed, .chunk, .ended: preconditionFailure("there are no lines in a body")
    }
  }

  /// The head is there: finds out how long the body is (RFC 9112, section 6.3).
  private mutating func begin(_ take: (Part) throws -> Void) throws {
    let status = try Self.status(lines[0])
    var headers = HeaderFields()
    for line in lines.dropFirst() {
      let (name, value) = try Self.field(line)
      headers.add(name: name, value: value)
    }
    lines = []
    headBytes = 0
    // What is only on the way to the reply.
    if (100..<200).contains(status) { return }
    let body = try Self.body(status, headers)
    try take(.head(status: status, headers: headers))
    state = body
    if case .body(0) = body { try end(take) }
  }

  private static func body(_ status: Int, _ headers: HeaderFields) throws -> State {
    if status == 204 || status == 304 { return .body(0) }
    let codings = headers.list("Transfer-Encoding")
    if let last = codings.last { return last.lowercased() == "chunked" ? .chunkSize : .untilClosed }
    let lengths = headers.list("Content-Length")
    guard let length = lengths.first else { return .untilClosed }
    guard lengths.allSatisfy({ $0 == length }), length.allSatisfy(\.isASCIIDigit), let count = Int(length) else {
      throw noHTTP("its Content-Length is no number")
    }
    return .body(count)
  }

  /// Reads a line such as `HTTP/1.1 200 OK`.
  private static func status(_ line: String) throws -> Int {
    let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count >= 2, words[0] == "HTTP/1.1" || words[0] == "HTTP/1.0", words[1].count == 3,
      words[1].allSatisfy(\.isASCIIDigit), let status = Int(words[1]), status >= 100
    else { throw noHTTP("it does not begin with a status") }
    return status
  }

  /// Reads a line such as `Content-Type: text/plain`.
  private static func field(_ line: String) throws -> (name: String, value: String) {
    guard let colon = line.firstIndex(of: ":") else { throw noHTTP("a header field has no name") }
    let name = line[..<colon]
    guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter) else { throw noHTTP("a header field has no name") }
    return (String(name), String(line[line.index(after: colon)...].trimmingSpaces()))
  }

  private static func noHTTP(_ reason: String) -> NoHTTP { NoHTTP(reason: reason) }
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
