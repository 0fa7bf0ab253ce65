import Router
import RouterTesting
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

  @Test(.timeLimit(.minutes(20))) func `styles reach a presenter of the same process, and neither wire nor log`() async throws {
    let title: TextState = "Delete \(TextState("notes").bold())?"
    let alert = AlertState<Int>(title, message: TextState("For good.").italic()) {
      ButtonState(TextState("Delete").strikethrough(), action: 1)
      ButtonState("Keep", id: "keep")
    }
    try await withTestRouter { router in
      let presenter = router.presenter()
      async let choice = ShowAlertAction()(alert)
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.title == "Delete notes?")
      #expect(shown.request.styledTitle == title)
      #expect(shown.request.styledMessage == TextState("For good.").italic())
      #expect(shown.request.buttons.map(shown.request.styledLabel) == [TextState("Delete").strikethrough(), "Keep"])
      try await presenter.press("b1", on: shown)
      #expect(try await choice == 1)
      let recorded = try #require(try await router.reader.presentation(shown.id))
      #expect(recorded.request.styledTitle == "Delete notes?")
      #expect(try PresentationRequest(json: shown.request.json).styledMessage == "For good.")
    }
  }

  @Test func `styles are no part of what is asked, and a text that is changed has lost its own`() throws {
    var request = PresentationRequest(ConfirmationDialogState<Int>(TextState("One").bold()) { ButtonState("Go", action: 1) })
    #expect(request.styledTitle == TextState("One").bold())
    #expect(try PresentationRequest(json: request.json) == request)
    request.title = "Two"
    #expect(request.styledTitle == "Two")
    #expect(request.styledMessage == nil)
  }
}
