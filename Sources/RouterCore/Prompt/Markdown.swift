/// Reads a subset of Markdown (CommonMark): paragraphs, headings, lists, fenced code, emphasis, and links with their address.
///
/// Keeps line breaks. Treats everything else, such as HTML and images, as text.
enum Markdown {
  private static let deepestLevel = 4

  private struct Fence {
    let mark: Character
    let length: Int
    let indent: Int
    let isDiff: Bool
    var lines: [Substring] = []

    /// Parses the opening line of fenced code.
    package init?(_ line: Substring, indent: Int) {
      guard let first = line.first, first == "`" || first == "~" else { return nil }
      length = line.prefix { $0 == first }.count
      let info = line.dropFirst(length).trimmingWhiteSpace
      guard length >= 3, first == "~" || !info.contains("`") else { return nil }
      (mark, self.indent, isDiff) = (first, indent, info == "diff")
    }

    func isClosed(by line: Substring) -> Bool {
      let line = line.trimmingWhiteSpace
      return line.count >= length && line.allSatisfy { $0 == mark }
    }

    var block: PromptDescription.Block {
      let lines = lines.map { line in
        line.dropFirst(min(indent, line.prefix { $0 == " " }.count))
      }
      return PromptDescription.Block(
        kind: .code, runs: PromptDescription.Run.exact(lines.joined(separator: "\n"), isDiff: isDiff))
    }
  }

  static func blocks(of text: String) -> [PromptDescription.Block] {
    var blocks: [PromptDescription.Block] = []
    var fence: Fence?
    /// The paragraph or item that the next line may continue.
    var open: PromptDescription.Block?
    var lines: [Substring] = []

    func close() {
      guard var block = open else { return }
      block.runs = MarkdownLine.runs(of: lines.joined(separator: "\n"))
      blocks.append(block)
      (open, lines) = (nil, [])
    }
    func begin(_ kind: PromptDescription.Block.Kind, _ line: Substring, level: Int = 0, label: String? = nil) {
      close()
      open = PromptDescription.Block(kind: kind, level: level, label: label, runs: [])
      lines = [line]
    }

    for line in text.split(at: "\n", omittingEmptySubsequences: false) {
      if fence?.isClosed(by: line) == false {
        fence?.lines.append(line)
        continue
      }
      if let closed = fence {
        blocks.append(closed.block)
        fence = nil
        continue
      }
      let indent = line.prefix { $0 == " " }.count
      let rest = line.dropFirst(indent)
      if rest.allSatisfy(\.isWhitespace) {
        close()
      } else if let opening = Fence(rest, indent: indent) {
        close()
        fence = opening
      } else if let heading = heading(rest) {
        begin(.heading, heading)
        close()
      } else if let (marker, item) = item(rest) {
        begin(.item, item, level: min(indent / 2, deepestLevel), label: marker)
      } else if open == nil {
        begin(.paragraph, line)
      } else {
        lines.append(open?.kind == .item ? rest : line)
      }
    }
    if let fence { blocks.append(fence.block) }
    close()
    return blocks
  }

  private static func heading(_ line: Substring) -> Substring? {
    let marks = line.prefix { $0 == "#" }.count
    guard (1...6).contains(marks), line.dropFirst(marks).first == " " else { return nil }
    return line.dropFirst(marks).drop { $0 == " " }
  }

  private static func item(_ line: Substring) -> (marker: String, text: Substring)? {
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    let mark = line.dropFirst(digits.count).first
    let isItem = digits.isEmpty ? mark == "-" || mark == "*" || mark == "+" : digits.count <= 9 && (mark == "." || mark == ")")
    let rest = line.dropFirst(digits.count + 1)
    guard isItem, let mark, rest.isEmpty || rest.first == " " else { return nil }
    return (digits.isEmpty ? "•" : "\(digits)\(mark)", rest.drop { $0 == " " })
  }
}
