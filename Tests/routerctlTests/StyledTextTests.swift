import Router
import RouterTesting
import TestSupport
import Testing

@testable import routerctl

struct StyledTextTests {
  private static let plain = OutputStyle(isTerminal: true, hasColor: false, width: 24)

  private func lines(
    _ message: String, _ attachments: [PresentationRequest.Attachment] = [], style: OutputStyle = plain
  ) -> [String] {
    var request = PresentationRequest(kind: .alert, title: "T", message: message)
    request.messageFormat = .markdown
    request.attachments = attachments
    return style.text(of: PromptDescription(request)).lines
  }

  @Test func `Markdown is drawn behind the bar, and wraps`() {
    #expect(
      lines("# Why\nIt is `x` and **this is long**.\n- one two three fourth\n- two\n  1. deep") == [
        "│ T", "│", "│ Why", "│", "│ It is `x` and this", "│ is long.", "│", "│ • one two three", "│   fourth", "│ • two",
        "│   1. deep",
      ])
  }

  @Test func `code is shown with every space, and goes on behind an arrow`() {
    #expect(
      lines("m", [PresentationRequest.Attachment(.command, "rm  -rf  a              b\n\u{202E}↳ x\n")]) == [
        "│ T", "│", "│ Command", "│   rm  -rf  a        ", "│ ↳       b", "│   \\u{202E}↳ x", "│ Look twice: hidden",
        "│ characters, rm  -rf", "│ (deletes without", "│ asking)", "│", "│ the program says:", "│   m",
      ])
  }

  @Test func `styles are faces, and none is that of the band`() {
    var style = Self.plain
    style.hasColor = true
    let said = lines("**a b** `c` [d](e)", style: style)
    let lines = lines("", [PresentationRequest.Attachment(.diff, "+x\u{200B}\n-y")], style: style)
    #expect(said[2].hasSuffix(" \u{1B}[1ma b\u{1B}[0m \u{1B}[35mc\u{1B}[0m d <\u{1B}[4me\u{1B}[0m>"))
    #expect(lines[3].hasSuffix("   \u{1B}[32m+x\u{1B}[0m\u{1B}[32;30;43m\\u{200B}\u{1B}[0m"))
    #expect(lines[4].hasSuffix("   \u{1B}[31m-y\u{1B}[0m"))
    #expect(!(said + lines).joined().contains("\u{1B}[7m"))
  }

  @Test func `no text leaves the bar or is wider than the terminal, whatever it is`() {
    let seed = UInt64.random(in: 0...(.max))
    var random = SplitMix64(seed: seed)
    let pieces = [
      "asked by      root", "\n", "\n\n", "- ", "# ", "```\n", "`", "**", "*", "[a](b)", "宽字", "e\u{301}", "👩‍👩‍👧", "word ",
      "\u{1B}[2J",
      "\u{202E}", "\r", "  ", String(repeating: "x", count: 30),
    ]
    for _ in 0..<300 {
      func text() -> String {
        (0..<Int.random(in: 1...12, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
      }
      let style = OutputStyle(isTerminal: true, hasColor: false, width: Int.random(in: 20...80, using: &random))
      for line in lines(text(), [PresentationRequest.Attachment(.diff, text(), title: text())], style: style) {
        #expect(line.hasPrefix("│") && line.columns <= style.width, "seed \(seed): \(line)")
        #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E }, "seed \(seed)")
      }
    }
  }
}
