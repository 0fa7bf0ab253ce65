import OrderedCollections
import Testing

@testable import RouterCore

struct PresentationRequestTests {
  @Test(
    arguments: [
      (#"[]"#, "", "must be an object"),
      (#"{}"#, "/kind", "is missing"),
      (#"{"kind":"toast"}"#, "/kind", "must be one of alert"),
      (#"{"kind":1}"#, "/kind", "must be a string, not a number"),
      (#"{"kind":"alert"}"#, "/title", "is missing"),
      (#"{"kind":"alert","title":" "}"#, "/title", "must not be empty"),
      (#"{"kind":"alert","title":"a","color":1}"#, "/color", "is not a known field"),
      (#"{"kind":"alert","title":"a","Title":"b"}"#, "/Title", "is not a known field"),
      (#"{"kind":"alert","title":"a","a/b":1}"#, "/a~1b", "is not a known field"),
      (#"{"kind":"alert","title":["a"]}"#, "/title", "must be a string, not an array"),
      (#"{"kind":"alert","title":"a\nb"}"#, "/title", "U+000A"),
      (#"{"kind":"alert","title":"a\u001bb"}"#, "/title", "U+001B"),
      (#"{"kind":"alert","title":"a\u009bb"}"#, "/title", "U+009B"),
      (#"{"kind":"alert","title":"a\u202eb"}"#, "/title", "U+202E"),
      (#"{"kind":"alert","title":"a\u2066b"}"#, "/title", "U+2066"),
      (#"{"kind":"alert","title":"a","message":"b\u2029"}"#, "/message", "U+2029"),
      (#"{"kind":"alert","title":"a","message":"b\rc"}"#, "/message", "U+000D"),
      (#"{"kind":"alert","title":"a","buttons":{}}"#, "/buttons", "must be an array"),
      (#"{"kind":"alert","title":"a","buttons":[1]}"#, "/buttons/0", "must be an object"),
      (#"{"kind":"alert","title":"a","buttons":[{}]}"#, "/buttons/0/id", "is missing"),
      (#"{"kind":"alert","title":"a","buttons":[{"id":"a b"}]}"#, "/buttons/0/id", "letters, digits"),
      (#"{"kind":"alert","title":"a","buttons":[{"id":""}]}"#, "/buttons/0/id", "letters, digits"),
      (#"{"kind":"alert","title":"a","buttons":[{"id":"a"},{"id":"a"}]}"#, "/buttons/1/id", "duplicate"),
      (#"{"kind":"alert","title":"a","buttons":[{"id":"a","role":"big"}]}"#, "/buttons/0/role", "must be one of"),
      (#"{"kind":"alert","title":"a","buttons":[{"id":"a","label":"\u0007"}]}"#, "/buttons/0/label", "U+0007"),
      (#"{"kind":"alert","title":"a","buttons":[{"id":"a","key":"x"}]}"#, "/buttons/0/key", "is not a known field"),
      (
        #"{"kind":"alert","title":"a","buttons":[{"id":"a","isDefault":true},{"id":"b"},{"id":"c","isDefault":true}]}"#,
        "/buttons/2/isDefault", "another button is already the default"
      ),
      (#"{"kind":"alert","title":"a","buttons":[{"id":"a","isDefault":1}]}"#, "/buttons/0/isDefault", "must be true or false"),
      (#"{"kind":"sheet","sheet":"s","dismissDisabled":true}"#, "/dismissDisabled", "needs buttons or a schema"),
      (#"{"kind":"sheet","hasAnswer":false,"schema":{"type":"object","properties":{}}}"#, "/schema", "without an answer"),
      (#"{"kind":"sheet","hasAnswer":false,"flow":true}"#, "/flow", "without an answer"),
      (#"{"kind":"sheet","hasAnswer":false,"act":{"verb":"run","object":"ls"}}"#, "/act", "without an answer"),
      (#"{"kind":"sheet","hasAnswer":false,"dismissDisabled":true}"#, "/dismissDisabled", "needs buttons or a schema"),
      (#"{"kind":"alert","title":"a","hasAnswer":false}"#, "/hasAnswer", "is not supported for kind alert"),
      (#"{"kind":"alert","title":"a","suppressionToggle":"x"}"#, "/suppressionToggle", "is no longer supported"),
      (#"{"kind":"sheet","severity":"high"}"#, "/severity", "must be one of standard, critical"),
      (#"{"kind":"alert","title":"a","sheet":"b"}"#, "/sheet", "is not supported for kind alert"),
      (#"{"kind":"alert","title":"a","payload":1}"#, "/payload", "is not supported for kind alert"),
      (#"{"kind":"alert","title":"a","titleVisibility":"hidden"}"#, "/titleVisibility", "is not supported for kind alert"),
      (#"{"kind":"alert","title":"a","flow":true}"#, "/flow", "is not supported for kind alert"),
      (#"{"kind":"sheet","flow":1}"#, "/flow", "must be true or false"),
      (#"{"kind":"confirmationDialog","title":"a"}"#, "/buttons", "must have a button"),
      (#"{"kind":"sheet","buttons":[{"id":"a"}]}"#, "/buttons", "is not supported for kind sheet"),
      (#"{"kind":"sheet","sheet":"a/b"}"#, "/sheet", "letters, digits"),
      (#"{"kind":"sheet","surface":""}"#, "/surface", "letters, digits"),
      (#"{"kind":"sheet","app":"é"}"#, "/app", "letters, digits"),
      (#"{"kind":"sheet","priority":"urgent"}"#, "/priority", "must be one of low, normal, high, critical"),
      (#"{"kind":"sheet","conflictPolicy":"x"}"#, "/conflictPolicy", "must be one of"),
      (#"{"kind":"sheet","noPresenter":"x"}"#, "/noPresenter", "must be one of"),
      (#"{"kind":"sheet","timeout":"5"}"#, "/timeout", "must be a number"),
      (#"{"kind":"sheet","timeout":0}"#, "/timeout", "must be more than 0"),
      (#"{"kind":"sheet","queueTimeout":-1}"#, "/queueTimeout", "must be more than 0"),
      (#"{"kind":"sheet","shownTimeout":1e400}"#, "/shownTimeout", "must be more than 0"),
      (#"{"kind":"sheet","over":"x"}"#, "/over", "must be the id"),
      (#"{"kind":"sheet","sensitive":"yes"}"#, "/sensitive", "must be true or false"),
      (#"{"kind":"sheet","metadata":{"a/b":1}}"#, "/metadata/a~1b", "must be a string"),
      (#"{"kind":"sheet","metadata":[]}"#, "/metadata", "must be an object, not an array"),
      (#"{"kind":"sheet","metadata":{"a":"\u0000"}}"#, "/metadata/a", "U+0000"),
      (#"{"kind":"sheet","schema":1}"#, "/schema", "must be an object"),
      (#"{"kind":"sheet","schema":{"type":"array"}}"#, "/schema/type", "must be"),
    ])
  func `rejects an invalid body and names the field`(text: String, pointer: String, message: String) throws {
    let json = try JSONValue(parsing: text)
    let error = #expect(throws: JSONError.self) { try PresentationRequest(json: json) }
    #expect(error?.pointer == pointer)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test func `round-trips a request`() throws {
    let alert = PresentationRequest(
      kind: .alert, title: "Deploy?", message: "42 commits\nsince",
      buttons: [
        PresentationRequest.Button(id: "deploy", label: "Deploy", role: .destructive),
        PresentationRequest.Button(id: "later", label: "Later"),
      ], app: "deploy", surface: "ops", priority: .critical, conflictPolicy: .cancelPrevious, timeout: .milliseconds(1500),
      queueTimeout: .seconds(3), shownTimeout: .seconds(315_360_000), noPresenter: .fail,
      over: PresentationID("0193abcd-0000-7000-8000-0123456789ab"), sensitive: true, metadata: ["z": "1", "a": "2"])
    #expect(try PresentationRequest(json: JSONValue(parsing: alert.json.bytes)) == alert)
    let sheet = PresentationRequest(
      kind: .fullScreenCover, sheet: "contact", payload: ["name": nil, "n": [1, true]],
      schema: FormSchema(properties: [
        FormSchema.Property(name: "b", kind: .boolean), FormSchema.Property(name: "a", kind: .string),
      ]),
      flow: true)
    #expect(try PresentationRequest(json: JSONValue(parsing: sheet.json.bytes)) == sheet)
    let dialog = PresentationRequest(
      kind: .confirmationDialog, title: "Which?", buttons: [PresentationRequest.Button(id: "a", label: "A")],
      titleVisibility: .hidden)
    #expect(try PresentationRequest(json: JSONValue(parsing: dialog.json.bytes)) == dialog)
  }

  @Test func `fills in defaults that depend on other fields`() throws {
    let alert = try PresentationRequest(json: ["kind": "alert", "title": "Done", "timeout": nil])
    #expect(alert.buttons == [PresentationRequest.Button(id: "ok", label: "OK")])
    let form: JSONValue = ["type": "object", "properties": ["pin": ["type": "string", "format": "password"]]]
    #expect(try PresentationRequest(json: ["kind": "sheet", "schema": form]).sensitive)
    #expect(!(try PresentationRequest(json: ["kind": "sheet"]).sensitive))
  }

  @Test func `checks in-process requests by the same rules`() {
    func field(_ request: PresentationRequest) -> String? {
      #expect(throws: JSONError.self) { _ = try request.normalized() }?.pointer
    }
    var request = PresentationRequest(kind: .sheet)
    request.timeout = .seconds(Int64.max)
    #expect(field(request) == "/timeout")
    request.timeout = .zero
    #expect(field(request) == "/timeout")
    request.timeout = nil
    request.schema = FormSchema(properties: [
      FormSchema.Property(name: "a/b", kind: .string), FormSchema.Property(name: "a/b", kind: .string),
    ])
    #expect(field(request) == "/schema/properties/a~1b")
    request.schema = FormSchema(title: "\u{202E}", properties: [])
    #expect(field(request) == "/schema/title")
    request.schema = nil
    request.payload = (0..<32).reduce(1) { value, _ in .array([value]) }
    #expect(field(request) == "/payload")
    request.payload = (0..<1000).reduce(1) { value, _ in ["a": value] }
    #expect(field(request) == "/payload")
  }

  @Test func `rejects an answer that the request does not offer`() throws {
    let alert = try PresentationRequest(json: ["kind": "alert", "title": "Done"])
    try alert.check(.button("ok"))
    #expect(throws: JSONError.self) { try alert.check(.button("no")) }
    #expect(throws: JSONError.self) { try alert.check(.value(1)) }
    #expect(throws: JSONError.self) { try alert.check(.redacted) }
    let sheet = PresentationRequest(kind: .sheet)
    try sheet.check(.value(1))
    #expect(throws: JSONError.self) { try sheet.check(.button("ok")) }
    let deep: JSONValue = (0..<32).reduce(1) { value, _ in .array([value]) }
    #expect(throws: JSONError.self) { try sheet.check(.value(deep)) }
  }
}
