import Testing

@testable import Router

/// What was accepted at the limit of levels stands deeper in what is written of it, and must be read back all the same.
@Suite(.timeLimit(.minutes(20)))
struct DeepPayloadTests {
  private let path: String
  private let directory: TemporaryDirectory
  private let samples = AuditSamples()

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("routerd.db")
  }

  private static func nested(_ levels: Int) -> String {
    String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
  }

  /// The body of a request, so many levels deep with the payload in it.
  private static func body(_ levels: Int) -> String {
    #"{"kind":"sheet","sheet":"deep","payload":\#(nested(levels - 1))}"#
  }

  @Test func `a body is taken to 32 levels`() throws {
    _ = try PresentationRequest(json: JSONValue(parsing: Self.body(32)))
    #expect(throws: JSONError.self) { try JSONValue(parsing: Self.body(33)) }
    let deeper = try JSONValue(parsing: Self.nested(32))
    #expect(throws: JSONError("more than 32 levels", at: "/payload")) {
      try PresentationRequest(kind: .sheet, sheet: "deep", payload: deeper).check()
    }
  }

  @Test func `a body of 32 levels goes into the log, out of it and through a stream`() async throws {
    let request = try PresentationRequest(json: JSONValue(parsing: Self.body(32)))
    let answer = try JSONValue(parsing: Self.nested(31))
    let presentation = samples.presentation(0, request)
    let log = try AuditLog(path: path)
    try await log.append([samples.requested(presentation), samples.resolved(presentation, .answered(.value(answer)))])

    let reader = try AuditReader(log)
    let read = try #require(try await reader.presentation(presentation.id))
    #expect(read.request == request)
    #expect(read.outcome == .answered(.value(answer)))
    let events = try await reader.events(of: presentation.id)
    #expect(events.first?.detail["request"]?["payload"] == request.payload)

    var parser = ServerSentEventParser()
    // Each on its own, and a page of all of them, which is the deepest that the daemon writes.
    let page: JSONValue = ["presentation": read.json, "events": .array(events.map(\.json))]
    for json in [read.json, page] + events.map(\.json) {
      let event = ServerSentEvent(name: "resolved", data: json)
      #expect(try parser.feed(event.bytes) == [event])
    }
    #expect(throws: JSONError.self) { try parser.feed(Array("data: \(Self.nested(41))\n\n".utf8)) }
  }
}
