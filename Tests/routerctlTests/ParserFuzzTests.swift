import Router
import RouterTesting
import TestSupport
import Testing

@testable import routerctl

/// Generated input for the command line's parsers: none may trap or hang.
/// Promise P81.
@Suite(.timeLimit(.minutes(600)))
struct ParserFuzzTests {
  @Test func `parses terminal keys`() {
    let samples = [
      "abc\r\u{7F}\u{1B}[A\u{1B}[1;5C\u{1B}[3~\u{1B}OH\u{1B}OM\u{17}\u{15}\t\u{1B}[Z",
      "\u{1B}[200~pasted\u{1B}[A\ntext\u{1B}[201~é😀\u{1B}\u{1B}",
      "e\u{301}\u{C}\u{1}\u{5}\u{1B}x\u{1B}[?1;2c\u{1B}[5~",
    ]
    Fuzzer.run("terminal keys", samples) { bytes, seed in
      var (whole, split) = (KeyParser(), KeyParser())
      let cut = Int(seed % UInt64(bytes.count + 1))
      let keys = whole.feed(bytes)
      #expect(split.feed(bytes[..<cut]) + split.feed(bytes[cut...]) == keys, "seed \(seed)")
      #expect(whole.pause() == split.pause(), "seed \(seed)")
      // After the end of a paste and a pause, plain text is read in any state.
      _ = whole.feed(Array("\u{1B}[201~".utf8))
      _ = whole.pause()
      #expect(whole.feed(Array("x".utf8)) == [.text("x")], "seed \(seed)")
      return !keys.isEmpty
    }
  }

  @Test func `escapes text for a terminal`() {
    let samples = ["Deploy?\u{1B}[2J\u{202E}x\u{9B}31m", "é😀e\u{301}\u{200B}\u{FEFF}", "a\tb\r\nc\u{0}\u{7F}"]
    Fuzzer.run("text for a terminal", samples) { bytes, seed in
      let text = String(decoding: bytes, as: UTF8.self).escapedForTerminal()
      let isSafe = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
      #expect(isSafe, "seed \(seed)")
      return true
    }
  }
}
