import RouterCore

/// An editable line of text with a cursor.
package struct LineEditor: Sendable, Hashable {
  package static let maximumBytes = 1 << 16

  package private(set) var before: String
  package private(set) var after = ""

  package init(_ text: String = "") { before = text }

  package var text: String { before + after }

  /// Applies a key, and returns whether it was used.
  package mutating func handle(_ key: Key) -> Bool {
    switch key {
    case .text(let text): insert(text)
    case .paste(let text): insert(text)
    case .left where !before.isEmpty: after = String(before.removeLast()) + after
    case .right where !after.isEmpty: before.append(after.removeFirst())
    case .home: (before, after) = ("", text)
    case .end: (before, after) = (text, "")
    case .backspace where !before.isEmpty: before.removeLast()
    case .delete where !after.isEmpty: after.removeFirst()
    case .deleteLine: before = ""
    case .deleteWord:
      while before.last == " " { before.removeLast() }
      while let last = before.last, last != " " { before.removeLast() }
    default: return false
    }
    return true
  }

  /// Inserts text in one line: line breaks become spaces, and other control characters are removed.
  private mutating func insert(_ text: String) {
    var line = String.UnicodeScalarView()
    for scalar in text.trimmingLineBreaks.unicodeScalars {
      if !scalar.isControl {
        line.append(scalar)
      } else if scalar.properties.isWhitespace {
        line.append(" ")
      }
    }
    guard before.utf8.count + after.utf8.count + line.count <= Self.maximumBytes else { return }
    before += String(line)
  }
}

extension String {
  /// The text without trailing line breaks, which are often copied along with a line.
  fileprivate var trimmingLineBreaks: Substring {
    var text = self[...]
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }
}
