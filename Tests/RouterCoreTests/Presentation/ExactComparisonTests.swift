import OrderedCollections
import Testing

@testable import RouterCore

/// A canonically equivalent text is another text wherever a value decides something.
/// Promise P76.
struct ExactComparisonTests {
  private static let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")

  private func form(_ property: FormSchema.Property) -> FormSchema { FormSchema(properties: [property]) }

  @Test func `an answer in the other normal form is not one of the choices`() throws {
    let choices: [JSONValue] = [.string(Self.composed), "tea"]
    let one = form(FormSchema.Property(name: "drink", kind: .string, choices: choices))
    try one.check(["drink": .string(Self.composed)])
    #expect(throws: JSONError.self) { try one.check(["drink": .string(Self.decomposed)]) }
    #expect(try one.read(typed: ["drink": Self.decomposed]).problems["drink"] == "must be one of the choices")
    let several = form(FormSchema.Property(name: "drinks", kind: .array, choices: choices))
    try several.check(["drinks": [.string(Self.composed)]])
    #expect(throws: JSONError.self) { try several.check(["drinks": [.string(Self.decomposed)]]) }
    #expect(try several.read(typed: ["drinks": Self.decomposed]).answer == nil)
    #expect(try several.read(typed: ["drinks": JSONValue.array([.string(Self.decomposed)]).description]).answer == nil)
    #expect(several.properties[0].labels(of: [.string(Self.decomposed)]) == nil)
  }

  @Test func `an answer names fields by their bytes`() throws {
    let form = form(FormSchema.Property(name: Self.composed, kind: .string, isRequired: true))
    try form.check(.object([Self.composed: "x"]))
    #expect(throws: JSONError.self) { try form.check(.object([Self.decomposed: "x"])) }
    #expect(throws: JSONError.self) { try form.read(typed: [Self.decomposed: "x"]) }
    let schema = """
      {"type": "object", "properties": {"\(Self.composed)": {"type": "string"}}, "required": ["\(Self.decomposed)"]}
      """
    #expect(throws: JSONError.self) { try FormSchema(json: JSONValue(parsing: schema)) }
  }

  @Test func `an answer names a button by its bytes`() throws {
    var request = PresentationRequest(kind: .alert, title: "?", buttons: [PresentationRequest.Button(id: "K", label: "K")])
    try request.check(.button("K"))
    #expect(throws: JSONError.self) { try request.check(.button("\u{212A}")) }
    request.act = Act("run", object: "x")
    request.remember = PresentationRequest.Remember(buttons: ["\u{212A}"])
    #expect(throws: JSONError.self) { try request.check() }
    request.remember = nil
    request.require = PresentationRequest.Requirement(2, button: "\u{212A}")
    #expect(throws: JSONError.self) { try request.check() }
  }

  @Test func `a rule compares names of labels and variables by their bytes`() throws {
    let pattern = try TextPattern("**")
    let process = ProcessIdentity(uid: 1, gid: 1, pid: 1)
    var request = PresentationRequest(kind: .alert, title: "?")
    request.metadata = [Self.decomposed: "x"]
    request.act = Act("run", object: "/\(Self.decomposed)/x", environment: [Self.decomposed: "x"])
    let requester = Presentation.Requester(app: "a", process: process)
    // A rule before each has the same name in another form: what is found for one says nothing of the other.
    let parts: [(inout RuleCondition, String) -> Void] = [
      { $0.metadata = [$1: [pattern]] }, { $0.environment = [$1: [pattern]] }, { $0.under = ["/" + $1] },
    ]
    for part in parts {
      let rules = try [("composed", Self.composed), ("decomposed", Self.decomposed)].map { id, name in
        var condition = RuleCondition()
        part(&condition, name)
        return try Rule(id, condition, .deny(message: nil))
      }
      for rules in [rules, rules.reversed()] {
        let decision = RuleSet(file: "/r", text: "", rules: rules).decision(on: request, by: requester)
        #expect(decision.rule?.id == "decomposed")
      }
      let facts = RuleFacts(request, by: requester, home: "")
      #expect(!rules[0].matches(facts) && rules[1].matches(facts))
    }
    var condition = RuleCondition()
    condition.environment = [Self.composed: [pattern]]
    let act = try #require(request.act)
    #expect(condition.unnamedVariables(of: act) == [Self.decomposed])
  }

  @Test func `a combining mark does not hide the components of a path`() throws {
    for path in ["/srv/shop/../\u{301}x", "/srv/shop//\u{301}x", "/srv/./\u{301}x"] {
      #expect(!Act.isPath(path, below: "/srv/shop"))
      #expect(throws: JSONError.self) { try Act("Edit", object: "x", directory: path).check(at: "") }
      #expect(Act("Edit", object: path, directory: "/srv/shop").isFile(below: ["/srv/shop"]) == .unknown)
      #expect(try TextPattern("/srv/shop/**").match(path) != .yes)
    }
    // A file whose name begins with a mark is like any other.
    #expect(Act.isPath("/srv/shop/\u{301}x", below: "/srv/shop"))
    #expect(
      Act("Edit", object: "/srv/\u{301}x/y").parts(coveredBy: GrantOffer.Width(.under)).compactMap(\.directory) == [
        "/", "/srv", "/srv/\u{301}x",
      ])
  }

  @Test func `a command beside an act in another normal form is shown`() {
    var request = PresentationRequest(kind: .alert, title: "?")
    request.act = Act("Bash", object: "rm \(Self.composed)")
    request.attachments = [PresentationRequest.Attachment(.command, "rm \(Self.decomposed)")]
    #expect(PromptDescription(request).blocks.count == 2)
  }
}

/// CR LF in texts that people give.
struct LineEndTests {
  @Test func `a message and a comment may end lines with CR LF`() throws {
    var request = PresentationRequest(kind: .alert, title: "?", message: "a\r\nb")
    request = try request.normalized()
    #expect(request.message.map { Array($0.utf8) } == Array("a\nb".utf8))
    let extra = AnswerExtra(comment: "a\r\nb")
    try extra.checkText()
    #expect(extra.comment.map { Array($0.utf8) } == Array("a\nb".utf8))
    #expect(throws: JSONError.self) { try PresentationRequest(kind: .alert, title: "?", message: "a\rb").normalized() }
    #expect(throws: JSONError.self) { try PresentationRequest(kind: .alert, title: "a\r\nb").normalized() }
  }

  @Test func `a diff shows the line ends of DOS without a warning, and a change of them`() {
    func block(_ text: String, _ kind: PresentationRequest.Attachment.Kind) -> PromptDescription.Block {
      PromptDescription.Block(PresentationRequest.Attachment(kind, text))
    }
    let diff = block("@@ -1,1 +1,1 @@\n-old\r\n+new\r\n", .diff)
    #expect(diff.warning == nil && diff.text == "@@ -1,1 +1,1 @@\n-old␍\n+new␍")
    #expect(block("-old\r\n+old\n", .diff).text == "-old␍\n+old")
    // Inside a line it moves the cursor, and a shell takes it as a part of the last word.
    #expect(block("+a\rb\n", .diff).warning != nil)
    #expect(block("rm x\r\n", .command).warning != nil)
  }
}
