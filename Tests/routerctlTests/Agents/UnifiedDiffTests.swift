import Router
import RouterTesting
import TestSupport
import Testing

@testable import RouterFrontEnds
@testable import routerctl

struct UnifiedDiffTests {
  @Test func `numbers the hunks and shows three lines around each change`() {
    let old = (1...20).map { "\($0)\n" }.joined()
    let new = old.replacing("5\n", with: "five\n", maxReplacements: 1).replacing("18\n", with: "")
    #expect(
      UnifiedDiff.lines(from: old, to: new) == [
        "@@ -2,7 +2,7 @@", " 2", " 3", " 4", "-5", "+five", " 6", " 7", " 8",
        "@@ -15,6 +15,5 @@", " 15", " 16", " 17", "-18", " 19", " 20",
      ])
  }

  @Test func `shows changes that differ only in bytes`() {
    // Both are é, which Swift's strings compare as equal.
    #expect(UnifiedDiff.lines(from: "caf\u{E9}\n", to: "cafe\u{301}\n").count == 3)
    #expect(UnifiedDiff.lines(from: "a\n", to: "a\r\n") == ["@@ -1,1 +1,1 @@", "-a", "+a\r"])
    #expect(UnifiedDiff.lines(from: "a\n", to: "a") == ["@@ -1,1 +1,1 @@", "-a", "+a", "\\ No newline at end of file"])
    #expect(UnifiedDiff.lines(from: "a\n", to: "a\n") == [])
    #expect(UnifiedDiff.lines(from: "", to: "a\n") == ["@@ -0,0 +1,1 @@", "+a"])
  }

  @Test func `compares two long texts without common lines quickly`() {
    let (old, new) = ((0..<50_000).map { "a\($0)\n" }.joined(), (0..<50_000).map { "b\($0)\n" }.joined())
    #expect(UnifiedDiff.lines(from: old, to: new).count == 100_001)
  }

  @Test func `produces a diff that turns the old text into the new one`() {
    var random = SplitMix64(seed: 19)
    for _ in 0..<500 {
      let texts = (0..<2).map { _ in
        (0..<Int.random(in: 0...12, using: &random)).map { _ in "\(Int.random(in: 0...3, using: &random))\n" }.joined()
      }
      let diff = UnifiedDiff.lines(from: texts[0], to: texts[1])
      #expect(applying(diff, to: texts[0]) == texts[1], "\(texts)")
    }
  }

  /// Applies a diff of whole lines like patch(1).
  private func applying(_ diff: [String], to old: String) -> String {
    let lines = old.split(separator: "\n").map(String.init)
    var (output, next) = ([String](), 0)
    for line in diff {
      if line.hasPrefix("@@ -") {
        let numbers = line.dropFirst(4).split(separator: " ")[0].split(separator: ",").compactMap { Int($0) }
        let start = numbers[1] == 0 ? numbers[0] : numbers[0] - 1
        output += lines[next..<start]
        next = start
      } else if line.hasPrefix("+") {
        output.append(String(line.dropFirst()))
      } else {
        if line.hasPrefix(" ") { output.append(lines[next]) }
        next += 1
      }
    }
    return (output + lines[next...]).map { $0 + "\n" }.joined()
  }
}
