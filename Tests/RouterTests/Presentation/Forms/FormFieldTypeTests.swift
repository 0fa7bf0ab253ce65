import Router
import Testing

/// Fields bound to properties, and fields whose values their members do not take.
struct FormFieldTypeTests {
  private enum Size: String, Codable, CaseIterable { case small, large }

  private struct Order: Codable, Sendable {
    var street: String
    var note: String?
    var count: Int
    var weight: Double
    var gift: Bool
    var size: Size
  }

  private struct Form: Sheet {
    typealias Answer = Order
    var form: FormState?

    init(@ListBuilder<FormProperty> _ fields: () -> [FormProperty]) { form = FormState(fields: fields) }
  }

  @Test func `a field bound to a property has its name and type`() throws {
    let form = Form {
      TextField("Street", \Order.street, length: 1...9)
      TextField("Note", \Order.note)
      NumberField("How many", \Order.count, minimum: 1)
      NumberField("Weight", \Order.weight)
      Toggle("A gift", \Order.gift, default: true)
      Picker("Size", \Order.size)
    }
    let fields = try #require(try PresentationRequest(form).schema?.properties)
    #expect(fields.map(\.name) == ["street", "note", "count", "weight", "gift", "size"])
    #expect(fields.map(\.kind) == [.string, .string, .integer, .number, .boolean, .string])
    #expect(fields.map(\.isRequired) == [true, false, true, true, true, true])
    #expect(fields.last?.choices == ["small", "large"])
  }

  @Test(arguments: [
    ("count", "string", FormProperty(name: "count", kind: .string)),
    ("street", "number", FormProperty(name: "street", kind: .number)),
    ("gift", "string", FormProperty(name: "gift", kind: .string)),
    ("weight", "boolean", FormProperty(name: "weight", kind: .boolean)),
  ])
  func `a field of another type than its member is refused before it is shown`(
    name: String, kind: String, field: FormProperty
  ) {
    let form = Form { [field] }
    let error = #expect(throws: RouterError.self) { try PresentationRequest(form) }
    #expect(error?.field == "/schema/properties/\(name)")
    #expect(error?.message.contains("gives a \(kind), which Order does not take") == true)
  }

  @Test func `a text whose member takes only some texts is not refused`() throws {
    _ = try PresentationRequest(Form { TextField("Size", name: "size", pattern: "^(small|large)$") })
  }
}
