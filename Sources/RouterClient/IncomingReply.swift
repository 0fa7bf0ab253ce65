/// A reply as it comes over its connection, which is closed with it.
struct IncomingReply: ~Copyable {
  private var connection: UnixSocketConnection
  private var parser = HTTPReplyParser()
  /// What has come of the body and was not taken.
  private var parts: [ArraySlice<UInt8>] = []
  private(set) var status = 0
  private(set) var headers = HeaderFields()

  init(_ connection: consuming UnixSocketConnection) { self.connection = connection }

  /// Whether all of it has come, as far as its head and its connection's end say.
  var isComplete: Bool { parser.isComplete }

  /// Reads its head.
  ///
  /// - Returns: Whether there is one.
  /// - Throws: ``HTTPReplyParser/NoHTTP``, and what ``UnixSocketConnection/receive()`` throws.
  mutating func readHead() async throws -> Bool {
    while status == 0 {
      guard try await receive() else { return false }
    }
    return true
  }

  /// Reads some more of its body; `nil` when it has ended, or its connection has.
  ///
  /// - Throws: As ``readHead()``.
  mutating func next() async throws -> ArraySlice<UInt8>? {
    while parts.isEmpty {
      guard !parser.hasEnded, try await receive() else { return nil }
    }
    return parts.removeFirst()
  }

  /// - Returns: Whether anything came.
  private mutating func receive() async throws -> Bool {
    let bytes = try await connection.receive()
    try parser.feed(bytes) { part in
      switch part {
      case .head(let status, let headers): (self.status, self.headers) = (status, headers)
      case .body(let bytes): parts.append(bytes)
      case .end: break
      }
    }
    return !bytes.isEmpty
  }
}
