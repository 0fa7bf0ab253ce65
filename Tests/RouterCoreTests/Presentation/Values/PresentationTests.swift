import OrderedCollections
import TestSupport
import Testing

@testable import RouterCore

struct PresentationTests {
  static let outcomes: [PresentationOutcome] =
    [
      .answered(.button("ok")), .answered(.value(["a": 1])), .answered(.value(.null)), .answered(.redacted), .dismissed,
      .failed("cannot open the display"),
    ] + PresentationOutcome.CancellationReason.allCases.map { .cancelled($0) }
    + PresentationOutcome.ExpiryPhase.allCases.map { .expired($0) }

  @Test(arguments: outcomes)
  func `round-trips an outcome`(outcome: PresentationOutcome) throws {
    #expect(try PresentationOutcome(json: JSONValue(parsing: outcome.json.bytes)) == outcome)
    #expect(outcome.json["type"]?.string == outcome.name.rawValue)
  }

  @Test(
    arguments: [
      (#"{}"#, "/type"), (#"{"type":"won"}"#, "/type"), (#"{"type":"answered"}"#, ""), (#"{"type":"cancelled"}"#, "/reason"),
      (#"{"type":"cancelled","reason":"why"}"#, "/reason"), (#"{"type":"expired"}"#, "/phase"),
      (#"{"type":"failed"}"#, "/detail"),
      (#"{"type":"dismissed","reason":"busy"}"#, "/reason"), (#"{"type":"answered","button":"a","value":1}"#, "/value"),
    ])
  func `rejects an invalid outcome and names the field`(text: String, pointer: String) throws {
    let json = try JSONValue(parsing: text)
    #expect(#expect(throws: JSONError.self) { try PresentationOutcome(json: json) }?.pointer == pointer)
  }

  private static let queued = Presentation(
    id: PresentationID(number: 1), position: 3,
    requester: Presentation.Requester(
      app: "deploy", process: ProcessIdentity(uid: 1000, gid: 100, pid: 42, executable: "/bin/sh")),
    request: PresentationRequest(kind: .sheet, sheet: "contact", sensitive: true),
    requestedAt: Timestamp(milliseconds: 1_795_244_400_123))

  @Test(arguments: outcomes)
  func `round-trips a presentation`(outcome: PresentationOutcome) throws {
    #expect(try Presentation(json: JSONValue(parsing: Self.queued.json.bytes)) == Self.queued)
    var ended = Self.queued
    ended.state = .resolved
    ended.generation = 2
    ended.presentedAt = Timestamp(milliseconds: 1_795_244_400_124)
    ended.resolvedAt = Timestamp(milliseconds: 1_795_244_400_999)
    ended.outcome = outcome
    ended.resolvedBy = Presentation.Responder(process: ProcessIdentity(uid: 0, gid: 0, pid: 1), presenter: "terminal")
    ended.callback = Presentation.Callback(state: .failed, attempts: 3, lastError: "refused")
    #expect(try Presentation(json: JSONValue(parsing: ended.json.bytes)) == ended)
  }

  @Test func `ignores unknown fields from a newer daemon`() throws {
    var members = try #require(Self.queued.json.object)
    members["mood"] = "good"
    #expect(try Presentation(json: .object(members)) == Self.queued)
    members["id"] = "x"
    #expect(#expect(throws: JSONError.self) { try Presentation(json: .object(members)) }?.pointer == "/id")
  }

  @Test func `redacts a sensitive answer`() {
    var answered = Self.queued
    answered.outcome = .answered(.value("secret"))
    #expect(answered.outcome?.redacted(if: true) == .answered(.redacted))
    answered.outcome = .dismissed
    #expect(answered.outcome?.redacted(if: true) == .dismissed)
  }

  @Test func `derives a valid app name from the executable's path`() {
    func name(_ path: String?) -> String { ProcessIdentity(uid: 0, gid: 0, pid: 1, executable: path).name }
    #expect(name("/usr/bin/python3.11") == "python3.11")
    #expect(name("/opt/my app (deleted)") == "myappdeleted")
    #expect(name(nil) == "unknown")
    #expect(name("/é") == "unknown")
    #expect(name("/" + String(repeating: "a", count: 100)).utf8.count == 64)
  }
}
