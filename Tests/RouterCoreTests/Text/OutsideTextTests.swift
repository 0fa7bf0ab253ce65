import Foundation
import RouterCore
import TestSupport
import Testing

/// Comparisons, parts and labels of texts from outside, by their bytes.
/// Promises P76, P77.
struct OutsideTextTests {
  private static let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")

  @Test func `compares bytes and not canonical equivalence`() {
    #expect(Self.composed == Self.decomposed)
    #expect(!Self.composed.isSame(as: Self.decomposed) && Self.composed.isSame(as: "caf\u{E9}"))
    #expect(!"\u{212A}".isSame(as: "K") && !"\u{37E}".isSame(as: ";"))
    #expect(JSONValue.string(Self.composed) != .string(Self.decomposed))
    #expect(Set([JSONValue.string(Self.composed), .string(Self.decomposed), .string(Self.composed)]).count == 2)
    #expect(["K": 1] as JSONValue != ["\u{212A}": 1])
    #expect((["K": 1] as JSONValue)["\u{212A}"] == nil)
  }

  @Test func `finds ASCII characters before combining marks`() {
    #expect("/\u{301}a".begins(with: "/") && !"/\u{301}a".hasPrefix("/"))
    #expect("a\r\n".ends(with: "\n") && !"a\r\n".hasSuffix("\n"))
    #expect("a/../\u{301}b".split(at: "/") == ["a", "..", "\u{301}b"])
    #expect("a=\u{301}b".cut(at: "=").map { [String($0), String($1)] } == ["a", "\u{301}b"])
    #expect("--\u{301}x".rest(after: "--") == "\u{301}x" && "-x".rest(after: "--") == nil)
    #expect(" \u{301}a\r\n".trimmingWhiteSpace == "\u{301}a")
  }

  @Test(
    arguments: [
      ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\r\nb\nc\r\n", ["a", "b", "c"]), ("\r\n\n", ["", ""]),
      ("a\rb\r\r\n", ["a\rb\r"]),
      ("a\r", ["a\r"]),
    ] as [(String, [String])])
  func `ends lines at LF and CR LF`(text: String, lines: [String]) {
    #expect(text.lines.map { Array($0.utf8) } == lines.map { Array($0.utf8) })
    let unix = text.withUnixLineEnds.split(at: "\n", omittingEmptySubsequences: false)
    #expect((unix.last?.isEmpty == true ? unix.dropLast() : unix[...]).map { Array($0.utf8) } == lines.map { Array($0.utf8) })
  }

  @Test func `a combining mark does not end the quotation of a shell word`() async throws {
    for text in ["'\u{301}; echo broken; '", "a'b", "'", "\u{301}'\u{301}'", "$(echo broken)\u{200D}'"] {
      let echo = Process()
      echo.executableURL = URL(filePath: "/bin/sh")
      echo.arguments = ["-c", "printf %s \(text.shellQuoted)"]
      let output = Pipe()
      echo.standardOutput = output
      try echo.run()
      let bytes = output.fileHandleForReading.readDataToEndOfFile()
      echo.waitUntilExit()
      #expect(Array(bytes) == Array(text.utf8))
    }
  }

  @Test func `keeps every byte of a text that is not UTF-8`() {
    #expect(String(keeping: "caf\u{E9}".utf8).isSame(as: "caf\u{E9}"))
    #expect(String(keeping: [0x61, 0xFF]).showingKeptBytes == #"a\xff"#)
    // Code points that stand for kept bytes are kept, too.
    #expect(String(keeping: "\u{10FFFF}".utf8).unicodeScalars.count == 4)
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    let parts: [[UInt8]] = ["\u{10FF80}", "\u{10FFFF}", "é", "e\u{301}", "\r\n", "😀"].map { Array($0.utf8) }
    for _ in 0..<2000 {
      let bytes = (0..<random.below(8)).flatMap { _ in
        random.below(2) == 0 ? random.pick(parts) : [UInt8.random(in: 0...255, using: &random)]
      }
      let text = String(keeping: bytes)
      #expect(text.keptBytes == bytes, "seed \(seed)")
      // Separators are found, whatever surrounds them.
      #expect(
        text.split(at: "\n", omittingEmptySubsequences: false).map { String($0).keptBytes }
          == bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init), "seed \(seed)")
    }
  }

  @Test func `labels rows so that no two look alike`() {
    let names: [[UInt8]] = [[0x61, 0xFF], [0x61, 0xFE], Array("a\u{FFFD}".utf8)]
    #expect(names.map { String(keeping: $0) }.distinctLabels == [#"a\xff"#, #"a\xfe"#, "a\u{FFFD}"])
    #expect(
      [Self.composed, Self.decomposed].distinctLabels.map { Array($0.utf8) }
        == ["caf\u{E9}", #"cafe\u{301}"#].map { Array($0.utf8) })
    #expect(["a", "a", " a", ""].distinctLabels == ["a", "a (2)", " a (3)", "(empty)"])
    #expect(["a\r\nb", "\u{1B}[2J"].distinctLabels == ["a b", #"\u{1B}[2J"#])
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    let parts = ["a", "\u{E9}", "e\u{301}", " ", "  ", "\u{200B}", "\u{2800}", "(2)", "\r", "\n", "\\u{301}", "\u{10FFFF}"]
    for _ in 0..<300 {
      let rows = (0..<8).map { _ in String(keeping: (0..<random.below(3)).flatMap { _ in Array(random.pick(parts).utf8) }) }
      let labels = rows.distinctLabels
      #expect(Set(labels.map(\.asSeen)).count == rows.count, "seed \(seed)")
      #expect(throws: Never.self, "seed \(seed)") { for label in labels { try TextRule.label.check(label, at: "") } }
    }
  }
}
