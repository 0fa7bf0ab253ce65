import Router
import Testing

struct TextStateTests {
  @Test func `texts are equal when they read and look the same`() {
    #expect(TextState("ab") == TextState("a") + TextState("") + TextState("b"))
    #expect(TextState("ab").bold() == TextState("a").bold() + TextState("b").bold())
    #expect(TextState("a").bold().italic() == TextState("a").italic().bold())
    #expect(TextState("a").bold() != "a")
    #expect(TextState("a").bold().bold(false) == "a")
    #expect(TextState("").bold() == "")
    #expect(Set([TextState("ab"), "a" + "b", TextState("a") + "b"]).count == 1)
  }

  @Test func `styles go to the whole text and add up`() {
    let text = (TextState("a").bold() + "b").italic().strikethrough().monospaced()
    #expect(text.runs.map(\.text) == ["a", "b"])
    #expect(
      text.runs.map(\.style) == [[.bold, .italic, .strikethrough, .monospaced], [.italic, .strikethrough, .monospaced]])
  }

  @Test func `a text inside a text keeps its styles`() {
    let name = TextState("notes").bold()
    let text: TextState = "Delete \(name) and \(2) more?"
    #expect(text == TextState("Delete ") + name + TextState(" and 2 more?"))
    #expect(TextState("(\(text))").plainText == "(Delete notes and 2 more?)")
    #expect(String(text) == "Delete notes and 2 more?")
    #expect("\(text)" == "Delete notes and 2 more?")
  }

  @Test func `a text grows at its end`() {
    var text = TextState("a".dropLast())
    #expect(text.isEmpty)
    text += "b"
    text += TextState("c").bold()
    #expect(text.plainText == "bc")
    #expect(text.runs.count == 2)
  }

  @Test(arguments: [TextState(""), "plain", TextState("a").bold() + "b" + TextState("c").italic().monospaced().strikethrough()])
  func `a text is coded and read back`(text: TextState) throws {
    #expect(try JSONValue(encoding: text).decode(TextState.self) == text)
  }

  @Test func `a plain text is coded as a string and a styled one as runs`() throws {
    #expect(try JSONValue(encoding: TextState("a")) == "a")
    #expect(try JSONValue(encoding: TextState("a").bold() + "b") == [["style": ["bold"], "text": "a"], ["text": "b"]])
    #expect(throws: DecodingError.self) { try JSONValue(parsing: #"[{"text":"a","style":["big"]}]"#).decode(TextState.self) }
    #expect(throws: DecodingError.self) { try JSONValue(1).decode(TextState.self) }
  }
}
