import RouterCore
import Testing

struct FormCodingTests {
  @Test func `round-trips a form through its JSON and its Codable encoding`() throws {
    let form = FormSchema(
      title: "Where to?", description: "For the parcel",
      properties: [
        FormSchema.Property(
          name: "street", kind: .string, title: "Street", isRequired: true, defaultValue: "Hill Road", minimumLength: 1,
          maximumLength: 100, pattern: "[A-Z]"),
        FormSchema.Property(name: "number", kind: .integer, defaultValue: 7, minimum: JSONValue.Number(1)),
        FormSchema.Property(name: "size", kind: .string, defaultValue: "large", choices: ["small", "large"]),
        FormSchema.Property(name: "code", kind: .string, minimumLength: 4, maximumLength: 8, format: .password),
      ])
    #expect(try FormSchema(json: JSONValue(parsing: form.json.bytes)) == form)
    #expect(try JSONValue(encoding: form).decode(FormSchema.self) == form)
    #expect(form.hasSecret)
  }

  @Test func `fails to decode a form from an invalid schema`() {
    #expect(throws: DecodingError.self) { try JSONValue("{}").decode(FormSchema.self) }
  }
}
