import TestSupport
import Testing

@testable import RouterCore

struct MarkdownTests {
  /// The text's blocks in one line each, with the styles in braces.
  private func drawn(_ text: String) -> [String] {
    Markdown.blocks(of: text).map { block in
      let runs = block.runs.map { run in
        run.styles.isEmpty ? run.text : "{\(run.styles.map(\.rawValue).joined(separator: "+")):\(run.text)}"
      }
      let level = block.level == 0 ? "" : "\(block.level)"
      return "\(block.kind.rawValue)\(level) \(block.label.map { "[\($0)] " } ?? "")\(runs.joined())"
    }
  }

  @Test func `paragraphs keep their line breaks`() {
    #expect(drawn("one\ntwo\n\n\nthree") == ["paragraph one\ntwo", "paragraph three"])
    #expect(drawn("") == [])
  }

  @Test func `headings, items and code are told apart`() {
    #expect(
      drawn("# Title\n- one\n  more\n- two\n  - deep\n10. ten\n\n```sh\nrm *\n\n  x\n```\nend") == [
        "heading Title", "item [•] one\nmore", "item [•] two", "item1 [•] deep", "item [10.] ten", "code rm *\n\n  x",
        "paragraph end",
      ])
    #expect(drawn("~~~diff\n-a\n+b\n~~~") == ["code {removed:-a\n}{added:+b}"])
    // A fence that nobody closes goes on to the end.
    #expect(drawn("```\n# a\n**b**") == ["code # a\n**b**"])
    #expect(drawn("#no\n-no\n---\n1.no") == ["paragraph #no\n-no\n---\n1.no"])
  }

  @Test(arguments: [
    ("*a* **b** _c_ __d__ ***e***", "{emphasis:a} {strong:b} {emphasis:c} {strong:d} {strong+emphasis:e}"),
    ("**a *b* c**", "{strong:a }{strong+emphasis:b}{strong: c}"),
    ("a_name and a*b*c, 2 * 3 * 4", "a_name and a*b*c, 2 * 3 * 4"),
    ("rm *.o *.c **", "rm *.o *.c **"),
    ("*open and **half**", "*open and {strong:half}"),
    ("`*a*` and ``b`c`` and `d", "{code:*a*} and {code:b`c} and `d"),
    ("\\*a\\* \\x", "*a* \\x"),
    ("[text](https://example.org/a_(b)) [no] [x](a b)", "text <{address:https://example.org/a_(b)}> [no] [x](a b)"),
    ("[https://bank.example](https://evil.example)", "https://bank.example <{address:https://evil.example}>"),
    ("![image](file:///x) <b>bold</b> <script>", "!image <{address:file:///x}> <b>bold</b> <script>"),
    ("`a\u{200B}b`", "{code:a}{code+mark:\\u{200B}}{code:b}"),
  ])
  func `words are styled, and everything else is text`(text: String, shown: String) {
    #expect(drawn(text) == ["paragraph " + shown])
  }

  @Test func `no text is lost but marks`() {
    let seed = UInt64.random(in: 0...(.max))
    var random = SplitMix64(seed: seed)
    let pieces = [
      "*", "**", "_", "`", "``", "[", "]", "(", ")", "](", "\\", "\n", "- ", "# ", "```\n", "a", "ü", " ", "x y", "1. ",
    ]
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0...30, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
      func letters(_ text: String) -> String { text.filter { "aüxy".contains($0) } }
      // What stands behind the mark of fenced code says which language it is.
      guard !text.contains("```") else { continue }
      #expect(
        letters(Markdown.blocks(of: text).map(\.text).joined()) == letters(text), "seed \(seed): \(text.debugDescription)")
    }
  }

  @Test(.timeLimit(.minutes(10)), arguments: ["*a ", "**a", "[", "[](", "`a``b```c", "_a_ *", "- ", "```\n", "***a***", "\\"])
  func `a long text takes time in its length, not in its square`(piece: String) {
    #expect(!Markdown.blocks(of: String(repeating: piece, count: 65_536 / piece.utf8.count)).isEmpty)
  }
}
