import OrderedCollections
import Router
import Testing

@testable import routerctl

/// What a typed line does, where keys cannot be read.
struct PromptLinesTests {
  /// What a line results in.
  enum Entered: Sendable, Hashable {
    case response(PresenterResponse)
    case refused(String)
    /// Another question.
    case nothing

    static let closed = Entered.response(.dismiss)

    /// A form's answer with a value for its field; `nil` if it was left empty.
    static func value(_ value: JSONValue?) -> Entered {
      .response(.answer(.value(.object(value.map { ["a": $0] } ?? [:]))))
    }
  }

  private let three = PresentationRequest.deploy
  private let one = PresentationRequest(
    kind: .alert, title: "?", buttons: [PresentationRequest.Button(id: "ok", label: "OK")])

  private func form(_ properties: FormSchema.Property...) -> PresentationRequest {
    PresentationRequest(kind: .sheet, sheet: "form", schema: FormSchema(properties: properties))
  }

  private func state(_ request: PresentationRequest) -> PromptState {
    PromptState(.sample(request), waiting: 0, now: Timestamp(milliseconds: 0))
  }

  /// Why the last line was refused.
  private func refusal(_ state: PromptState) -> String? {
    guard case .field(let index) = state.focus else { return state.notice }
    return state.notice ?? state.fields[index].problem
  }

  private func enter(_ line: String, _ request: PresentationRequest) -> Entered {
    var state = state(request)
    if let response = state.enter(line) { return .response(response) }
    return refusal(state).map(Entered.refused) ?? .nothing
  }

  @Test(arguments: [
    ("1", PresenterResponse.answer(.button("deploy"))), (" 3 ", .answer(.button("later"))), (":d", .dismiss),
    ("z", .snooze(for: .seconds(900))), (":z", .snooze(for: .seconds(900))), ("\u{1B}", .answer(.button("later"))),
    ("n", .answer(.button("later"))), ("NOT now", .answer(.button("later"))), ("dep", .answer(.button("deploy"))),
    ("", .answer(.button("wait"))),
  ])
  func `presses a button by number, first letters, Enter and Escape, and dismisses and puts off`(
    line: String, response: PresenterResponse
  ) {
    #expect(enter(line, three) == .response(response))
  }

  @Test(arguments: ["0", "4", "-1", "-9223372036854775808", "deployx", "1 2", "y", "1\u{301}", ":x"])
  func `refuses any other line`(line: String) {
    #expect(enter(line, three) == .refused("type a number from 1 to 3, or :d to dismiss"))
  }

  private func request(_ labels: String..., isCritical: Bool = false) -> PresentationRequest {
    var request = PresentationRequest(
      kind: .alert, title: "?",
      buttons: labels.map { PresentationRequest.Button(id: $0, label: $0, role: $0 == "No" ? .cancel : nil) })
    if isCritical { request.severity = .critical }
    return request
  }

  @Test func `answers yes and no with their letters, and with Enter as on the full screen`() {
    for (line, button) in [("y", "Yes"), ("Y", "Yes"), ("yes", "Yes"), ("n", "No"), ("no", "No"), ("", "Yes")] {
      #expect(enter(line, request("Yes", "No")) == .response(.answer(.button(button))), "\(line)")
    }
    #expect(enter("", request("Yes", "No", isCritical: true)) == .response(.answer(.button("No"))))
  }

