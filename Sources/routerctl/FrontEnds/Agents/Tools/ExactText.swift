extension String {
  /// The text with every character marked that cannot be seen or that changes how others are seen, such as `\u{202E}`. A tab is
  /// an arrow; line feeds stay.
  var exact: String {
    guard !utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A }) else { return self }
    var output = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar == "\t" {
        output.append(contentsOf: "→   ".unicodeScalars)
      } else if scalar == "\n" || scalar.isPlainlyVisible {
        output.append(scalar)
      } else {
        output.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
      }
    }
    return String(output)
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
    var (part, size) = (String.UnicodeScalarView(), 0)
    for scalar in unicodeScalars {
      size += UTF8.width(scalar)
      guard size <= bytes else { break }
      part.append(scalar)
    }
    return String(part)
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
