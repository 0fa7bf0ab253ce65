import OrderedCollections
import RouterCore
import Testing

struct NullableFieldTests {
  private static func schema(_ property: String, required: String = "") throws -> FormSchema {
    try FormSchema(
      json: JSONValue(parsing: #"{"type":"object","properties":{"f":\#(property)},"required":[\#(required)]}"#))
  }

  @Test(arguments: [#"{"type":["string","null"],"minLength":2,"default":null}"#, #"{"type":["null","string"],"minLength":2}"#])
  func `treats null as an empty field`(property: String) throws {
    let schema = try Self.schema(property)
    try schema.check(["f": .null])
    try schema.check([:])
    try schema.check(["f": "ab"])
    #expect(throws: JSONError("must have at least 2 characters", at: "/f")) { try schema.check(["f": "a"]) }
    #expect(schema.properties == [FormSchema.Property(name: "f", kind: .string, isNullable: true, minimumLength: 2)])
    #expect(try schema.read(typed: ["f": ""]).answer == [:])
  }

  @Test func `answers an empty required nullable field with null`() throws {
    let schema = try Self.schema(#"{"type":["integer","null"]}"#, required: #""f""#)
    #expect(try schema.read(typed: [:]).answer == ["f": .null])
    #expect(try schema.read(typed: ["f": "7"]).answer == ["f": 7])
    try schema.check(["f": .null])
    // The answer must satisfy the requester's schema.
    #expect(throws: JSONError("is required", at: "/f")) { try schema.check([:]) }
    let field = try #require(PromptDescription(PresentationRequest(kind: .sheet, sheet: "s", schema: schema)).fields.first)
    #expect(!field.isRequired)
  }

  @Test func `accepts null in an enumeration only if it lists null`() throws {
    let nullable = try Self.schema(#"{"type":["string","null"],"enum":[null,"a","b"]}"#)
    try nullable.check(["f": .null])
    #expect(nullable.properties[0].choices == ["a", "b"])
    let strict = try Self.schema(#"{"type":["string","null"],"enum":["a","b"]}"#)
    #expect(throws: JSONError("must be text", at: "/f")) { try strict.check(["f": .null]) }
  }

  @Test(
    arguments: [
      (
        #"{"anyOf":[{"type":"string","maxLength":9},{"type":"null"}],"default":null,"title":"Name"}"#,
        #"{"type":["string","null"],"title":"Name","maxLength":9}"#
      ),
      (#"{"anyOf":[{"type":"null"},{"type":"integer","minimum":1}]}"#, #"{"type":["integer","null"],"minimum":1}"#),
      (
        #"{"anyOf":[{"enum":["a","b"],"type":"string"},{"type":"null"}]}"#, #"{"type":["string","null"],"enum":["a","b",null]}"#
      ),
    ])
  func `reads pydantic's anyOf of a type and null as a nullable field`(written: String, meant: String) throws {
    let schema = try Self.schema(written)
    #expect(schema == (try Self.schema(meant)))
    try schema.check(["f": .null])
  }

  @Test(
    arguments: [
      #"{"anyOf":[{"type":"string"},{"type":"integer"}]}"#, #"{"anyOf":[{"type":"string"}]}"#,
      #"{"anyOf":[{"type":"string"},{"type":"null"}],"type":"string"}"#,
      #"{"anyOf":[{"type":"string","minLength":2},{"type":"null"}],"minLength":1}"#,
      #"{"anyOf":[{"type":"array"},{"type":"null"}]}"#,
    ])
  func `rejects any other union of types`(property: String) {
    #expect(throws: JSONError.self) { try Self.schema(property) }
  }

  @Test func `round-trips a nullable field`() throws {
    let text = """
      {"type":"object","properties":{"f":{"type":["string","null"],"format":"date"},\
      "g":{"type":["number","null"],"enum":[1,2,null]},"h":{"type":["boolean","null"]}},"required":["g"]}
      """
    let schema = try FormSchema(json: JSONValue(parsing: text))
    #expect(schema.json.description == text)
  }
}