  @Test func `refuses letters that could mean two things, and says what to type`() {
    #expect(
      enter("d", three) == .refused("“d” could mean “Deploy” or dismiss: type a number or more of the label, or :d"))
    let words = request("Zap", "Zip", "Zip all")
    #expect(
      enter("z", words)
        == .refused("“z” could mean “Zap” or “Zip” or “Zip all” or snooze: type a number or more of the label, or :z"))
    #expect(enter("zi", words) == .refused("“zi” could mean “Zip” or “Zip all”: type a number or more of the label"))
    // A whole label means itself.
    #expect(enter("zip", words) == .response(.answer(.button("Zip"))))
    #expect(enter(":z", words) == .response(.snooze(for: .seconds(900))))
    let composed = request("\u{E9}", "e\u{301}")
    guard case .refused = enter("\u{E9}", composed) else { Issue.record("pressed one of two labels that look alike"); return }
    // Nine choices have a default on the full screen, ten have none.
    let ten = PresentationRequest(
      kind: .confirmationDialog, title: "?", buttons: (1...10).map { PresentationRequest.Button(id: "\($0)", label: "\($0)") })
    guard case .refused = enter("", ten) else { Issue.record("pressed a button that is not the default"); return }
  }

  @Test func `chooses a field's only choice that begins with the letters`() {
    let field = FormSchema.Property(name: "a", kind: .string, isRequired: true, choices: ["main", "develop", "demo"])
    #expect(enter("m", form(field)) == .value("main"))
    #expect(enter("dev", form(field)) == .value("develop"))
    #expect(enter("de", form(field)) == .refused("a must be a number from 1 to 3"))
  }

  @Test func `presses the button that the program chose with Enter`() {
    var request = three
    request.buttons[0].isDefault = true
    #expect(enter("", request) == .response(.answer(.button("deploy"))))
  }

  @Test func `does not dismiss what needs an answer`() {
    let refusal = Entered.refused("This prompt cannot be closed: it needs an answer.")
    let field = FormSchema.Property(name: "a", kind: .string)
    for var request in [one, form(field), PresentationRequest(kind: .sheet, sheet: "any"), form()] {
      request.dismissDisabled = true
      #expect(enter(request.schema?.properties.isEmpty == false ? ":d" : "d", request) == refusal)
      #expect(enter("\u{1B}", request) == refusal)
    }
    var request = three
    request.dismissDisabled = true
    #expect(enter("\u{1B}", request) == .response(.answer(.button("later"))))
    #expect(enter("9", request) == .refused("type a number from 1 to 3"))
  }

  @Test func `presses the only button with Enter`() {
    #expect(enter("", one) == .response(.answer(.button("ok"))))
    #expect(enter("\u{1B}", one) == .closed)
  }

  @Test(arguments: [
    (FormSchema.Property(name: "a", kind: .string), " Ada ", Entered.value(" Ada ")),
    (FormSchema.Property(name: "a", kind: .string), "d", .value("d")),
    (FormSchema.Property(name: "a", kind: .string), ":d", .closed),
    (FormSchema.Property(name: "a", kind: .string), "", .value(.none)),
    (FormSchema.Property(name: "a", kind: .string, isRequired: true), "", .refused("a is required")),
    (FormSchema.Property(name: "a", kind: .string, isRequired: true, isNullable: true), "", .value(.some(.null))),
    (FormSchema.Property(name: "a", kind: .string, format: .email), "ada", .refused("a must be an email address")),
    (FormSchema.Property(name: "a", kind: .string, isRequired: true, defaultValue: "x"), "", .value("x")),
    (FormSchema.Property(name: "a", kind: .string, minimumLength: 3), "ab", .refused("a must have at least 3 characters")),
    (FormSchema.Property(name: "a", kind: .integer), " 7 ", .value(7)),
    (FormSchema.Property(name: "a", kind: .integer), "+7", .value(7)),
    (FormSchema.Property(name: "a", kind: .integer), "7.5", .refused("a must be a whole number")),
    (FormSchema.Property(name: "a", kind: .integer, maximum: JSONValue.Number(3)), "7", .refused("a must be at most 3")),
    (FormSchema.Property(name: "a", kind: .number), "x", .refused("a must be a number")),
    (FormSchema.Property(name: "a", kind: .boolean), "Yes", .value(true)),
    (FormSchema.Property(name: "a", kind: .boolean), "n", .value(false)),
    (FormSchema.Property(name: "a", kind: .boolean), "maybe", .refused("a must be true or false")),
    (FormSchema.Property(name: "a", kind: .string, choices: ["S", "M"]), "2", .value("M")),
    (FormSchema.Property(name: "a", kind: .string, choices: ["S", "M"]), "S", .value("S")),
    (FormSchema.Property(name: "a", kind: .string, choices: ["S", "M"]), "3", .refused("a must be a number from 1 to 2")),
    (
      FormSchema.Property(name: "a", kind: .string, choices: ["S", "M"]), "\(Int.min)",
      .refused("a must be a number from 1 to 2")
    ),
    (FormSchema.Property(name: "a", kind: .integer, choices: [10, 20]), "2", .value(20)),
    (FormSchema.Property(name: "a", kind: .integer, choices: [10, 20]), "10", .value(10)),
    (FormSchema.Property(name: "a", kind: .array, choices: ["S", "M", "L"]), "3, 1", .value(["S", "L"])),
    (FormSchema.Property(name: "a", kind: .array, choices: ["S", "M", "L"]), "L,2", .value(["M", "L"])),
    (FormSchema.Property(name: "a", kind: .array, choices: ["S"], choiceTitles: ["Small"]), "Small", .value(["S"])),
    (FormSchema.Property(name: "a", kind: .array, choices: ["10", "20"]), "2", .value(["20"])),
    (FormSchema.Property(name: "a", kind: .array, choices: ["S"]), "", .value([])),
    (FormSchema.Property(name: "a", kind: .array, defaultValue: ["S"], choices: ["S"]), "", .value(["S"])),
    (FormSchema.Property(name: "a", kind: .array, defaultValue: ["S"], choices: ["S"]), "0", .value([])),
    (
      FormSchema.Property(name: "a", kind: .array, choices: ["S", "M"]), "3",
      .refused("a must be numbers from 1 to 2, separated by commas")
    ),
    (
      FormSchema.Property(name: "a", kind: .array, isRequired: true, choices: ["S"], minimumCount: 1), "",
      .refused("a is required")
    ),
    (
      FormSchema.Property(name: "a", kind: .array, choices: ["S", "M"], maximumCount: 1), "1,2",
      .refused("a must have at most 1 choice")
    ),
  ])
  func `parses a field's line, or says what is wrong`(property: FormSchema.Property, line: String, entered: Entered) {
    #expect(enter(line, form(property)) == entered)
  }

  @Test func `an empty line keeps the default after an invalid one`() {
    var state = state(form(FormSchema.Property(name: "a", kind: .integer, defaultValue: 3)))
    #expect(state.enter("x") == nil && refusal(state) == "a must be a whole number")
    #expect(state.enter("") == .answer(.value(["a": 3])))
  }

  @Test func `asks for the fields in order, and answers after the last`() {
    let fields = ["a", "b"].map { FormSchema.Property(name: $0, kind: .string, isRequired: true) }
    var state = state(form(fields[0], fields[1]))
    #expect(state.enter("x") == nil && state.focus == .field(1) && refusal(state) == nil)
    #expect(state.enter("") == nil && refusal(state) == "b is required")
    #expect(state.enter("y") == .answer(.value(["a": "x", "b": "y"])))
  }

  @Test func `answers a form without fields with Enter`() {
    #expect(enter("", form()) == .response(.answer(.value([:]))))
    #expect(enter("d", form()) == .closed)
  }

  @Test func `goes back from a flow's screen with b, and leaves its root with q`() {
    let parent = PresentationID("01936f5e-1b2c-7def-8a90-112233445567")
    let field = FormSchema.Property(name: "a", kind: .string)
    for (over, key) in [(parent, "b"), (nil, "q")] {
      var (sheet, open) = (form(field), PresentationRequest(kind: .sheet, sheet: "any"))
      (sheet.over, sheet.flow, open.over, open.flow) = (over, true, over, true)
      #expect(enter(":" + key, sheet) == .closed && enter(":d", sheet) == .closed)
      #expect(enter(":" + key, form(field)) == .value(.string(":" + key)))
      #expect(enter(key, open) == .closed && enter("", open) == .closed)
    }
  }

  @Test func `parses JSON for a sheet without fields`() throws {
    let request = PresentationRequest(kind: .sheet, sheet: "any")
    #expect(enter(#" {"a":1.50} "#, request) == .response(.answer(.value(try JSONValue(parsing: #"{"a":1.50}"#)))))
    #expect(enter("", request) == .closed && enter("d", request) == .closed)
    guard case .refused = enter("hello", request) else { Issue.record("taken"); return }
  }
}
