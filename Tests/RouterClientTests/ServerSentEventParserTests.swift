import Router
import Testing

struct ServerSentEventParserTests {
  private static let stream = Array(
    ": keep-alive\n\nid: 7\nevent: queued\ndata: {\"position\":1}\n\nevent:resolved\r\ndata: {\"a\":\r\ndata: \"ü🦉\"}\r\n\r\n: end\n\n"
      .utf8)
  private static let events = [
    ServerSentEvent(name: "queued", data: ["position": 1], id: "7"),
    ServerSentEvent(name: "resolved", data: ["a": "ü🦉"], id: "7"),
  ]

  @Test(arguments: 0...stream.count)
  func `parses a stream split anywhere`(cut: Int) throws {
    var parser = ServerSentEventParser()
    let events = try parser.feed(Self.stream[..<cut]) + parser.feed(Self.stream[cut...])
    #expect(events == Self.events)
  }

  @Test func `parses a stream byte by byte`() throws {
    var parser = ServerSentEventParser()
    #expect(try Self.stream.flatMap { try parser.feed([$0]) } == Self.events)
  }

  @Test func `rejects data that is not JSON`() {
    var parser = ServerSentEventParser()
    #expect(throws: JSONError.self) { try parser.feed(Array("data: {\n\n".utf8)) }
  }

  @Test func `rejects an endless event instead of buffering it`() {
    var parser = ServerSentEventParser()
    #expect(throws: JSONError.self) {
      try parser.feed(repeatElement(UInt8(ascii: "x"), count: ServerSentEventParser.maximumEventBytes + 1))
    }
  }
}
