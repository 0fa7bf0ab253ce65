import OrderedCollections
import Testing

@testable import RouterCore

/// Rules against invisible and indistinguishable text.
/// Promises P63, P65.
struct TextRuleTests {
  static let invisible = [
    "\u{200B}", "\u{2060}", "\u{3164}", "\u{2800}", "\u{AD}", "\u{FEFF}", "\u{E0041}", "\u{200E}", "\u{200F}",
    "\u{61C}", "\u{115F}", "\u{FFA0}", "\u{FE0F}", "\u{34F}", "\u{A0}", "\u{3000}", " ",
  ]

  private func check(_ pointer: String, _ change: (inout PresentationRequest) -> Void) {
    var request = PresentationRequest(
      kind: .alert, title: "Delete?", buttons: [PresentationRequest.Button(id: "a", label: "OK")])
    change(&request)
    let error = #expect(throws: JSONError.self) { _ = try request.normalized() }
    #expect(error?.pointer == pointer, "\(error?.message ?? "")")
  }

  @Test(arguments: invisible) func `rejects invisible text`(text: String) {
    for text in [text, text + text, text + "\u{200B}"] {
      check("/title") { $0.title = text }
      check("/message") { $0.message = text }
      check("/buttons/0/label") { $0.buttons[0].label = text }
      check("/metadata/" + text.shortened) { $0.metadata = [text: "x"] }
      func form(_ field: FormSchema.Property, title: String? = nil, description: String? = nil) -> FormSchema {
        FormSchema(title: title, description: description, properties: [field])
      }
      let schemas = [
        ("/title", form(FormSchema.Property(name: "f", kind: .string), title: text)),
        ("/description", form(FormSchema.Property(name: "f", kind: .string), description: text)),
        ("/properties/" + text, form(FormSchema.Property(name: text, kind: .string))),
        ("/properties/f/title", form(FormSchema.Property(name: "f", kind: .string, title: text))),
        ("/properties/f/description", form(FormSchema.Property(name: "f", kind: .string, description: text))),
        ("/properties/f/enum/1", form(FormSchema.Property(name: "f", kind: .string, choices: ["a", .string(text)]))),
      ]
      for (pointer, schema) in schemas {
        check("/schema" + pointer) { $0 = PresentationRequest(kind: .sheet, sheet: "form", schema: schema) }
      }
    }
  }

  @Test(arguments: invisible) func `rejects buttons and choices that look the same`(text: String) throws {
    check("/buttons/0/label") { $0.buttons[0].label = "" }
    check("/buttons/1/label") { $0.buttons.append(PresentationRequest.Button(id: "b", label: "OK" + text)) }
    check("/buttons/1/label") { $0.buttons.append(PresentationRequest.Button(id: "b", label: text + "OK")) }
    let choices = FormSchema.Property(name: "f", kind: .string, choices: ["Yes", .string("Yes" + text)])
    check("/schema/properties/f/enum/1") {
      $0 = PresentationRequest(kind: .sheet, sheet: "form", schema: FormSchema(properties: [choices]))
    }
  }

  @Test func `accepts visible text, and invisible text in values`() throws {
    var request = PresentationRequest(
      kind: .alert, title: "\u{200F}עברית", message: "👩\u{200D}💻",
      buttons: [
        PresentationRequest.Button(id: "a", label: "Save as"), PresentationRequest.Button(id: "b", label: "Saveas"),
      ])
    request.metadata = ["note": " "]
    _ = try request.normalized()
    let field = FormSchema.Property(name: "separator", kind: .string, defaultValue: "\u{200B}")
    _ = try PresentationRequest(kind: .sheet, sheet: "form", schema: FormSchema(properties: [field])).normalized()
  }

  @Test(arguments: [".", ".."]) func `rejects a name with a special meaning in paths`(name: String) {
    check("/surface") { $0.surface = name }
    check("/app") { $0.app = name }
    #expect(throws: Never.self) { try TextRule.checkName(name + "a", at: "") }
  }
}
