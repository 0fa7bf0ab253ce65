import TestSupport
import Testing

@testable import Router
@testable import RouterCore

/// Payloads nested up to the limit, which are nested deeper in the log and must still be readable.
@Suite(.timeLimit(.minutes(10)))
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

  /// A request body with `levels` levels, payload included.
  private static func body(_ levels: Int) -> String {
    #"{"kind":"sheet","sheet":"deep","payload":\#(nested(levels - 1))}"#
  }

  @Test func `accepts a body of 32 levels and rejects 33`() throws {
    _ = try PresentationRequest(json: JSONValue(parsing: Self.body(32)))
    #expect(throws: JSONError.self) { try JSONValue(parsing: Self.body(33)) }
    let deeper = try JSONValue(parsing: Self.nested(32))
    #expect(throws: JSONError("more than 32 levels", at: "/payload")) {
      try PresentationRequest(kind: .sheet, sheet: "deep", payload: deeper).check()
    }
  }

  @Test func `a body of 32 levels passes through the log and an event stream`() async throws {
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
    // Each by itself, and a page of all, the deepest JSON that the daemon writes.
    let page: JSONValue = ["presentation": read.json, "events": .array(events.map(\.json))]
    for json in [read.json, page] + events.map(\.json) {
      let event = ServerSentEvent(name: "resolved", data: json)
      #expect(try parser.feed(event.bytes) == [event])
    }
    #expect(throws: JSONError.self) { try parser.feed(Array("data: \(Self.nested(41))\n\n".utf8)) }
  }
}
