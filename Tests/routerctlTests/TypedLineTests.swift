import Router
import Testing

@testable import routerctl

struct TypedLineTests {
  private let three = PresentationRequest.deploy.buttons
  private let one = [PresentationRequest.Button(id: "ok", label: "OK")]

  @Test(arguments: [
    ("1", PresenterResponse.answer(.button("deploy"))), (" 3 ", .answer(.button("later"))), ("d", .dismiss),
    ("\u{1B}", .answer(.button("later"))),
  ])
  func `presses a button by number, dismisses with d, cancels with Escape`(line: String, response: PresenterResponse) {
    #expect(TypedLine(line, buttons: three) == .response(response))
  }

  @Test(arguments: ["", "0", "4", "-1", "-9223372036854775808", "deploy", "1 2", "y", "1\u{301}"])
  func `refuses any other line`(line: String) {
    guard case .again = TypedLine(line, buttons: three) else { Issue.record("taken: \(line)"); return }
  }

  @Test func `presses the button that the program chose with Enter`() {
    var buttons = three
    buttons[0].isDefault = true
    #expect(TypedLine("", buttons: buttons) == .response(.answer(.button("deploy"))))
  }

  @Test(arguments: ["d", "\u{1B}"])
  func `does not dismiss what needs an answer`(line: String) {
    let refusal = TypedLine.again("This prompt cannot be closed: it needs an answer.")
    #expect(TypedLine(line, buttons: one, isDismissDisabled: true) == refusal)
    let field = FormSchema.Property(name: "a", kind: .string)
    #expect(
      TypedLine(":" + line, field: field, isDismissDisabled: true) == (line == "d" ? refusal : .value(.string(":" + line))))
    #expect(TypedLine("\u{1B}", buttons: three, isDismissDisabled: true) == .response(.answer(.button("later"))))
  }

  @Test func `presses the only button with Enter`() {
    #expect(TypedLine("", buttons: one) == .response(.answer(.button("ok"))))
    #expect(TypedLine("\u{1B}", buttons: one) == .response(.dismiss))
  }

  @Test(arguments: [
    (FormSchema.Property(name: "a", kind: .string), " Ada ", TypedLine.value(" Ada ")),
    (FormSchema.Property(name: "a", kind: .string), "d", .value("d")),
    (FormSchema.Property(name: "a", kind: .string), ":d", .response(.dismiss)),
    (FormSchema.Property(name: "a", kind: .string), "", .value(.none)),
    (FormSchema.Property(name: "a", kind: .string, isRequired: true), "", .again("is required")),
    (FormSchema.Property(name: "a", kind: .string, isRequired: true, isNullable: true), "", .value(.some(.null))),
    (FormSchema.Property(name: "a", kind: .string, format: .email), "ada", .again("must be an email address")),
    (FormSchema.Property(name: "a", kind: .string, isRequired: true, defaultValue: "x"), "", .value("x")),
    (FormSchema.Property(name: "a", kind: .string, minimumLength: 3), "ab", .again("must have at least 3 characters")),
    (FormSchema.Property(name: "a", kind: .integer), " 7 ", .value(7)),
    (FormSchema.Property(name: "a", kind: .integer), "+7", .value(7)),
    (FormSchema.Property(name: "a", kind: .integer), "7.5", .again("must be a whole number")),
    (FormSchema.Property(name: "a", kind: .integer, maximum: JSONValue.Number(3)), "7", .again("must be at most 3")),
    (FormSchema.Property(name: "a", kind: .number), "x", .again("must be a number")),
    (FormSchema.Property(name: "a", kind: .boolean), "Yes", .value(true)),
    (FormSchema.Property(name: "a", kind: .boolean), "n", .value(false)),
    (FormSchema.Property(name: "a", kind: .boolean), "maybe", .again("must be true or false")),
    (FormSchema.Property(name: "a", kind: .string, choices: ["S", "M"]), "2", .value("M")),
    (FormSchema.Property(name: "a", kind: .string, choices: ["S", "M"]), "S", .value("S")),
    (FormSchema.Property(name: "a", kind: .string, choices: ["S", "M"]), "3", .again("must be a number from 1 to 2")),
    (FormSchema.Property(name: "a", kind: .string, choices: ["S", "M"]), "\(Int.min)", .again("must be a number from 1 to 2")),
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
      .again("must be numbers from 1 to 2, separated by commas")
    ),
    (
      FormSchema.Property(name: "a", kind: .array, isRequired: true, choices: ["S"], minimumCount: 1), "", .again("is required")
    ),
    (
      FormSchema.Property(name: "a", kind: .array, choices: ["S", "M"], maximumCount: 1), "1,2",
      .again("must have at most 1 choice")
    ),
  ])
  func `parses a field's line, or says what is wrong`(property: FormSchema.Property, line: String, typed: TypedLine) {
    #expect(TypedLine(line, field: property) == typed)
  }

  @Test func `goes back from a flow's screen with b, and leaves its root with l`() {
    let field = FormSchema.Property(name: "a", kind: .string)
    for (closing, key) in [(PromptDescription.Closing.back, "b"), (.leave, "l")] {
      #expect(TypedLine(":" + key, field: field, closing: closing) == .response(.dismiss))
      #expect(TypedLine(":d", field: field, closing: closing) == .response(.dismiss))
      #expect(TypedLine(":" + key, field: field) == .value(.string(":" + key)))
      #expect(TypedLine(anyJSON: key, closing: closing) == .response(.dismiss))
      #expect(TypedLine(anyJSON: "", closing: closing) == .response(.dismiss))
    }
  }

  @Test func `parses JSON for a sheet without fields`() {
    #expect(TypedLine(anyJSON: #" {"a":1.50} "#) == .response(.answer(.value(["a": .number(number("1.50"))]))))
    #expect(TypedLine(anyJSON: "") == .response(.dismiss))
    #expect(TypedLine(anyJSON: "d") == .response(.dismiss))
    guard case .again = TypedLine(anyJSON: "hello") else { Issue.record("taken"); return }
  }

  private func number(_ text: String) -> JSONValue.Number {
    guard case .number(let number)? = try? JSONValue(parsing: text) else { return JSONValue.Number(0) }
    return number
  }
}
