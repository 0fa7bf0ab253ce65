extension String {
  /// The text with every invisible or reordering character escaped, such as `\u{202E}`. Tabs become arrows; line feeds stay.
  var exact: String {
    guard !utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A }) else { return self }
    // Appends bytes, because appending to a scalar view takes quadratic time.
    var output: [UInt8] = []
    for scalar in unicodeScalars {
      if scalar == "\t" {
        output += "→   ".utf8
      } else if scalar == "\n" || scalar.isPlainlyVisible {
        output += UTF8.encode(scalar)!
      } else {
        output += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".utf8
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The lines, split at line feeds. A carriage return stays in its line, escaped.
  var exactLines: [String] {
    exact.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
  }

  /// The exact text in one line of at most 240 bytes, short enough for a title or label.
  var exactTitle: String {
    let line = exact.replacing("\n", with: " ")
    return line.utf8.count <= 240 ? line : line.scalars(fitting: 237) + "…"
  }

  /// Returns the longest prefix of code points that fits in `bytes` bytes of UTF-8.
  func scalars(fitting bytes: Int) -> String {
    var size = 0
    let rest = unicodeScalars.firstIndex { scalar in
      size += UTF8.width(scalar)
      return size > bytes
    }
    return String(self[..<(rest ?? endIndex)])
  }
}

extension Unicode.Scalar {
  fileprivate var isPlainlyVisible: Bool {
    if isASCII { return (0x20..<0x7F).contains(value) }
    // The blank Braille pattern looks like a space.
    guard value != 0x2800, !properties.isDefaultIgnorableCodePoint, !properties.isWhitespace else { return false }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
    default: return true
    }
  }
}
