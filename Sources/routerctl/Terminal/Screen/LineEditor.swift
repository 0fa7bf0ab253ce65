/// A line of text that is being typed, and where the cursor is in it.
struct LineEditor: Sendable, Hashable {
  static let maximumBytes = 1 << 16

  private(set) var before: String
  private(set) var after = ""

  init(_ text: String = "") { before = text }

  var text: String { before + after }

  /// Applies a key, and returns whether it means anything here.
  mutating func handle(_ key: Key) -> Bool {
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

  /// A line has no breaks and nothing that a terminal acts on: breaks become spaces, the rest is left out.
  private mutating func insert(_ text: String) {
    var line = String.UnicodeScalarView()
    for scalar in text.trimmingLineBreaks.unicodeScalars {
      if scalar.properties.generalCategory != .control {
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
  /// The text without line breaks at its end, which come along when a line is copied.
  fileprivate var trimmingLineBreaks: Substring {
    var text = self[...]
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }
}
