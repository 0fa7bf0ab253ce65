/// The style of output: for a person on a terminal, or plain for a pipe.
package struct OutputStyle: Sendable, Hashable {
  package var isTerminal: Bool
  /// Whether to use colors; `NO_COLOR` (no-color.org) turns them off.
  package var hasColor: Bool
  package var width: Int

  package init(isTerminal: Bool, hasColor: Bool, width: Int) {
    self.isTerminal = isTerminal
    self.hasColor = hasColor
    self.width = width
  }

  package static let plain = OutputStyle(isTerminal: false, hasColor: false, width: 80)

  /// The text attributes, by their SGR codes (ECMA-48, section 8.3.117).
  package enum Face: String, Sendable {
    case bold = "1"
    case dim = "2"
    case underline = "4"
    case reverse = "7"
    case red = "31"
    case green = "32"
    case blue = "34"
    case magenta = "35"
    case cyan = "36"
    /// Black on yellow.
    case highlight = "30;43"

    /// The faces of a caution. Yellow is illegible on white.
    package static let caution: [Face] = [.bold, .magenta]
  }

  package func text(_ text: String, _ faces: Face...) -> String { self.text(text, faces) }

  package func text(_ text: String, _ faces: [Face]) -> String {
    guard hasColor, !faces.isEmpty, !text.isEmpty else { return text }
    return "\u{1B}[\(faces.map(\.rawValue).joined(separator: ";"))m\(text)\u{1B}[0m"
  }

  package func text(_ text: String, face: Face?) -> String { self.text(text, face.map { [$0] } ?? []) }

  /// A line across the terminal, or across its first `limit` columns.
  package func rule(_ left: String, _ right: String = "", limit: Int = 100) -> String {
    let columns = min(width, limit)
    let start = left.isEmpty ? "" : "━━ \(left) "
    let end = right.isEmpty ? "" : " \(right) ━━"
    let count = max(2, columns - start.columns - end.columns)
    return text(start + String(repeating: "━", count: count) + end, .magenta)
  }
}
