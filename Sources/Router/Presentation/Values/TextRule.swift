/// Restricts the texts of requesters, so that they cannot imitate the prompt around them. Control characters could move
/// a terminal's cursor, bidirectional overrides (Unicode Standard Annex 9) reorder text, and invisible characters
/// disguise one text as another.
package struct TextRule {
  let maximumBytes: Int
  let allowsNewline: Bool
  /// Whether the text may consist only of white space and invisible characters, as for values, which are passed on
  /// unchanged.
  var mayBeInvisible = false

  static let title = TextRule(maximumBytes: 1024, allowsNewline: false)
  static let label = TextRule(maximumBytes: 256, allowsNewline: false)
  static let message = TextRule(maximumBytes: 65_536, allowsNewline: true)
  static let value = TextRule(maximumBytes: 65_536, allowsNewline: true, mayBeInvisible: true)

  func check(_ text: String, at pointer: @autoclosure () -> String) throws(JSONError) {
    guard text.utf8.count <= maximumBytes else {
      throw JSONError("must have at most \(maximumBytes) bytes", at: pointer())
    }
    // Most texts are printable ASCII.
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), mayBeInvisible || text.utf8.contains(where: { $0 != 0x20 }) {
      return
    }
    for scalar in text.unicodeScalars {
      if scalar == "\n", allowsNewline { continue }
      if scalar.isForbiddenInText {
        let code = String(scalar.value, radix: 16, uppercase: true)
        let digits = String(repeating: "0", count: max(0, 4 - code.count)) + code
        throw JSONError("must not contain the character U+\(digits)", at: pointer())
      }
    }
    if !mayBeInvisible, !text.isEmpty, !text.unicodeScalars.contains(where: \.isVisible) {
      throw JSONError("must have a character that can be seen", at: pointer())
    }
  }

  /// Checks a name: 1 to 64 letters, digits, `.`, `_` and `-`. Rejects `.` and `..`, which have a special meaning in
  /// paths.
  package static func checkName(_ name: String, at pointer: @autoclosure () -> String) throws(JSONError) {
    guard (1...64).contains(name.utf8.count), name.unicodeScalars.allSatisfy(\.isNameScalar) else {
      throw JSONError("must be 1 to 64 of letters, digits, '.', '_' and '-'", at: pointer())
    }
    guard name != ".", name != ".." else { throw JSONError("must not be \"\(name)\"", at: pointer()) }
  }
}

extension String {
  /// The text as a person perceives it: without invisible characters, and with runs of white space collapsed.
  var asSeen: String {
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

extension Unicode.Scalar {
  /// Whether it is visible: not white space, the blank Braille pattern or a default ignorable code point.
  fileprivate var isVisible: Bool {
    if isASCII { return (0x21...0x7E).contains(value) }
    return value != 0x2800 && !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
  }

  /// Control characters, line and paragraph separators, and the explicit bidirectional formatting characters.
  var isForbiddenInText: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x2028, 0x2029: true
    case 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
