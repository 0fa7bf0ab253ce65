import RouterCore

extension String {
  /// The maximum width in columns. If terminals differ, uses the larger width, so that nothing wraps.
  package var columns: Int {
    let isASCII = utf8.allSatisfy { $0 < 0x80 }
    return isASCII ? utf8.count : unicodeScalars.reduce(0) { $0 + $1.columns }
  }

  /// Truncates the text to `columns` columns, with an ellipsis if something was cut.
  package func cut(to columns: Int) -> String {
    guard self.columns > columns else { return self }
    var output = ""
    var used = 1
    for character in self {
      let width = String(character).columns
      guard used + width <= columns else { break }
      output.append(character)
      used += width
    }
    return output + "…"
  }

  /// Truncates the text in the middle, because the end of a command or label is often more informative.
  package func cutInMiddle(to columns: Int) -> String {
    guard self.columns > columns else { return self }
    let tail = max(0, (columns - 1) / 3)
    return cut(to: columns - tail) + String(String(reversed()).cut(to: tail + 1).dropLast().reversed())
  }

  package func padded(to columns: Int, atStart: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, columns - self.columns))
    return atStart ? spaces + self : self + spaces
  }

  /// Wraps the text to `columns` columns, at spaces if possible. Keeps existing line breaks.
  package func wrapped(to columns: Int) -> [String] {
    split(at: "\n", omittingEmptySubsequences: false).flatMap { Self.wrap($0, to: max(1, columns)) }
  }

  private static func wrap(_ line: Substring, to columns: Int) -> [String] {
    var lines: [String] = []
    var current = ""
    var used = 0
    for character in line {
      let width = String(character).columns
      var isDropped = false
      // The carried-over text may leave no room for a wide character.
      while used + width > columns, !current.isEmpty {
        if character != " ", let space = current.lastIndex(of: " "), space != current.startIndex {
          let rest = String(current[current.index(after: space)...])
          lines.append(String(current[..<space]))
          current = rest
        } else {
          lines.append(current)
          current = ""
          isDropped = character == " "
        }
        used = current.columns
      }
      if isDropped { continue }
      current.append(character)
      used += width
    }
    return lines + [current]
  }
}

extension Unicode.Scalar {
  /// The maximum number of columns of the character.
  package var columns: Int {
    guard !isASCII else { return 1 }
    return switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: 0
    default:
      switch value {
      case 0x1100..., 0x231A...0x231B: isNarrowSymbol ? 1 : 2
      default: 1
      }
    }
  }

  /// Punctuation, arrows and box drawing characters, which are one column wide in every terminal.
  private var isNarrowSymbol: Bool {
    switch value {
    case 0x1E00...0x20CF, 0x2190...0x21FF, 0x2200...0x22FF, 0x2500...0x25FC: true
    default: false
    }
  }
}
