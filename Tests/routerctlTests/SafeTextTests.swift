import Router
import RouterTesting
import TestSupport
import Testing

@testable import routerctl

struct SafeTextTests {
  @Test(.timeLimit(.minutes(10)))
  func `escapes a long text in linear time`() {
    let text = String(repeating: "\u{202E}\u{200B}", count: 500_000)
    #expect(text.escapedForTerminal() == String(repeating: "\\u{202E}\\u{200B}", count: 500_000))
  }

  @Test(arguments: [
    ("plain ü 🦉 한", "plain ü 🦉 한"),
    ("\u{1B}[31mred", "\\u{1B}[31mred"),
    ("\u{9B}2J", "\\u{9B}2J"),
    ("a\rb\tc\u{7F}\u{0}", "a\\u{D}b\\u{9}c\\u{7F}\\u{0}"),
    ("\u{202E}gpj.exe\u{2066}", "\\u{202E}gpj.exe\\u{2066}"),
    ("a\u{2028}b\u{200B}c\u{FEFF}", "a\\u{2028}b\\u{200B}c\\u{FEFF}"),
    ("\u{E0041}\u{E000}", "\\u{E0041}\\u{E000}"),
    ("👩\u{200D}💻", "👩\u{200D}💻"),
  ])
  func `escapes what a terminal would interpret`(text: String, shown: String) {
    #expect(text.escapedForTerminal() == shown)
  }

  @Test func `keeps line breaks only if requested`() {
    #expect("a\nb".escapedForTerminal() == "a\\u{A}b")
    #expect("a\nb".escapedForTerminal(keepsNewlines: true) == "a\nb")
  }

  @Test(arguments: [("", 0), ("abc", 3), ("ü", 1), ("e\u{301}", 1), ("한글", 4), ("🦉", 2), ("──", 2)])
  func `counts terminal columns`(text: String, columns: Int) {
    #expect(text.columns == columns)
  }

  @Test(arguments: [
    ("one two three", 7, ["one two", "three"]),
    ("one two three", 8, ["one two", "three"]),
    ("abcdefgh", 3, ["abc", "def", "gh"]),
    ("a\n\nb", 5, ["a", "", "b"]),
    ("한글한글", 5, ["한글", "한글"]),
    ("a bcde한", 6, ["a", "bcde한"]),
    ("a bcdef한", 6, ["a", "bcdef", "한"]),
    ("a bcdef b", 6, ["a", "bcdef", "b"]),
    ("", 5, [""]),
  ])
  func `wraps text at spaces, or anywhere if necessary`(text: String, columns: Int, lines: [String]) {
    #expect(text.wrapped(to: columns) == lines)
  }

  @Test func `wraps no line beyond the limit`() {
    let seed = UInt64.random(in: 0...(.max))
    var random = SplitMix64(seed: seed)
    let parts = ["a", " ", "한", "\n", "🦉", "word", "e\u{301}", "──", "👩‍👩‍👧"]
    for _ in 0..<500 {
      let text = (0..<40).map { _ in parts.randomElement(using: &random)! }.joined()
      // The widest of these takes six columns.
      let columns = Int.random(in: 6...20, using: &random)
      for line in text.wrapped(to: columns) {
        #expect(line.columns <= columns, "seed \(seed): \(text.debugDescription) to \(columns)")
      }
    }
  }

  @Test(arguments: [("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("한글한글", 5, "한글…")])
  func `truncates text with an ellipsis`(text: String, columns: Int, shown: String) {
    #expect(text.cut(to: columns) == shown)
  }
}
