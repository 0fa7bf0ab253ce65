import Router
import RouterTesting
import TestSupport
import Testing

@testable import routerctl

struct KeyParserTests {
  private func keys(_ text: String) -> [Key] {
    var parser = KeyParser()
    return parser.feed(Array(text.utf8)) + (parser.pause().map { [$0] } ?? [])
  }

  @Test(arguments: [
    ("a", [Key.text("a")]), ("é", [.text("é")]), ("🙂", [.text("🙂")]), ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]),
    ("\u{1B}[A", [.up]), ("\u{1B}[1;5B", [.down]), ("\u{1B}OC", [.right]), ("\u{1B}[D", [.left]), ("\u{1B}[Z", [.backTab]),
    ("\u{1B}[3~", [.delete]), ("\u{1B}[5~", [.pageUp]), ("\u{1B}[1~", [.home]), ("\u{1B}OF", [.end]), ("\u{1B}OM", [.enter]),
    ("\u{7F}", [.backspace]), ("\u{15}", [.deleteLine]), ("\u{17}", [.deleteWord]), ("\u{C}", [.redraw]),
    ("\u{18}", [.goBack]),
  ])
  func `recognizes a key by its bytes`(text: String, expected: [Key]) {
    #expect(keys(text) == expected)
  }

  @Test func `reports Escape after a pause or another Escape`() {
    var parser = KeyParser()
    #expect(parser.feed([0x1B]) == [])
    #expect(parser.isPending)
    #expect(parser.pause() == .escape)
    #expect(!parser.isPending)
    #expect(parser.feed([0x1B, 0x1B]) == [.escape])
    #expect(parser.feed(Array("[A".utf8)) == [.up])
  }

  @Test(arguments: ["\u{1B}x", "\u{1B}é", "\u{1B}[999~", "\u{1B}[M", "\u{1B}[", "\u{1B}O", "\u{0}", "\u{9B}", "\u{1B}[12;3R"])
  func `ignores unknown sequences`(text: String) {
    #expect(keys(text) == [])
  }

  @Test func `drops an unterminated sequence and continues`() {
    #expect(keys("\u{1B}[" + String(repeating: "1", count: 100) + "xy") == [.text("y")])
    var parser = KeyParser()
    #expect(parser.feed(Array("\u{1B}[1".utf8)) == [])
    #expect(parser.pause() == nil)
    #expect(parser.feed(Array("2".utf8)) == [.text("2")])
  }

  @Test func `reports pasted text as text, not keys`() {
    #expect(keys("\u{1B}[200~1\r\u{1B}[A\u{1B}[201~2") == [.paste("1\r\u{1B}[A"), .text("2")])
    // Without its end the paste is incomplete.
    #expect(keys("\u{1B}[200~\r\r") == [])
  }

  @Test func `bounds the length of a paste`() {
    var parser = KeyParser()
    _ = parser.feed(Array("\u{1B}[200~".utf8))
    _ = parser.feed(Array(repeating: UInt8(ascii: "x"), count: 3 * KeyParser.maximumPaste / 2))
    let keys = parser.feed(Array("\u{1B}[201~y".utf8))
    #expect(keys.last == .text("y"))
    guard case .paste(let text)? = keys.first else { Issue.record("no paste"); return }
    #expect(text.utf8.count <= KeyParser.maximumPaste)
  }

  @Test func `parses random bytes the same way in any chunks`() {
    let seed = UInt64.random(in: 0...(.max))
    var generator = SplitMix64(seed: seed)
    let pieces = ["\u{1B}", "[", "O", "~", "200~", "\u{1B}[201~", "é", "🙂", "\r", ";", "5", "A", "\u{7F}"].map {
      Array($0.utf8)
    }
    for _ in 0..<2_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0..<40, using: &generator) {
        bytes +=
          Bool.random(using: &generator)
          ? pieces.randomElement(using: &generator)! : [UInt8.random(in: 0...255, using: &generator)]
      }
      var (whole, piecewise) = (KeyParser(), KeyParser())
      let expected = whole.feed(bytes)
      var keys: [Key] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...rest.count, using: &generator)
        keys += piecewise.feed(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      #expect(keys == expected, "seed \(seed)")
      for key in keys {
        if case .text(let text) = key {
          #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control }, "seed \(seed)")
        }
      }
    }
  }
}
