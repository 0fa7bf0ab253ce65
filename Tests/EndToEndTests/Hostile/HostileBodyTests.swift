import Foundation
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import Testing

/// Bodies that are too large, too deep, not JSON or not UTF-8.
/// Promise P73.
@Suite(.timeLimit(.minutes(10)))
struct HostileBodyTests {
  struct Body: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    var status = 400
    var field: String?
    /// Words expected in the error.
    let words: String

    init(_ description: String, _ bytes: some Sequence<UInt8>, status: Int = 400, field: String? = nil, _ words: String) {
      testDescription = description
      self.bytes = Array(bytes)
      self.status = status
      self.field = field
      self.words = words
    }

    private static func title(_ bytes: [UInt8]) -> [UInt8] {
      Array(#"{"kind":"alert","title":""#.utf8) + bytes + Array(#""}"#.utf8)
    }

    private static func deep(_ open: String, _ close: String, _ levels: Int) -> String {
      #"{"kind":"sheet","sheet":"s","payload":"# + String(repeating: open, count: levels) + "1"
        + String(repeating: close, count: levels) + "}"
    }

    static let all = [
      Body("ten megabytes of title", title(.init(repeating: 0x78, count: 10 << 20)), status: 413, "more than 1048576 bytes"),
      Body(
        "a title just below the limit", title(.init(repeating: 0x78, count: 1_000_000)), field: "/title", "at most 1024 bytes"),
      Body(
        "a million keys", Array(("{" + (0..<60000).map { "\"k\($0)\":1" }.joined(separator: ",") + "}").utf8), field: "/kind",
        "is missing"),
      Body(
        "deep arrays", deep("[", "]", 32).utf8, field: "/payload" + String(repeating: "/0", count: 31), "more than 32 levels"),
      Body(
        "deep objects", deep(#"{"a":"#, "}", 32).utf8, field: "/payload" + String(repeating: "/a", count: 31),
        "more than 32 levels"),
      Body(
        "a hundred thousand levels", deep("[", "]", 100_000).utf8, field: "/payload" + String(repeating: "/0", count: 31),
        "more than 32 levels"),
      Body(
        "levels without an end", String(repeating: "[", count: 1_000_000).utf8, field: String(repeating: "/0", count: 32),
        "more than 32 levels"),
      Body("a key twice", #"{"kind":"alert","title":"a","title":"b"}"#.utf8, field: "/title", "appears twice"),
      Body(
        "a key twice, one of them escaped", #"{"kind":"alert","title":"a","\u0074itle":"b"}"#.utf8, field: "/title",
        "appears twice"),
      Body(
        "a key twice, deep in the payload", #"{"kind":"sheet","sheet":"s","payload":[{"a":1,"a":1}]}"#.utf8,
        field: "/payload/0/a", "appears twice"),
      Body("NaN", #"{"kind":"alert","title":"x","timeout":NaN}"#.utf8, field: "/timeout", "unexpected"),
      Body("infinity", #"{"kind":"alert","title":"x","timeout":-Infinity}"#.utf8, field: "/timeout", "a digit is expected"),
      Body(
        "a number without an end",
        (#"{"kind":"alert","title":"x","timeout":"# + String(repeating: "9", count: 900_000) + "}").utf8, field: "/timeout",
        "at most 315360000"),
      Body(
        "a number beyond all", #"{"kind":"alert","title":"x","timeout":1e999999999999}"#.utf8, field: "/timeout",
        "at most 315360000"),
      Body("next to nothing", #"{"kind":"alert","title":"x","timeout":-1e-999999999}"#.utf8, field: "/timeout", "more than 0"),
      Body("a lone surrogate", #"{"kind":"alert","title":"\ud800"}"#.utf8, field: "/title", "lone surrogate"),
      Body(
        "surrogates the wrong way round", #"{"kind":"alert","title":"\udc00\ud800"}"#.utf8, field: "/title", "lone surrogate"),
      Body("a surrogate as UTF-8", title([0xED, 0xA0, 0x80]), field: "/title", "not valid UTF-8"),
      Body("an overlong slash", title([0xC0, 0xAF]), field: "/title", "not valid UTF-8"),
      Body("half a character", title([0xE2, 0x82]), field: "/title", "not valid UTF-8"),
      Body("beyond Unicode", title([0xF4, 0x90, 0x80, 0x80]), field: "/title", "not valid UTF-8"),
      Body("Latin-1", title([0xFC]), field: "/title", "not valid UTF-8"),
      Body("UTF-16", [0xFF, 0xFE] + Array("{}".utf16).flatMap { [UInt8($0), 0] }, "unexpected"),
      Body("a byte order mark", [0xEF, 0xBB, 0xBF] + Array(#"{"kind":"alert","title":"x"}"#.utf8), "unexpected"),
      Body("a control character as it is", title([0x1B]), field: "/title", "control character"),
      Body("a line break as it is", title([0x0A]), field: "/title", "control character"),
      Body("nothing", [], "the text ends"),
      Body("null", "null".utf8, "must be an object"),
      Body("two bodies", #"{"kind":"alert","title":"x"}{"kind":"alert","title":"x"}"#.utf8, "after the value"),
      Body("a form", "kind=alert&title=x".utf8, "where a value is expected"),
      Body("XML", "<alert>x</alert>".utf8, "where a value is expected"),
      Body("an unknown field", #"{"kind":"alert","title":"x","evil":1}"#.utf8, field: "/evil", "is not a known field"),
      Body(
        "a field of another language's objects", #"{"kind":"alert","title":"x","__proto__":{}}"#.utf8, field: "/__proto__",
        "is not a known field"),
      Body(
        "too many buttons",
        (#"{"kind":"alert","title":"x","buttons":["# + (0..<65).map { #"{"id":"b\#($0)"}"# }.joined(separator: ",") + "]}")
          .utf8, field: "/buttons", "at most 64"),
      Body(
        "a pattern that never ends",
        #"{"kind":"sheet","sheet":"s","schema":{"type":"object","properties":{"a":{"type":"string","pattern":"((((((((a{1000}){1000}){1000}){1000}"}}}}"#
          .utf8, field: "/schema/properties/a/pattern", "pattern"),
    ]
  }

  @Test func `refuses a malformed body by its field, quickly and without effect`() async throws {
    try await TestDaemon.run { daemon in
      for body in Body.all {
        let start = try daemon.process.processorTime()
        for path in [
          APIPath.presentations, APIPath.presentation(PresentationID("01a1fdb6-ea24-7114-b4fd-98d4271e7c7c")!) + "/answer",
        ] {
          let reply = try await daemon.http.reply(
            to: HTTPCall(.POST, path, headers: ["Prefer": "respond-async"], body: body.bytes))
          let problem = try reply.problem
          #expect(problem.detail.hasPrefix("cannot "), "\(body.testDescription)")
          #expect(problem.detail.utf8.count < 500, "\(body.testDescription)")
          guard path == APIPath.presentations else {
            // The body of an answer is checked before its presentation is looked up.
            #expect([400, 413].contains(reply.status), "\(body.testDescription): \(problem.detail)")
            continue
          }
          #expect(reply.status == body.status, "\(body.testDescription): \(problem.detail)")
          #expect(problem.field == body.field, "\(body.testDescription): \(problem.detail)")
          #expect(problem.detail.contains(body.words), "\(body.testDescription): \(problem.detail)")
        }
        // Its processor time, since other tests make it wait.
        #expect(try daemon.process.processorTime() - start < .seconds(5), "\(body.testDescription)")
      }
      #expect(try await daemon.open().isEmpty)
      #expect(try await AuditReader(path: daemon.database).presentationPage(AuditQuery()).page.isEmpty)
    }
  }
}
