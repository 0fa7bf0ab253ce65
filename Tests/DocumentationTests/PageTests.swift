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

  private static func articles() throws -> [URL] {
    try ["Router", "RouterCompatibility"].flatMap { try files(in: "Sources/\($0)/\($0).docc", withExtension: "md") }
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
        return Self.withoutPrivate(line) == Self.withoutPrivate(indent + space + text)
      }
    }
  }

  private static func withoutPrivate(_ line: some StringProtocol) -> String {
    String(line).replacing(#/(file)?private /#, with: "")
  }

  @Test func `compiles each example of a page`() throws {
    let sources = try Self.files(in: "Tests/DocumentationTests", withExtension: "swift").map {
      Self.lines(of: try String(contentsOf: $0, encoding: .utf8))
    }
    var count = 0
    for page in try Self.articles() + [Self.root.appending(path: "README.md")] {
      for piece in Self.pieces(of: try String(contentsOf: page, encoding: .utf8)) {
        count += 1
        let isCompiled = sources.contains { Self.contains($0, piece) }
        #expect(isCompiled, "\(page.lastPathComponent): no file compiles this:\n\(piece.joined(separator: "\n"))")
      }
    }
    #expect(count > 30)
  }

  /// Returns the names of public declarations, of cases, and of the requirements of public protocols.
  private static func publicNames() throws -> Set<String> {
    let folder = root.appending(path: "Sources")
    var names: Set = ["Router"]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
      var isInProtocol = false
      for line in lines(of: try String(contentsOf: folder.appending(path: path), encoding: .utf8)) {
        if line.contains("public protocol ") { isInProtocol = true } else if line == "}" { isInProtocol = false }
        let isCase = line.contains(/^ +case [a-z]/)
        guard isInProtocol || isCase || line.contains(#/^ *([a-z@()]+ )*public /#) else { continue }
        for match in line.matches(of: /\b(?:func|var|let|struct|class|enum|protocol|actor|typealias) ([A-Za-z_]+)/) {
          names.insert(String(match.1))
        }
        if isCase { for match in line.matches(of: /(?:case|,) ([A-Za-z]+)/) { names.insert(String(match.1)) } }
      }
    }
    return names
  }

  @Test func `links only public symbols`() throws {
    let names = try Self.publicNames()
    #expect(names.isSuperset(of: ["Presenter", "present", "disconnected"]) && !names.contains("TerminalPresenter"))
    var count = 0
    for page in try Self.articles() {
      for link in try String(contentsOf: page, encoding: .utf8).matches(of: /``([A-Za-z_:\/()]+)``/) {
        count += 1
        let parts = link.1.split(separator: "/").map { String($0.prefix { $0 != "(" }) }
        #expect(names.isSuperset(of: parts), "\(page.lastPathComponent) links to \(link.1), which is not public")
      }
    }
    #expect(count > 100)
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
