import Router
import Testing

@testable import routerctl

struct EditingTests {
  private func edited(_ text: String, _ keys: Key...) -> LineEditor {
    var editor = LineEditor(text)
    for key in keys { _ = editor.handle(key) }
    return editor
  }

  @Test func `edits a line at the cursor`() {
    #expect(edited("abc", .left, .text("x")).text == "abxc")
    #expect(edited("abc", .home, .delete).text == "bc")
    #expect(edited("abc", .left, .backspace).text == "ac")
    #expect(edited("one two  ", .deleteWord).text == "one ")
    #expect(edited("one two", .left, .deleteLine).text == "o")
    #expect(edited("abc", .home, .end, .text("d")).text == "abcd")
  }

  @Test func `deletes a combining mark together with its base character`() {
    let editor = edited("", .text("e"), .text("\u{301}"))
    #expect(editor.text == "é")
    #expect(edited(editor.text, .backspace).text == "")
    #expect(edited("👩‍👩‍👧", .backspace).text == "")
  }

  @Test func `pastes text as one line without control characters`() {
    #expect(edited("", .paste("one\ntwo\u{1B}[2J\tthree\n\n")).text == "one two[2J three")
  }

  @Test func `refuses text beyond the limit`() {
    let long = String(repeating: "x", count: LineEditor.maximumBytes)
    #expect(edited("a", .paste(long)).text == "a")
    #expect(edited(long, .text("x")).text == long)
  }

  @Test func `masks a secret with dots around the cursor`() {
    let masked = edited("secret", .left, .left).masked
    #expect((masked.before, masked.after) == ("••••", "••"))
  }

  @Test func `jumps in a short list, and filters a long one`() {
    var short = ChoiceList(["Apple", "Banana", "Avocado"])
    short.type("a")
    #expect(short.selected == 0)
    short.type("A")
    #expect(short.selected == 2)
    #expect(short.matches == [0, 1, 2])

    var long = ChoiceList((1...20).map { "City \($0)" }, selected: 3)
    for text in ["t", "y", " ", "2"] { long.type(text) }
    #expect(long.matches == [1, 19])
    #expect(long.selected == 1)
    long.move(by: 1)
    long.move(by: 1)
    #expect(long.selected == 19)
    let hasErased = long.erase()
    #expect(hasErased)
    #expect(long.matches.count == 20)
    long.type("none")
    #expect(long.matches == [])
    #expect(long.selected == nil)
  }
}
