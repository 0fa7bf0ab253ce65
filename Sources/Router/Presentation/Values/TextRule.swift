/// What may stand in the text that a requester puts before a person.
///
/// Control characters could move a terminal's cursor, and bidirectional overrides (Unicode Standard Annex 9, section 2) can
/// make a text read otherwise than it is stored; both are how a title imitates the prompt around it.
struct TextRule {
  let maximumBytes: Int
  let allowsNewline: Bool

  static let title = TextRule(maximumBytes: 1024, allowsNewline: false)
  static let label = TextRule(maximumBytes: 256, allowsNewline: false)
  static let message = TextRule(maximumBytes: 65_536, allowsNewline: true)

  func check(_ text: String, at pointer: String) throws(JSONError) {
    guard text.utf8.count <= maximumBytes else { throw JSONError("must have at most \(maximumBytes) bytes", at: pointer) }
    for scalar in text.unicodeScalars {
      if scalar == "\n", allowsNewline { continue }
      if scalar.isForbiddenInText {
        let code = String(scalar.value, radix: 16, uppercase: true)
        let digits = String(repeating: "0", count: max(0, 4 - code.count)) + code
        throw JSONError("must not contain the character U+\(digits)", at: pointer)
      }
    }
  }

  /// Checks a name: 1 to 64 of letters, digits, `.`, `_` and `-`.
  static func checkName(_ name: String, at pointer: String) throws(JSONError) {
    guard (1...64).contains(name.utf8.count), name.unicodeScalars.allSatisfy(\.isNameScalar) else {
      throw JSONError("must be 1 to 64 of letters, digits, '.', '_' and '-'", at: pointer)
    }
  }
}

extension Unicode.Scalar {
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
