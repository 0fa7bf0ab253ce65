extension String {
  /// The text with every character marked that cannot be seen or that changes how others are seen, such as `\u{202E}`. A tab is
  /// an arrow; line feeds stay.
  var exact: String {
    guard !utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A }) else { return self }
    // Bytes: a view of scalars that is appended to takes time in the square of its length.
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

  /// The lines between line feeds. A carriage return belongs to its line, where it is marked.
  var exactLines: [String] {
    exact.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
  }

  /// The exact text in one line of at most 240 bytes, which fits a title and a label.
  var exactTitle: String {
    let line = exact.replacing("\n", with: " ")
    return line.utf8.count <= 240 ? line : line.scalars(fitting: 237) + "…"
  }

  /// As many code points from the beginning as fit so many bytes of UTF-8.
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
