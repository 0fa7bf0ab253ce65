import OrderedCollections
import Testing

@testable import RouterCore

// Promise P37.
struct FormSchemaTests {
  private static func schema(_ property: String, required: String = "[]") -> String {
    #"{"type":"object","properties":{"f":\#(property)},"required":\#(required)}"#
  }

  @Test(
    arguments: [
      (#"{"type":"string"}"#, #""any""#, nil), (#"{"type":"string"}"#, "1", "must be text"),
      (#"{"type":"string","minLength":2}"#, #""a""#, "must have at least 2 characters"),
      (#"{"type":"string","minLength":2}"#, #""e\u0301""#, nil),
      (#"{"type":"string","maxLength":2}"#, #""abc""#, "must have at most 2 characters"),
      (#"{"type":"string","maxLength":1}"#, #""😀""#, nil),
      (#"{"type":"string","pattern":"b+"}"#, #""abbc""#, nil),
      (#"{"type":"string","pattern":"^b+$"}"#, #""abbc""#, "must match ^b+$"),
      (#"{"type":"string","pattern":"^a$"}"#, #""a\n""#, "must match ^a$"),
      (#"{"type":"string","enum":["a","b"]}"#, #""b""#, nil),
      (#"{"enum":["a","b"]}"#, #""c""#, "must be one of the choices"),
      (#"{"type":"boolean"}"#, "false", nil), (#"{"type":"boolean"}"#, "0", "must be true or false"),
      (#"{"type":"boolean"}"#, "null", "must be true or false"),
      (#"{"type":"integer"}"#, "3.0", nil), (#"{"type":"integer"}"#, "3.5", "must be a whole number"),
      (#"{"type":"integer"}"#, #""3""#, "must be a whole number"), (#"{"type":"integer"}"#, "1e400", "must be a whole number"),
      (#"{"type":"number"}"#, "3.5", nil), (#"{"type":"number"}"#, "true", "must be a number"),
      (#"{"type":"number","minimum":0.5}"#, "0.4", "must be at least 0.5"),
      (#"{"type":"number","maximum":1}"#, "1e400", "must be at most 1"), (#"{"type":"number","maximum":1}"#, "1", nil),
      (#"{"type":"integer","minimum":9007199254740993}"#, "9007199254740992", "must be at least 9007199254740993"),
      (#"{"type":"integer","maximum":9007199254740992}"#, "9007199254740993", "must be at most 9007199254740992"),
      (#"{"type":"number","maximum":9007199254740993}"#, "9007199254740993", nil),
      (#"{"type":"integer","minimum":2.5}"#, "2", "must be at least 2.5"), (#"{"type":"integer","minimum":2.5}"#, "3", nil),
      (#"{"type":"number","minimum":1.0}"#, "1", nil), (#"{"type":"number","minimum":-1e400}"#, "-5", nil),
      (#"{"type":"integer","enum":[1,2]}"#, "1.0", nil),
      (#"{"type":"integer","enum":[9007199254740993]}"#, "9007199254740992", "must be one of the choices"),
    ] as [(String, String, String?)])
  func `reports what is wrong with a field's value`(property: String, value: String, problem: String?) throws {
    let schema = try FormSchema(json: JSONValue(parsing: Self.schema(property)))
    let answer: JSONValue = ["f": try JSONValue(parsing: value)]
    guard let problem else { return try schema.check(answer) }
    #expect(throws: JSONError(problem, at: "/value/f")) { try schema.check(answer, at: "/value") }
  }

  @Test func `rejects missing required fields and unknown fields`() throws {
    let schema = try FormSchema(
      json: JSONValue(parsing: Self.schema(#"{"type":"string","minLength":1}"#, required: #"["f"]"#)))
    try schema.check(["f": "a"])
    #expect(throws: JSONError("is required", at: "/f")) { try schema.check([:]) }
    #expect(throws: JSONError("is required", at: "/f")) { try schema.check(["f": ""]) }
    #expect(throws: JSONError("is not a field of the form", at: "/g~1h")) { try schema.check(["f": "a", "g/h": 1]) }
    #expect(throws: JSONError("must be an object, not a string")) { try schema.check("a") }
  }

  @Test func `keeps a secret value out of its error message`() throws {
    let schema = try FormSchema(
      json: JSONValue(parsing: Self.schema(#"{"type":"string","format":"password","maxLength":2}"#)))
    #expect(schema.hasSecret)
    let error = #expect(throws: JSONError.self) { try schema.check(["f": "hunter2"]) }
    #expect(error?.description.contains("hunter2") == false)
  }

  @Test(
    arguments: [
      (#"{}"#, "/type"), (#"{"type":"object"}"#, "/properties"), (#"{"type":"object","properties":[]}"#, "/properties"),
      (#"{"type":"object","properties":{},"oneOf":[]}"#, "/oneOf"),
      (#"{"type":"object","properties":{},"additionalProperties":true}"#, "/additionalProperties"),
      (#"{"type":"object","properties":{},"additionalProperties":{}}"#, "/additionalProperties"),
      (#"{"type":"object","properties":{},"minProperties":1}"#, "/minProperties"),
      (#"{"type":"object","properties":{},"required":["f"]}"#, "/required/0"),
      (#"{"type":"object","properties":{},"required":[1]}"#, "/required/0"),
      (#"{"type":"object","properties":{"":{"type":"string"}}}"#, "/properties/"),
      (#"{"type":"object","properties":{"\u0007":{"type":"string"}}}"#, "/properties/\u{7}"),
      (#"{"type":"object","title":"\u001b[2J","properties":{}}"#, "/title"),
      (#"{"type":"object","description":"\u202e","properties":{}}"#, "/description"),
    ])
  func `rejects an invalid schema and names the keyword`(text: String, pointer: String) throws {
    let json = try JSONValue(parsing: text)
    #expect(#expect(throws: JSONError.self) { try FormSchema(json: json) }?.pointer == pointer)
  }

  @Test(
    arguments: [
      (#"{}"#, "type"), (#"{"type":"object"}"#, "type"), (#"{"type":["string","integer"]}"#, "type"),
      (#"{"type":["null"]}"#, "type"), (#"{"type":[]}"#, "type"), (#"{"type":"null"}"#, "type"),
      (#"{"type":["string","null","null"]}"#, "type"), (#"{"type":["string",1]}"#, "type"),
      (#"{"anyOf":[{"type":"string"}],"type":"string"}"#, "anyOf"), (#"{"type":"string","readOnly":true}"#, "readOnly"),
      (#"{"type":"string","exclusiveMinimum":1}"#, "exclusiveMinimum"), (#"{"type":"number","multipleOf":2}"#, "multipleOf"),
      (#"{"type":"string","enum":["a",null]}"#, "enum/1"), (#"{"type":["string","null"],"enum":[null]}"#, "enum"),
      (#"{"type":"string","const":"a"}"#, "const"), (#"{"type":"string","minimum":1}"#, "minimum"),
      (#"{"type":"number","minLength":1}"#, "minLength"), (#"{"type":"number","pattern":"a"}"#, "pattern"),
      (#"{"type":"boolean","enum":[true]}"#, "enum"), (#"{"type":"string","enum":[]}"#, "enum"),
      (#"{"type":"string","enum":["a","a"]}"#, "enum"), (#"{"type":"number","enum":[1,1.0]}"#, "enum"),
      (#"{"type":"string","enum":["a",1]}"#, "enum/1"), (#"{"enum":["a","\u001b"]}"#, "enum/1"),
      (#"{"type":"string","minLength":-1}"#, "minLength"), (#"{"type":"string","minLength":1.5}"#, "minLength"),
      (#"{"type":"string","minLength":3,"maxLength":2}"#, "maxLength"),
      (#"{"type":"number","minimum":3,"maximum":2}"#, "maximum"),
      (#"{"type":"integer","minimum":9007199254740993,"maximum":9007199254740992}"#, "maximum"),
      (#"{"type":"string","pattern":"("}"#, "pattern"),
      (#"{"type":"string","pattern":"\u001b"}"#, "pattern"), (#"{"type":"string","format":"ipv4"}"#, "format"),
      (#"{"type":"integer","format":"email"}"#, "format"), (#"{"type":"string","format":"date","default":"now"}"#, "default"),
      (#"{"type":"string","default":1}"#, "default"), (#"{"type":"string","default":null}"#, "default"),
      (#"{"type":"string","default":"\u001b"}"#, "default"), (#"{"enum":["a"],"default":"b"}"#, "default"),
      (#"{"type":"integer","default":1.5}"#, "default"), (#"{"type":"integer","maximum":1,"default":2}"#, "default"),
      (#"{"type":"boolean","default":"true"}"#, "default"), (#"{"type":"string","title":"\u0000"}"#, "title"),
      (#"{"type":"string","description":"\u0000"}"#, "description"),
    ])
  func `rejects an invalid field and names the keyword`(property: String, keyword: String) throws {
    let json = try JSONValue(parsing: Self.schema(property))
    #expect(#expect(throws: JSONError.self) { try FormSchema(json: json) }?.pointer == "/properties/f/" + keyword)
  }

  @Test func `rejects an unsupported pattern and gives the reason`() throws {
    let json = try JSONValue(parsing: Self.schema(#"{"type":"string","pattern":"^(?=a)b"}"#))
    let reason = "has a look-ahead at character 2, which form patterns do not support"
    #expect(throws: JSONError(reason, at: "/properties/f/pattern")) { try FormSchema(json: json) }
    let schema = FormSchema(properties: [FormSchema.Property(name: "f", kind: .string, pattern: "(?=a)")])
    #expect(throws: JSONError("must match (?=a)", at: "/f")) { try schema.check(["f": "a"]) }
  }

  @Test func `limits the length of a default that a pattern matches`() throws {
    func schema(_ keywords: String, length: Int) throws -> FormSchema {
      let text = String(repeating: "a", count: length)
      return try FormSchema(json: JSONValue(parsing: Self.schema(#"{"type":"string",\#(keywords)"default":"\#(text)"}"#)))
    }
    _ = try schema("", length: 257)
    _ = try schema(#""pattern":"^a+$","#, length: 256)
    let error = JSONError("must have at most 256 bytes", at: "/properties/f/default")
    #expect(throws: error) { try schema(#""pattern":"^a+$","#, length: 257) }
  }

  @Test func `bounds pattern size times text length across all fields before matching`() throws {
    // Every state stays active at each letter, so matching takes the maximum number of steps. The pattern has 200 states.
    let fields = ["a", "b", "c"].map { FormSchema.Property(name: $0, kind: .string, pattern: $0 == "c" ? nil : "(a?){99}$") }
    let schema = FormSchema(properties: fields)
    func answer(_ first: Int, _ second: Int) -> JSONValue {
      let texts = [first, second, 100_000].map { JSONValue.string(String(repeating: "a", count: $0)) }
      return ["a": texts[0], "b": texts[1], "c": texts[2]]
    }
    func why(_ longest: Int) -> String { "must have at most \(longest) characters to be matched with its pattern" }
    let most = FormBudget.maximum / 200
    try schema.check(answer(most - 300, 300))
    #expect(throws: JSONError(why(300), at: "/b")) { try schema.check(answer(most - 300, 301)) }
    #expect(throws: JSONError(why(most), at: "/a")) { try schema.check(answer(1_000_000, 0)) }
  }

  @Test(arguments: [1, 4]) func `checks typed input within the same bound as an answer`(count: Int) throws {
    let names = (0..<count).map { "f\($0)" }
    let schema = FormSchema(
      properties: names.map { FormSchema.Property(name: $0, kind: .string, isRequired: true, pattern: "(.{0,1}){490}c") })
    for length in [1000, 4000, 900_000] {
      let text = String(repeating: "a", count: length)
      var budget = FormBudget()
      let typed = OrderedDictionary(uniqueKeysWithValues: names.map { ($0, text) })
      let problems = try schema.read(typed: typed, within: &budget).problems
      #expect(Array(problems.keys) == names)
      #expect(budget.steps <= 4 * FormBudget.maximum, "\(length): \(budget.steps) steps")
      if length == 900_000 { #expect(budget.steps == 0) }
      guard let said = try TypedForm(fields: typed).checked(against: schema).problems["f0"] else {
        Issue.record("no problem")
        continue
      }
      let answer = JSONValue.object(typed.mapValues(JSONValue.string))
      #expect(throws: JSONError(said, at: "/f0")) { try schema.check(answer) }
    }
  }

  @Test func `round-trips a schema in its field order`() throws {
    let text = """
      {"type":"object","title":"T","description":"D","properties":{\
      "z":{"type":"string","title":"Z","description":"d","minLength":1,"maxLength":5,"pattern":"a","default":"ab"},\
      "a":{"type":"number","minimum":0.10,"maximum":1e3,"default":1.0},\
      "m":{"type":"string","enum":["x","y"],"default":"y"},\
      "b":{"type":"boolean","default":false},"s":{"type":"string","format":"password"}},"required":["z","s"]}
      """
    let schema = try FormSchema(json: JSONValue(parsing: text))
    #expect(schema.json.description == text)
    #expect(schema.properties.map(\.name) == ["z", "a", "m", "b", "s"])
  }
}
