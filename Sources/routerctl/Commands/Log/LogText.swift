import Router

extension String {
  func padded(to columns: Int, atStart: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, columns - self.columns))
    return atStart ? spaces + self : self + spaces
  }
}

extension JSONText {
  /// The JSON in one line, with characters escaped that a terminal interprets.
  var escapedForTerminal: String {
    let text = description
    guard text.unicodeScalars.contains(where: \.steersTerminal) else { return text }
    return text.unicodeScalars.reduce(into: "") { escaped, scalar in
      guard scalar.steersTerminal else { return escaped.unicodeScalars.append(scalar) }
      let digits = String(scalar.value, radix: 16)
      escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}

extension JSONValue {
  var escapedForTerminal: String { JSONText(self).escapedForTerminal }
}

extension Unicode.Scalar {
  /// Whether the scalar is a control character, line separator or directional mark, all below U+10000. Zero-width joiners are
  /// allowed, because words and emoji need them.
  fileprivate var steersTerminal: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

extension OutputStyle {
  func text(_ text: String, face: Face?) -> String {
    face.map { self.text(text, $0) } ?? text
  }
}
