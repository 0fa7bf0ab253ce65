import ArgumentParser
import Glibc
import Router

/// Rewraps ArgumentParser's help: paragraphs and tables fit the width with hanging indents. Examples stay on one line, so that
/// they can be copied.
struct HelpText {
  private enum Block {
    case verbatim(String)
    case paragraph(String)
    /// A row of a table or an indented line: a label, and the text beside it.
    case row(indent: Int, label: String, column: Int?, text: String)
  }

  /// The maximum text width.
  private static let maximumColumns = 100
  /// The column of an option's text in ArgumentParser's output.
  private static let textColumn = 26

  private var blocks: [Block] = []

  /// Returns the help that an error requests; `nil` for any other error.
  init?(for error: any Error) {
    guard Routerctl.exitCode(for: error) == .success else { return nil }
    // Wide enough that ArgumentParser does not break lines.
    let columns = getenv("COLUMNS").map { String(cString: $0) }
    setenv("COLUMNS", "1000000", 1)
    defer { if let columns { setenv("COLUMNS", columns, 1) } else { unsetenv("COLUMNS") } }
    let text = Routerctl.fullMessage(for: error)
    guard text.hasPrefix("OVERVIEW: ") else { return nil }
    self.init(text)
  }

  init(_ text: String) {
    var isExample = false
    for line in text.split(at: "\n", omittingEmptySubsequences: false).map(String.init) {
      // ArgumentParser adds a word to the title of a group.
      let line = line.hasSuffix(" SUBCOMMANDS:") ? line.replacing(" SUBCOMMANDS:", with: ":") : line
      let indent = line.prefix { $0 == " " }.count
      if line.isEmpty || indent == 0 { isExample = line == "EXAMPLES" }
      if line.isEmpty || isExample {
        blocks.append(.verbatim(line))
      } else if indent == 0 {
        add(paragraph: line)
      } else {
        add(String(line.dropFirst(indent)), indent: indent)
      }
    }
  }

  private mutating func add(paragraph line: String) {
    if case .paragraph(let start)? = blocks.last {
      blocks[blocks.count - 1] = .paragraph(start + " " + line)
    } else {
      blocks.append(.paragraph(line))
    }
  }

  private mutating func add(_ line: String, indent: Int) {
    if indent >= 8, case .row(let start, let label, let column, let text)? = blocks.last {
      blocks[blocks.count - 1] = .row(
        indent: start, label: label, column: column ?? Self.textColumn, text: text.isEmpty ? line : text + " " + line)
    } else if let gap = line.firstRange(of: "  ") {
      let text = line[gap.lowerBound...].drop { $0 == " " }
      let column = indent + line.distance(from: line.startIndex, to: text.startIndex)
      blocks.append(.row(indent: indent, label: String(line[..<gap.lowerBound]), column: column, text: String(text)))
    } else {
      blocks.append(.row(indent: indent, label: line, column: nil, text: ""))
    }
  }

  func lines(columns: Int) -> [String] {
    let columns = max(20, min(columns, Self.maximumColumns))
    return blocks.flatMap { block -> [String] in
      switch block {
      case .verbatim(let line): return [line]
      case .paragraph(let text):
        let hang = text.hasPrefix("USAGE: ") ? 7 : 0
        return Self.hanging(text, from: 0, hang, columns)
      case .row(let indent, let label, let column, let text):
        let margin = String(repeating: " ", count: indent)
        guard let column, !text.isEmpty else { return Self.hanging(margin + label, from: indent, indent + 2, columns) }
        // The text needs a minimum width beside its label.
        guard columns - column >= 24, label.count + indent + 1 < column else {
          return Self.hanging(margin + label, from: indent, indent + 2, columns)
            + Self.hanging(String(repeating: " ", count: indent + 4) + text, from: indent + 4, indent + 4, columns)
        }
        return Self.hanging((margin + label).padded(to: column) + text, from: column, column, columns)
      }
    }
  }

  /// Returns the text in lines, with a hanging indent.
  private static func hanging(_ text: String, from first: Int, _ hang: Int, _ columns: Int) -> [String] {
    let body = text.dropFirst(first)
    var lines: [String] = []
    var rest = String(body).wrapped(to: columns - first)
    if first != hang, rest.count > 1 {
      let tail = body.dropFirst(rest[0].count).drop { $0 == " " }
      rest = [rest[0]] + String(tail).wrapped(to: columns - hang)
    }
    for (index, line) in rest.enumerated() {
      lines.append((index == 0 ? String(text.prefix(first)) : String(repeating: " ", count: hang)) + line)
    }
    return lines
  }
}
