extension String {
  /// The text with everything escaped that a terminal acts on or whose width is unknown: control characters, separators,
  /// directional marks, tags, unassigned code points. Requests cannot have most of them, but a program's path can.
  func escapedForTerminal(keepsNewlines: Bool = false) -> String {
    // Most text is printable ASCII, and is looked up nowhere.
    guard !utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return self }
    // Bytes: a view of scalars that is appended to takes time in the square of its length.
    var output: [UInt8] = []
    for scalar in unicodeScalars {
      if scalar.isSafeOnTerminal || (keepsNewlines && scalar == "\n") {
        output += UTF8.encode(scalar)!
      } else {
        output += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".utf8
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// How many columns the text takes at most. Where terminals differ, the larger number counts, so that nothing wraps.
  var columns: Int {
    let isASCII = utf8.allSatisfy { $0 < 0x80 }
    return isASCII ? utf8.count : unicodeScalars.reduce(0) { $0 + $1.columns }
  }

  /// The text cut to that many columns, with an ellipsis where something is missing.
  func cut(to columns: Int) -> String {
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

  /// The text in lines of at most that many columns, broken at spaces where there are any. The lines' own breaks are kept.
  func wrapped(to columns: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { Self.wrap($0, to: max(1, columns)) }
  }

  private static func wrap(_ line: Substring, to columns: Int) -> [String] {
    var lines: [String] = []
    var current = ""
    var used = 0
    for character in line {
      let width = String(character).columns
      var isDropped = false
      // What is carried over may have no room for a wide character either.
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
  fileprivate var isSafeOnTerminal: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: return false
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: return false
    case 0xFE00...0xFE0F, 0x200D: return true
    default: break
    }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
    default: return true
    }
  }

  fileprivate var columns: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: 0
    default:
      switch value {
      case 0x1100..., 0x231A...0x231B: isNarrowSymbol ? 1 : 2
      default: 1
      }
    }
  }

  /// Punctuation, arrows and box drawing, which are one column wide everywhere.
  private var isNarrowSymbol: Bool {
    switch value {
    case 0x1E00...0x20CF, 0x2190...0x21FF, 0x2200...0x22FF, 0x2500...0x25FC: true
    default: false
    }
  }
}
