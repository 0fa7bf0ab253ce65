import OrderedCollections
import Testing

@testable import RouterCore

/// Fields in which a person picks several of a list, as in MCP's elicitation, and choices with titles.
struct MultipleChoiceTests {
  private static func schema(_ property: String, required: String = "") throws -> FormSchema {
    try FormSchema(
      json: JSONValue(parsing: #"{"type":"object","properties":{"f":\#(property)},"required":[\#(required)]}"#))
  }

  private static let colors = #""type":"array","items":{"type":"string","enum":["red","green","blue"]}"#
  private static let titled = #"{"const":"a","title":"Apple"},{"const":"b","title":"Berry, red"}"#

  @Test(
    arguments: [
      ("", "[]", nil), ("", #"["blue","red"]"#, nil), (#","minItems":2"#, #"["red","blue"]"#, nil),
      ("", #""red""#, "must be an array of the choices"), ("", "{}", "must be an array of the choices"),
      ("", "null", "must be an array of the choices"), ("", #"["red","pink"]"#, "must be some of the choices"),
      ("", "[1]", "must be some of the choices"), ("", #"[["red"]]"#, "must be some of the choices"),
      ("", #"["red","red"]"#, "must have each choice once"),
      (#","minItems":1"#, "[]", "must have at least 1 choice"),
      (#","minItems":2"#, #"["red"]"#, "must have at least 2 choices"),
      (#","maxItems":1"#, #"["red","blue"]"#, "must have at most 1 choice"),
      (#","maxItems":2"#, #"["red","blue","green"]"#, "must have at most 2 choices"),
    ] as [(String, String, String?)])
  func `reports what is wrong with an array`(keywords: String, value: String, problem: String?) throws {
    let schema = try Self.schema("{\(Self.colors)\(keywords)}")
    let answer: JSONValue = ["f": try JSONValue(parsing: value)]
    guard let problem else { return try schema.check(answer) }
    #expect(throws: JSONError(problem, at: "/f")) { try schema.check(answer) }
  }

  @Test func `a required array may be empty, but not absent`() throws {
    let schema = try Self.schema("{\(Self.colors)}", required: #""f""#)
    try schema.check(["f": []])
    #expect(throws: JSONError("is required", at: "/f")) { try schema.check([:]) }
    #expect(try schema.read(typed: [:]).answer == ["f": []])
    let least = try Self.schema("{\(Self.colors),\"minItems\":1}", required: #""f""#)
    #expect(throws: JSONError("is required", at: "/f")) { try least.check(["f": []]) }
    #expect(try least.read(typed: ["f": "[]"]).problems == ["f": "is required"])
    let optional = try Self.schema("{\(Self.colors),\"minItems\":2}")
    #expect(try optional.read(typed: ["f": "[]"]).answer == [:])
  }

  @Test(
    arguments: [
      (#"{"type":"array"}"#, "items"), (#"{"type":"array","items":{}}"#, "items/enum"),
      (#"{"type":"array","items":{"type":"string"}}"#, "items/enum"),
      (#"{"type":"array","items":{"type":"number","enum":[1]}}"#, "items/type"),
      (#"{"type":"array","items":{"enum":[1]}}"#, "items/enum/0"), (#"{"type":"array","items":{"enum":[]}}"#, "items/enum"),
      (#"{"type":"array","items":{"enum":["a","a"]}}"#, "items/enum"),
      (#"{"type":"array","items":{"enum":["a","a\u200b"]}}"#, "items/enum/1"),
      (#"{"type":"array","items":{"enum":["a","\u001b[2J"]}}"#, "items/enum/1"),
      (#"{"type":"array","items":{"enum":["a"],"minLength":1}}"#, "items/minLength"),
      (#"{"type":"array","items":{"anyOf":[{"title":"A"}]}}"#, "items/anyOf/0/const"),
      (#"{"type":"array","items":{"anyOf":[{"const":"a","title":""}]}}"#, "items/anyOf/0/title"),
      (#"{"type":"array","items":{"anyOf":[{"const":"a","title":"\u202e"}]}}"#, "items/anyOf/0/title"),
      (#"{"type":"array","items":{"anyOf":[{"const":"\u202e","title":"A"}]}}"#, "items/anyOf/0/const"),
      (#"{"type":"array","items":{"anyOf":[{"const":"a","title":"A"},{"const":"b","title":"A "}]}}"#, "items/anyOf/1/title"),
      (#"{"type":"array","items":{"anyOf":[{"const":"a","title":"A"},{"const":"a","title":"B"}]}}"#, "items/anyOf"),
      (#"{"type":"array","items":{"anyOf":[{"const":"a","pattern":"A"}]}}"#, "items/anyOf/0/pattern"),
      ("{\(colors),\"enum\":[\"a\"]}", "enum"), ("{\(colors),\"uniqueItems\":false}", "uniqueItems"),
      ("{\(colors),\"minLength\":1}", "minLength"), ("{\(colors),\"contains\":{}}", "contains"),
      ("{\(colors),\"minItems\":-1}", "minItems"), ("{\(colors),\"minItems\":4}", "minItems"),
      ("{\(colors),\"minItems\":2,\"maxItems\":1}", "minItems"), ("{\(colors),\"default\":\"red\"}", "default"),
      ("{\(colors),\"default\":[\"pink\"]}", "default"), (#"{"type":"string","minItems":1}"#, "minItems"),
      (#"{"type":"string","items":{"enum":["a"]}}"#, "items"),
      (#"{"type":"string","oneOf":[{"const":1}]}"#, "oneOf/0/const"), (#"{"type":"boolean","oneOf":[{"const":true}]}"#, "enum"),
    ])
  func `rejects an invalid array and names the keyword`(property: String, keyword: String) throws {
    let json = try JSONValue(parsing: #"{"type":"object","properties":{"f":\#(property)}}"#)
    #expect(#expect(throws: JSONError.self) { try FormSchema(json: json) }?.pointer == "/properties/f/" + keyword)
  }

  @Test(
    arguments: [
      (
        "{\(colors)}",
        #"{"type":"array","items":{"type":"string","enum":["red","green","blue"]},"uniqueItems":true}"#
      ),
      (
        #"{"type":"array","title":"T","description":"D","items":{"type":"string","enum":["a"]},"minItems":0,"maxItems":1,"uniqueItems":true,"default":["a"]}"#,
        nil
      ),
      (
        #"{"type":"array","items":{"oneOf":[\#(titled)]}}"#,
        #"{"type":"array","items":{"type":"string","anyOf":[\#(titled)]},"uniqueItems":true}"#
      ),
      (
        #"{"anyOf":[{"type":"array","items":{"enum":["a"]}},{"type":"null"}]}"#,
        #"{"type":["array","null"],"items":{"type":"string","enum":["a"]},"uniqueItems":true}"#
      ),
      (#"{"oneOf":[\#(titled)]}"#, #"{"type":"string","oneOf":[\#(titled)]}"#),
      (
        #"{"anyOf":[{"type":"string","oneOf":[{"const":"a"}]},{"type":"null"}]}"#,
        #"{"type":["string","null"],"oneOf":[{"const":"a","title":"a"},{"const":null,"title":"None"}]}"#
      ),
    ] as [(String, String?)])
  func `round-trips arrays and titles`(written: String, meant: String?) throws {
    let schema = try Self.schema(written)
    #expect(schema.json["properties"]?["f"]?.description == meant ?? written)
    #expect(try FormSchema(json: schema.json) == schema)
  }

  @Test(
    arguments: [
      ("", "[]"), ("[]", "[]"), ("green", #"["green"]"#), (" blue , red ,", #"["red","blue"]"#), ("red,red", #"["red"]"#),
      (#"["blue","red"]"#, #"["red","blue"]"#), ("1", nil), ("pink", nil), (#"["pink"]"#, nil), ("[1]", nil), ("{}", nil),
    ] as [(String, String?)])
  func `reads typed choices in the order of the list`(text: String, answer: String?) throws {
    let read = try Self.schema("{\(Self.colors)}").read(typed: ["f": text])
    #expect(read.answer?["f"]?.description == answer)
    #expect(read.problems == (answer == nil ? ["f": "must be some of the choices"] : [:]))
  }

  @Test func `shows titles and answers with values`() throws {
    let schema = try Self.schema(#"{"type":"array","items":{"anyOf":[\#(Self.titled)]},"default":["b"]}"#)
    let property = schema.properties[0]
    #expect(property.labels(of: ["b", "a"]) == ["Berry, red", "Apple"])
    #expect(property.labels(of: ["c"]) == nil)
    #expect(try schema.read(typed: ["f": "Apple"]).answer == ["f": ["a"]])
    let field = try #require(PromptDescription(PresentationRequest(kind: .sheet, sheet: "s", schema: schema)).fields.first)
    #expect(field.control == .multipleChoice && !field.isRequired)
    #expect(field.choices == ["a", "b"] && field.choiceLabels == ["Apple", "Berry, red"])
    #expect(field.start == #"["b"]"#)
    let single = try Self.schema(#"{"oneOf":[\#(Self.titled)]}"#)
    #expect(try single.read(typed: ["f": "Berry, red"]).answer == ["f": "b"])
    #expect(try single.read(typed: ["f": "b"]).answer == ["f": "b"])
  }

  @Test func `takes ten thousand choices of an array, and 256 of an enumeration`() throws {
    func schema(_ kind: FormSchema.Property.Kind, _ count: Int) throws -> FormSchema {
      let choices = (1...count).map { JSONValue.string("\($0)") }
      return try FormSchema(json: FormSchema(properties: [FormSchema.Property(name: "f", kind: kind, choices: choices)]).json)
    }
    let many = try schema(.array, 10_000)
    let all = JSONValue.array(try #require(many.properties[0].choices))
    try many.check(["f": all])
    #expect(try many.read(typed: ["f": all.description]).answer == ["f": all])
    #expect(throws: JSONError("must have 1 to 10000 different values", at: "/properties/f/items/enum")) {
      try schema(.array, 10_001)
    }
    _ = try schema(.string, 256)
    #expect(throws: JSONError.self) { try schema(.string, 257) }
  }

  @Test func `a form built in Swift needs choices for an array, and a title for each`() {
    let none = FormSchema(properties: [FormSchema.Property(name: "f", kind: .array)])
    var budget = FormBudget()
    #expect(throws: JSONError("is missing", at: "/properties/f/items")) { try none.checkForm(at: "", within: &budget) }
    let field = FormSchema.Property(name: "f", kind: .array, choices: ["a", "b"], choiceTitles: ["A"])
    #expect(field.choiceLabels == ["a", "b"])
    #expect(throws: JSONError("must have a title for each value", at: "/properties/f/items/anyOf")) {
      try FormSchema(properties: [field]).checkForm(at: "", within: &budget)
    }
  }
}
