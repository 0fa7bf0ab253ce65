import RouterCore
import Testing

struct FormFormatTests {
  @Test(
    arguments: [
      (.email, "a@b"), (.email, "Jo.O'Neill+x@mail.example.com"), (.email, "a@xn--bcher-kva.example"),
      (.uri, "https://example.com"), (.uri, "HTTP://u:p@example.com:8080/a/b;c?d=e&f#g?h"), (.uri, "mailto:a@b.c"),
      (.uri, "urn:isbn:0451450523"), (.uri, "file:///etc/hosts"), (.uri, "http://[2001:db8::1]:80/"),
      (.uri, "a+b-c.1:%41%2f"), (.uri, "x:"),
      (.date, "2026-11-23"), (.date, "2024-02-29"), (.date, "0000-01-01"),
      (.dateTime, "2026-11-23T14:30:00Z"), (.dateTime, "1985-04-12t23:20:50.52z"), (.dateTime, "1996-12-19T16:39:57-08:00"),
      (.dateTime, "1990-12-31T23:59:60Z"), (.dateTime, "1990-12-31T15:59:60-08:00"), (.password, "any\nthing"),
    ] as [(FormSchema.Property.Format, String)])
  func `accepts text in its format`(format: FormSchema.Property.Format, text: String) {
    #expect(format.matches(text))
  }

  @Test(
    arguments: [
      (.email, ""), (.email, "a"), (.email, "a@"), (.email, "@b"), (.email, "a@b@c"), (.email, "a..b@c"), (.email, ".a@c"),
      (.email, "a b@c"), (.email, "a@-b"), (.email, "a@b."), (.email, "a@b_c"), (.email, "\"a b\"@c"),
      (.email, "a@[127.0.0.1]"),
      (.email, "é@b"), (.email, "a@b\n"), (.email, "a@" + String(repeating: "b", count: 64)),
      (.email, String(repeating: "a", count: 65) + "@b"),
      (.email, "a@" + Array(repeating: String(repeating: "b", count: 63), count: 4).joined(separator: ".")),
      (.uri, ""), (.uri, "example.com"), (.uri, "/a"), (.uri, "://a"), (.uri, "1a:b"), (.uri, "a b:c"), (.uri, "https://a b"),
      (.uri, "https://a/%4"), (.uri, "https://a/%zz"), (.uri, "https://a/#b#c"), (.uri, "https://a/[b]"),
      (.uri, "https://[::1"), (.uri, "https://[]"), (.uri, "https://a:b/"), (.uri, "https://a@b@c"), (.uri, "https://é"),
      (.uri, "https://a/\\"), (.uri, "https://a\n"), (.uri, "https://[::1]x"),
      (.date, ""), (.date, "2026-02-29"), (.date, "2026-13-01"), (.date, "2026-1-1"), (.date, "23.11.2026"),
      (.date, "2026-11-23T00:00:00Z"), (.date, "2026-11-23 "), (.date, "٢٠٢٦-١١-٢٣"),
      (.dateTime, "2026-11-23"), (.dateTime, "2026-11-23T14:30:00"), (.dateTime, "2026-11-23 14:30:00Z"),
      (.dateTime, "2026-11-23T24:00:00Z"), (.dateTime, "2026-11-23T14:30Z"), (.dateTime, "2026-11-23T14:30:60Z"),
      (.dateTime, "1990-12-31T23:59:61Z"), (.dateTime, "2026-11-23T14:30:00+24:00"),
    ] as [(FormSchema.Property.Format, String)])
  func `rejects text that is not in its format`(format: FormSchema.Property.Format, text: String) {
    #expect(!format.matches(text))
  }

  @Test(
    arguments: [
      ("email", "must be an email address"), ("uri", "must be a URI, such as https://example.com"),
      ("date", "must be a date, such as 2026-11-23"),
      ("date-time", "must be a date and time with its time zone, such as 2026-11-23T14:30:00Z"),
    ])
  func `checks an answer against each format that MCP names`(format: String, problem: String) throws {
    let text = #"{"type":"object","properties":{"f":{"type":"string","format":"\#(format)"}}}"#
    let schema = try FormSchema(json: JSONValue(parsing: text))
    #expect(schema.json.description == text)
    #expect(throws: JSONError(problem, at: "/f")) { try schema.check(["f": "x y"]) }
    #expect(schema.properties[0].read(typed: "x y") == .problem(problem))
    let field = try #require(PromptDescription(PresentationRequest(kind: .sheet, sheet: "s", schema: schema)).fields.first)
    #expect(field.control == .text)
    #expect(field.hint.map { "must be " + $0 } == problem)
  }

  @Test func `ignores the extra keywords that pydantic and zod emit`() throws {
    let text = """
      {"$schema":"https://json-schema.org/draft/2020-12/schema","title":"Login","type":"object","additionalProperties":false,
      "$comment":"c","examples":[{}],"properties":{
      "user":{"title":"User","type":"string","description":"d","examples":["ada"],"deprecated":true,"$comment":"c"},
      "pin":{"title":"Pin","type":"string","format":"password","writeOnly":true}},"required":["user","pin"]}
      """
    let schema = try FormSchema(json: JSONValue(parsing: text))
    #expect(
      schema
        == FormSchema(
          title: "Login",
          properties: [
            FormSchema.Property(name: "user", kind: .string, title: "User", description: "d", isRequired: true),
            FormSchema.Property(name: "pin", kind: .string, title: "Pin", isRequired: true, format: .password),
          ]))
  }
}
