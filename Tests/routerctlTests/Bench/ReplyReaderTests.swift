import Testing

@testable import routerctl

struct ReplyReaderTests {
  private static let conversation = [
    "HTTP/1.1 202 Accepted\r\nContent-Type: application/json\r\nLOCATION: /v1/presentations/1\r\ncontent-length: 2\r\n\r\n{}",
    "HTTP/1.1 204 No Content\r\n\r\n",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n: \n\n.\r\nA\r\n0123456789\r\n",
  ].joined()

  private static let parts: [ReplyReader.Part] = [
    .reply(LoadReply(status: 202, location: "/v1/presentations/1", body: Array("{}".utf8))),
    .reply(LoadReply(status: 204, location: nil, body: [])),
    .opened, .chunk(Array(": \n\n.".utf8)), .chunk(Array("0123456789".utf8)),
  ]

  @Test func `replies and a stream are read wherever their bytes are cut`() throws {
    let bytes = Array(Self.conversation.utf8)
    for size in 1...bytes.count {
      var (reader, parts) = (ReplyReader(), [ReplyReader.Part]())
      for start in stride(from: 0, to: bytes.count, by: size) {
        try reader.feed(bytes[start..<min(start + size, bytes.count)]) { parts.append($0) }
      }
      #expect(parts == Self.parts, "cut every \(size)")
    }
  }

  @Test(arguments: [
    "HTTP/2 200 OK\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n\r\n", "HTTP/1.1 fine\r\n\r\n", "HTTP/1.1 200 OK\nContent-Length: 2\n\n{}",
    "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    String(repeating: "a", count: 70_000),
  ])
  func `what is no reply of the daemon's is an error`(text: String) {
    var reader = ReplyReader()
    #expect(throws: CommandFailure.self) { try reader.feed(Array(text.utf8)) { _ in } }
  }
}
