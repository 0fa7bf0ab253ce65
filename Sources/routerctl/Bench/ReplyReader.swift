/// Reads the replies on one kept-alive connection as their bytes come: a body of known length, or a stream in chunks, which is
/// all that routerd sends. A load generator must cost less than what it measures.
struct ReplyReader {
  enum Part: Equatable {
    case reply(LoadReply)
    /// A stream has begun.
    case opened
    case chunk([UInt8])
  }

  private enum State {
    case head
    case body(status: Int, location: String?, length: Int)
    case size
    /// With the line end behind it.
    case chunk(Int)
  }

  /// What a head or a chunk's size may take, in bytes.
  private static let maximumHead = 65_536

  private var state = State.head
  private var bytes: [UInt8] = []
  private var start = 0

  /// Gives the parts that are complete with these bytes.
  ///
  /// - Throws: ``CommandFailure`` for what is no reply of routerd's, and for a stream's end; what the body throws.
  mutating func feed(_ new: some Sequence<UInt8>, _ body: (Part) throws -> Void) throws {
    bytes.append(contentsOf: new)
    var hasMore = true
    while hasMore {
      if let part = try next(&hasMore) { try body(part) }
    }
    bytes.removeSubrange(..<start)
    start = 0
  }

  /// One step of reading, which may give nothing yet.
  private mutating func next(_ hasMore: inout Bool) throws -> Part? {
    switch state {
    case .head:
      guard let lines = try takeHead() else { break }
      return try begin(lines)
    case .body(let status, let location, let length):
      guard let body = take(length) else { break }
      state = .head
      return .reply(LoadReply(status: status, location: location, body: body))
    case .size:
      guard let line = try takeLine() else { break }
      guard let size = Int(Self.text(line), radix: 16), size >= 0 else { throw Self.misunderstood }
      guard size > 0 else { throw CommandFailure(.unreachable, "cannot go on: routerd has ended a stream") }
      state = .chunk(size)
      return nil
    case .chunk(let size):
      guard let chunk = take(size + 2) else { break }
      state = .size
      return .chunk(chunk.dropLast(2))
    }
    hasMore = false
    return nil
  }

  private mutating func begin(_ lines: [Range<Int>]) throws -> Part? {
    let words = Self.text(bytes[lines[0]]).split(separator: " ")
    guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else { throw Self.misunderstood }
    var (length, location, isChunked) = (0, String?.none, false)
    for line in lines.dropFirst() {
      guard let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")) else { throw Self.misunderstood }
      let value = bytes[(colon + 1)..<line.upperBound].drop { $0 == UInt8(ascii: " ") }
      // Three names of those that there are, told apart by their lengths first.
      switch colon - line.lowerBound {
      case 14 where isName(line, "content-length"):
        guard let number = Int(Self.text(value)), number >= 0 else { throw Self.misunderstood }
        length = number
      case 17 where isName(line, "transfer-encoding"): isChunked = Self.text(value) == "chunked"
      case 8 where isName(line, "location"): location = Self.text(value)
      default: break
      }
    }
    state = isChunked ? .size : .body(status: status, location: location, length: length)
    return isChunked ? .opened : nil
  }

  private func isName(_ line: Range<Int>, _ name: StaticString) -> Bool {
    name.withUTF8Buffer { name in bytes[line].prefix(name.count).elementsEqual(name) { $0 | 0x20 == $1 } }
  }

  private mutating func take(_ count: Int) -> [UInt8]? {
    guard bytes.count - start >= count else { return nil }
    defer { start += count }
    return Array(bytes[start..<start + count])
  }

  private mutating func takeLine() throws -> ArraySlice<UInt8>? {
    guard let end = try lineEnd(from: start) else { return nil }
    defer { start = end + 2 }
    return bytes[start..<end]
  }

  /// A head's lines, once there is an empty one.
  private mutating func takeHead() throws -> [Range<Int>]? {
    var (lines, line) = ([Range<Int>](), start)
    while let end = try lineEnd(from: line) {
      if end == line, !lines.isEmpty {
        start = end + 2
        return lines
      }
      lines.append(line..<end)
      line = end + 2
    }
    return nil
  }

  /// Where the line that begins there ends, before its carriage return and line feed.
  private func lineEnd(from index: Int) throws -> Int? {
    if let feed = bytes[index...].firstIndex(of: 0x0A) {
      guard feed > index, bytes[feed - 1] == 0x0D else { throw Self.misunderstood }
      return feed - 1
    }
    guard bytes.count - start <= Self.maximumHead else { throw Self.misunderstood }
    return nil
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  private static var misunderstood: CommandFailure {
    CommandFailure(.unreachable, "cannot understand what routerd answers")
  }
}
