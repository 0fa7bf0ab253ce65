import Router
import Testing

struct FormStateTests {
  private enum Size: String, CaseIterable {
    case small, large
  }

  private func form(isAbroad: Bool) -> FormSchema {
    FormSchema("Where to?", description: "For the parcel") {
      TextField("Street", name: "street", default: "Hill Road", length: 1...100, pattern: "[A-Z]")
      NumberField("House number", name: "number", isWhole: true, default: 7, minimum: 1)
      if isAbroad {
        Picker("Country", name: "country", choices: ["FR", "NO"], default: "NO")
      } else {
        Toggle("Remember this", name: "remember", isRequired: false, default: true)
      }
      for index in 1...2 { NumberField(name: "weight\(index)", maximum: 2.5) }
      Picker("Size", name: "size", of: Size.self, default: .large)
      SecureField("Door code", name: "code", length: 4...8)
    }
  }

  @Test(arguments: [true, false])
  func `round-trips a form through its JSON and its Codable encoding`(isAbroad: Bool) throws {
    let form = form(isAbroad: isAbroad)
    #expect(try FormSchema(json: JSONValue(parsing: form.json.bytes)) == form)
    #expect(try JSONValue(encoding: form).decode(FormSchema.self) == form)
    #expect(form.hasSecret)
  }

  @Test func `describes each field's constraints in the schema`() {
    let properties = form(isAbroad: true).properties
    #expect(properties.map(\.name) == ["street", "number", "country", "weight1", "weight2", "size", "code"])
    #expect(
      properties[0]
        == FormSchema.Property(
          name: "street", kind: .string, title: "Street", isRequired: true, defaultValue: "Hill Road", minimumLength: 1,
          maximumLength: 100, pattern: "[A-Z]"))
    #expect(
      properties[1]
        == FormSchema.Property(
          name: "number", kind: .integer, title: "House number", isRequired: true, defaultValue: 7, minimum: JSONValue.Number(1)
        ))
    #expect(properties[5].choices == ["small", "large"])
    #expect(properties[5].defaultValue == "large")
  }

  @Test func `omits a number that JSON cannot represent`() {
    let field = NumberField(name: "n", default: .nan, minimum: -.infinity, maximum: 1)
    #expect(field.property == FormSchema.Property(name: "n", kind: .number, isRequired: true, maximum: JSONValue.Number(1)))
    #expect(field.property.label == "n")
  }

  @Test func `fails to decode a form from an invalid schema`() {
    #expect(throws: DecodingError.self) { try JSONValue("{}").decode(FormSchema.self) }
  }
}
