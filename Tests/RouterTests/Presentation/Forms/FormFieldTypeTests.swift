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
    var toppings: [String]
    var sizes: [Size]
    var numbers: [Int]?
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
      Picker.multiple("Toppings", \Order.toppings, choices: ["ham", "olives"], default: ["ham"], count: 1...2)
      Picker.multiple("Sizes", \Order.sizes, default: [.large])
    }
    let fields = try #require(try PresentationRequest(form).schema?.properties)
    #expect(fields.map(\.name) == ["street", "note", "count", "weight", "gift", "size", "toppings", "sizes"])
    #expect(fields.map(\.kind) == [.string, .string, .integer, .number, .boolean, .string, .array, .array])
    #expect(fields.map(\.isRequired) == [true, false, true, true, true, true, true, true])
    #expect(fields[5].choices == ["small", "large"] && fields[7].choices == ["small", "large"])
    #expect(fields[6].minimumCount == 1 && fields[6].maximumCount == 2 && fields[6].defaultValue == ["ham"])
    #expect(fields[7].defaultValue == ["large"])
  }

  @Test(arguments: [
    ("count", "string", FormProperty(name: "count", kind: .string)),
    ("street", "number", FormProperty(name: "street", kind: .number)),
    ("gift", "string", FormProperty(name: "gift", kind: .string)),
    ("weight", "boolean", FormProperty(name: "weight", kind: .boolean)),
    ("toppings", "string", FormProperty(name: "toppings", kind: .string, choices: ["ham"])),
    ("street", "array", FormProperty(name: "street", kind: .array, choices: ["ham"])),
    ("numbers", "array", FormProperty(name: "numbers", kind: .array, choices: ["1"])),
    ("sizes", "array", FormProperty(name: "sizes", kind: .array, choices: ["medium"])),
  ])
  func `a field of another type than its member is refused before it is shown`(
    name: String, kind: String, field: FormProperty
  ) {
    let form = Form { [field] }
    let error = #expect(throws: RouterError.self) { try PresentationRequest(form) }
    #expect(error?.field == "/schema/properties/\(name)")
    #expect(error?.message.contains("gives \(kind == "array" ? "an" : "a") \(kind), which Order does not take") == true)
  }

  @Test func `a text whose member takes only some texts is not refused`() throws {
    _ = try PresentationRequest(Form { TextField("Size", name: "size", pattern: "^(small|large)$") })
  }
}
