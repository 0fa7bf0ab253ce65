import Foundation
import Testing

/// Compares the articles and the README with their compiled examples: each Swift snippet must appear word for word, except
/// for `private`, in a file of this folder, where it is compiled and usually run.
struct PageTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func files(in folder: String, withExtension suffix: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: root.appending(path: folder), includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == suffix }
  }

  private static func lines(of text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// Returns the Swift snippets of a page: its fenced code, split where an unindented line follows an empty one, because an
  /// example may have a type and a line that uses it.
  private static func pieces(of page: String) -> [[Substring]] {
    var pieces: [[Substring]] = []
    var isInside = false
    for line in lines(of: page) {
      if line.hasPrefix("```") {
        isInside = line == "```swift"
        if isInside { pieces.append([]) }
      } else if isInside {
        if let last = pieces.last?.last, last.isEmpty, line.first.map({ !$0.isWhitespace && $0 != "}" }) == true {
          pieces[pieces.count - 1].removeLast()
          pieces.append([])
        }
        pieces[pieces.count - 1].append(line)
      }
    }
    return pieces
  }

  /// Whether a source contains the lines of a snippet consecutively and with the same indentation. Its declarations may be
  /// private there, since the files are independent.
  private static func contains(_ source: [Substring], _ piece: [Substring]) -> Bool {
    guard let first = piece.first else { return true }
    return source.indices.contains { start in
      guard source[start].hasSuffix(first), source.count - start >= piece.count else { return false }
      let indent = source[start].prefix { $0 == " " }
      return zip(source[start...], piece).allSatisfy { line, wanted in
        guard !wanted.isEmpty else { return line.isEmpty }
        let (space, text) = (wanted.prefix { $0 == " " }, wanted.drop { $0 == " " })
        return ["", "private ", "fileprivate "].contains { line == indent + space + $0 + text }
      }
    }
  }

  @Test func `compiles each example of a page`() throws {
    let sources = try Self.files(in: "Tests/DocumentationTests", withExtension: "swift").map {
      Self.lines(of: try String(contentsOf: $0, encoding: .utf8))
    }
    let pages =
      try ["Router", "RouterCompatibility"].flatMap { try Self.files(in: "Sources/\($0)/\($0).docc", withExtension: "md") }
      + [Self.root.appending(path: "README.md")]
    var count = 0
    for page in pages {
      for piece in Self.pieces(of: try String(contentsOf: page, encoding: .utf8)) {
        count += 1
        let isCompiled = sources.contains { Self.contains($0, piece) }
        #expect(isCompiled, "\(page.lastPathComponent): no file compiles this:\n\(piece.joined(separator: "\n"))")
      }
    }
    #expect(count > 30)
  }

  @Test func `detects a snippet that differs from its source`() {
    let source = Self.lines(of: "struct A {\n  func run() {\n    ask()\n\n    answer()\n  }\n}")
    #expect(Self.contains(source, ["func run() {", "  ask()", "", "  answer()", "}"]))
    #expect(!Self.contains(source, ["func run() {", "  ask()", "  answer()", "}"]))
    #expect(!Self.contains(source, ["func run() {", "  ask(1)", "", "  answer()", "}"]))
    #expect(!Self.contains(source, ["func run() {", "    ask()", "", "  answer()", "}"]))
    #expect(Self.contains(["  private struct B {", "    fileprivate var b = 1", "  }"], ["struct B {", "  var b = 1", "}"]))
    #expect(!Self.contains(["  public struct B {", "  }"], ["struct B {", "}"]))
    let page = "```swift\nlet a = 1\n\nuse(a) {\n\n  b\n\n}\n```\n```sh\nls\n```"
    #expect(Self.pieces(of: page) == [["let a = 1"], ["use(a) {", "", "  b", "", "}"]])
  }
}
