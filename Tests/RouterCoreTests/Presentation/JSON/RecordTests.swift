import OrderedCollections
import TestSupport
import Testing

@testable import RouterCore

/// Records read what they write, and say what is wrong with other JSON.
struct RecordTests {
  private struct Sample: Record, Hashable {
    var name: String
    var count = 1
    var note: String?
    var until: Timestamp?
    var children: [Sample] = []
    var scope = PresenterScope()

    init(_ name: String) { self.name = name }

    init(_ f: inout Fields<Self>) throws(JSONError) {
      name = try f("name", \.name, advice: "give a name")
      count = try f("count", default: 1, \.count)
      note = try f(orNull: "note", \.note)
      until = try f("until", \.until)
      children = try f("children", ifAbsent: [], \.children)
      scope = try f.inline(\.scope)
      let (note, until) = (note, until)
      try f.check(note == nil || until == nil, "cannot be given together with note", at: "until")
    }
  }

  private struct OpenSample: Record, Hashable {
    static var ignoresUnknown: Bool { true }

    var name: String

    init(_ f: inout Fields<Self>) throws(JSONError) { name = try f("name", \.name) }
  }

  @Test func `writes its members in their order, and leaves out defaults`() {
    var sample = Sample("a")
    #expect(sample.jsonText.description == #"{"name":"a","note":null,"children":[]}"#)
    sample.count = 2
    sample.until = Timestamp(milliseconds: 0)
    sample.children = [Sample("b")]
    sample.scope.after = .milliseconds(1_500)
    #expect(
      sample.jsonText.description
        == #"{"name":"a","count":2,"note":null,"until":"1970-01-01T00:00:00.000Z","children":[{"name":"b","note":null,"children":[]}],"after":1.5}"#
    )
  }

  @Test func `reads its members in any order`() throws {
    var sample = Sample("a")
    (sample.note, sample.children, sample.scope.priority) = ("n", [Sample("b"), Sample("c")], .high)
    let members = try #require(sample.json.object)
    for offset in 0..<members.count {
      let names = Array(members.keys[offset...]) + Array(members.keys[..<offset])
      let turned = OrderedDictionary(uniqueKeysWithValues: names.map { ($0, members[$0]!) })
      #expect(try Sample(json: .object(turned)) == sample)
    }
  }

  @Test(arguments: [
    ("1", ": must be an object, not a number"), ("{}", "/name: is missing: give a name"),
    (#"{"name":null}"#, "/name: is missing: give a name"), (#"{"name":1}"#, "/name: must be a string, not a number"),
    (#"{"name":"a","count":-1}"#, "/count: must be a whole number, 0 or more"),
    (#"{"name":"a","other/":1}"#, "/other~1: is not a known field"),
    (
      #"{"name":"a","children":[{"name":"b"},{"name":"c","count":true}]}"#, "/children/1/count: must be a number, not a boolean"
    ),
    (#"{"name":"a","children":[{"name":"b","x":1}]}"#, "/children/0/x: is not a known field"),
    (#"{"name":"a","priority":"none"}"#, #"/priority: must be one of low, normal, high, critical, not "none""#),
    (#"{"name":"a","note":"n","until":"2026-01-01T00:00:00Z"}"#, "/until: cannot be given together with note"),
    (#"{"name":"a","until":"soon"}"#, "/until: must be an RFC 3339 time"),
  ]) func `says what is wrong, and where`(text: String, error: String) throws {
    let json = try JSONValue(parsing: text)
    let problem = #expect(throws: JSONError.self) { try Sample(json: json) }
    #expect(problem.map { $0.pointer + ": " + $0.message } == error)
    let nested = #expect(throws: JSONError.self) { try Sample(json: json, at: "/at") }
    #expect(nested.map { $0.pointer + ": " + $0.message } == "/at" + error)
  }

  @Test func `ignores members of newer versions where it may`() throws {
    let json: JSONValue = ["name": "a", "new": 1]
    #expect(try OpenSample(json: json).name == "a")
    #expect(throws: JSONError("is not a known field", at: "/new")) { try OpenSample(exactly: json) }
  }

  @Test func `ignores members of newer versions at any depth of a reply`() throws {
    let json: JSONValue = ["name": "a", "new": 1, "children": [["name": "b", "new": ["x": 2]]]]
    #expect(try Sample(reply: json).children == [Sample("b")])
    #expect(throws: JSONError("is not a known field", at: "/children/0/new")) { try Sample(json: json) }
    #expect(throws: JSONError("is missing: give a name", at: "/name")) { try Sample(reply: ["new": 1]) }
  }

  @Test func `takes names for the same only if their bytes are`() throws {
    let json: JSONValue = .object(["na\u{301}me": "a", "nom\u{65}\u{301}": "b"])
    var members = try Members(json)
    #expect(members.take("n\u{E1}me") == nil && members.take("nom\u{E9}") == nil)
    #expect(members.take("na\u{301}me") == "a" && members.take("na\u{301}me") == nil)
    #expect(members.untaken == "nome\u{301}")
  }

  @Test func `finds a member among many`() throws {
    let more = (0..<100).map { ("x\($0)", JSONValue.integer($0)) }
    let json = JSONValue.object(.init(uniqueKeysWithValues: more + [("name", "a")]))
    #expect(try OpenSample(json: json).name == "a")
    #expect(throws: JSONError("is not a known field", at: "/x0")) { try OpenSample(exactly: json) }
  }

  private static let process = ProcessIdentity(uid: 1, gid: 2, pid: 3, executable: "/bin/sh", host: "far")
  private static let id = PresentationID(name: "a")
  private static let at = Timestamp(milliseconds: 1_234)

  private static func described(_ fill: (inout PresentationRequest) -> Void) -> any Record & Sendable {
    var request = PresentationRequest(kind: .alert, title: "T")
    fill(&request)
    return PromptDescription(request, asker: [PromptDescription.Fact(label: "user", text: "ada", isOwnWord: false)])
  }

  /// Records that no event, request or presentation has.
  private static let samples: [any Record & Sendable] = [
    AnswerExtra(comment: "c"), ActBody(Verbs.Answer(.value(.null))),
    ActBody(Verbs.Snooze(for: .seconds(3)), generation: 2), ActBody(Verbs.Fail("x")), WebLinkBody(user: "ada"),
    WebLinkBody(user: nil), TypedForm(fields: ["b": "1", "a": ""]), PresentationProgress(fraction: 0.25, label: nil),
    ActReport(act: "ab", .signal(15), duration: .seconds(1)), ActReport(act: "ab", .notRun("a file changed")),
    Problem(status: 409, title: "Conflict", detail: "d", field: "/a", code: "resolved", outcome: .dismissed),
    GrantChoice(GrantOffer.Width(.prefix, count: 2), for: .seconds(900)), GrantChoice(for: .session),
    Presentation.Authority.rule("r", rules: "ab"), Presentation.Authority.grant(id), Presentation.Authority.with(id),
    PresentationRequest.Requirement(3, button: "ok", from: ["a"], hosts: 2),
    PresentationRequest.Requirement(from: ["a", "b"]),
    PresentationRequest.Remember(buttons: ["ok"], matches: [.prefix], periods: [.session, .seconds(60)]),
    described { $0.buttons = [PresentationRequest.Button(id: "ok", label: "OK", role: .destructive, isDefault: true)] },
    described { request in
      request.messageFormat = .markdown
      request.message = "# A\n\n- *b*\n- `c`\n\n> d"
      request.severity = .critical
      request.attachments = [.init(.diff, "-a\n+b\n"), .init(.command, "rm -rf /", title: "t")]
    },
  ]

  @Test(arguments: samples.indices) func `reads what it wrote`(index: Int) throws {
    func check<R: Record>(_ record: R) throws {
      let text = record.jsonText
      #expect(try R(json: JSONValue(parsing: text.description)).jsonText == text)
    }
    try check(Self.samples[index])
  }
}
