/// Restricts the texts of requesters, so that they cannot imitate the prompt around them. Control characters could move a
/// terminal's cursor, bidirectional overrides (Unicode Standard Annex 9) reorder text, and invisible characters make one text
/// look like another.
package struct TextRule {
  let maximumBytes: Int
  let allowsNewline: Bool
  /// Whether the text may consist only of white space and invisible characters, as in values, which are passed on unchanged.
  var mayBeInvisible = false

  static let title = TextRule(maximumBytes: 1024, allowsNewline: false)
  package static let label = TextRule(maximumBytes: 256, allowsNewline: false)
  static let message = TextRule(maximumBytes: 65_536, allowsNewline: true)
  static let comment = TextRule(maximumBytes: 4096, allowsNewline: true)
  static let value = TextRule(maximumBytes: 65_536, allowsNewline: true, mayBeInvisible: true)

  package func check(_ text: String, at pointer: @autoclosure () -> String) throws(JSONError) {
    guard text.utf8.count <= maximumBytes else {
      throw JSONError("must have at most \(maximumBytes) bytes", at: pointer())
    }
    // Most texts are printable ASCII.
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), mayBeInvisible || text.utf8.contains(where: { $0 != 0x20 }) {
      return
    }
    for scalar in text.unicodeScalars {
      if scalar == "\n", allowsNewline { continue }
      if scalar.isForbiddenInRequest {
        throw JSONError("must not contain the character \(scalar.codePoint)", at: pointer())
      }
    }
    if !mayBeInvisible, !text.isEmpty, !text.hasVisibleCharacter {
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
