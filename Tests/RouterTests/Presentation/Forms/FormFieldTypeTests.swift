import Router
import Testing

/// The fields of a form, and fields whose values their members do not take.
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
    var form: FormSchema?

    init(@ListBuilder<FormSchema.Property> _ fields: () -> [FormSchema.Property]) { form = FormSchema(fields: fields) }
  }

  @Test func `fields have the names and types that the answer reads`() throws {
    let form = Form {
      TextField("Street", name: "street", length: 1...9)
      TextField("Note", name: "note", isRequired: false)
      NumberField("How many", name: "count", isWhole: true, minimum: 1)
      NumberField("Weight", name: "weight")
      Toggle("A gift", name: "gift", default: true)
      Picker("Size", name: "size", of: Size.self)
      Picker.multiple("Toppings", name: "toppings", choices: ["ham", "olives"], default: ["ham"], count: 1...2)
      Picker.multiple("Sizes", name: "sizes", choices: ["small", "large"], default: ["large"])
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
    ("count", "string", FormSchema.Property(name: "count", kind: .string)),
    ("street", "number", FormSchema.Property(name: "street", kind: .number)),
    ("gift", "string", FormSchema.Property(name: "gift", kind: .string)),
    ("weight", "boolean", FormSchema.Property(name: "weight", kind: .boolean)),
    ("toppings", "string", FormSchema.Property(name: "toppings", kind: .string, choices: ["ham"])),
    ("street", "array", FormSchema.Property(name: "street", kind: .array, choices: ["ham"])),
    ("numbers", "array", FormSchema.Property(name: "numbers", kind: .array, choices: ["1"])),
    ("sizes", "array", FormSchema.Property(name: "sizes", kind: .array, choices: ["medium"])),
  ])
  func `a field of another type than its member is refused before it is shown`(
    name: String, kind: String, field: FormSchema.Property
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
