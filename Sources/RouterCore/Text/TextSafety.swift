/// Classifies code points: visible to a person, safe on a terminal, and allowed in a request.
///
/// The classes follow properties of the Unicode Character Database, in the standard library's version, and this table:
///
/// | code points | source | on a terminal | in a request | | --- | --- | --- | --- | | control characters |
/// `General_Category=Cc` | no | no | | line and paragraph separators | `Zl`, `Zp` | no | no | | explicit directional formatting
/// | `Bidi_Control` without the marks | no | no | | directional marks (U+061C, U+200E, U+200F) | `Bidi_Control` | no | yes:
/// Arabic and Hebrew texts have them | | zero-width joiner (U+200D) | `Join_Control` | yes: emoji have it | yes | | other
/// format characters, such as tags | `Cf` | no | yes | | private use, unassigned | `Co`, `Cn` | no: their width is unknown |
/// yes |
extension Unicode.Scalar {
  /// Whether the code point is visible: not a control character, `White_Space`, `Default_Ignorable_Code_Point` or the blank
  /// Braille pattern (U+2800), which only looks like a space.
  package var isVisible: Bool {
    if isASCII { return (0x21...0x7E).contains(value) }
    return value != 0x2800 && !isControl && !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
  }

  /// Whether a terminal shows the code point without acting on it, with a known width.
  package var isSafeOnTerminal: Bool {
    if isASCII { return (0x20..<0x7F).contains(value) }
    switch properties.generalCategory {
    case .format: return value == 0x200D
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
    default: return true
    }
  }

  /// Whether a text that must be read exactly may show the code point unescaped: a space, or visible and safe.
  var isPlain: Bool { self == " " || isVisible && isSafeOnTerminal }

  /// Whether a request may not contain the code point, because it could imitate or reorder the prompt around it.
  var isForbiddenInRequest: Bool {
    switch value {
    // Line and paragraph separators; explicit directional formatting (Unicode Standard Annex 9).
    case 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
    default: isControl
    }
  }

  /// Whether a text that people check must not contain the code point, because it is invisible or changes how the text reads.
  package var isHiddenInText: Bool { isForbiddenInRequest || value == 0xFEFF }

  /// Whether the code point is a control character (C0, DEL and C1).
  package var isControl: Bool { value < 0x20 || (0x7F..<0xA0).contains(value) }

  /// Whether the code point is allowed in the name of an app, surface, sheet or button.
  package var isNameScalar: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-": true
    default: false
    }
  }

  /// The escape of the code point, such as `\u{202E}`.
  package var escape: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }

  /// The number of the code point, such as `U+202E`.
  var codePoint: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// The JSON escape of the code point, such as `\u202e`.
  fileprivate var jsonEscape: String { utf16.map { "\\u" + [UInt8($0 >> 8), UInt8($0 & 0xFF)].hexadecimal }.joined() }
}

extension String {
  /// Escapes the code points that are unsafe on a terminal. Even a program's path may contain control characters.
  package func escapedForTerminal(keepsNewlines: Bool = false) -> String {
    escaped(\.escape) { keepsNewlines && $0 == "\n" || $0.isSafeOnTerminal }
  }

  fileprivate func escaped(_ escape: (Unicode.Scalar) -> String, keeping isKept: (Unicode.Scalar) -> Bool) -> String {
    // Most text is printable ASCII.
    guard !utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return self }
    // Appends bytes, because appending to a scalar view takes quadratic time.
    var output: [UInt8] = []
    for scalar in unicodeScalars {
      if isKept(scalar) { output += UTF8.encode(scalar)! } else { output += escape(scalar).utf8 }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns at most 64 code points, escaped for a terminal, for use in a message. A limit in characters would allow any number
  /// of combining marks.
  package var shortened: String {
    (unicodeScalars.count <= 64 ? self : String(unicodeScalars.prefix(63)) + "…").escapedForTerminal()
  }

  /// Whether the text has a visible character.
  package var hasVisibleCharacter: Bool { unicodeScalars.contains(where: \.isVisible) }

  /// The text as a person sees it: without invisible characters, and with runs of white space collapsed.
  package var asSeen: String {
    // Most texts are ASCII with single spaces inside.
    var last = UInt8(ascii: " ")
    let isPlain = utf8.allSatisfy { byte in
      defer { last = byte }
      return (0x21...0x7E).contains(byte) || byte == 0x20 && last != 0x20
    }
    if isPlain, last != 0x20 { return self }
    let seen = unicodeScalars.filter { $0.isASCII || !$0.properties.isDefaultIgnorableCodePoint }
    return seen.split { !$0.isVisible }.map { String($0) }.joined(separator: " ")
  }
}

extension JSONText {
  /// The JSON in one line, with code points escaped that are unsafe on a terminal.
  package var escapedForTerminal: String {
    description.escaped(\.jsonEscape, keeping: \.isSafeOnTerminal)
  }
}

extension JSONValue {
  package var escapedForTerminal: String { JSONText(self).escapedForTerminal }
}
