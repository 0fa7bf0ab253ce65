/// The words of a shell command that is only a list of words, so that the program can be determined without a shell.
package enum PlainWords {
  /// Returns the words; `nil` if the text contains anything with a special meaning in a shell, such as variables, patterns,
  /// pipes and redirections.
  package static func of(_ text: String) -> [String]? {
    var (words, word): ([String], [UInt8]?) = ([], nil)
    var quote: UInt8?
    for byte in text.utf8 {
      if let open = quote {
        if byte == open {
          quote = nil
        } else if special.contains(byte) || byte == UInt8(ascii: "\n") {
          return nil
        } else {
          word?.append(byte)
        }
      } else if byte == UInt8(ascii: " ") {
        if let ended = word { words.append(String(decoding: ended, as: UTF8.self)) }
        word = nil
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
        word = word ?? []
      } else if byte.isWordByte, !(byte == UInt8(ascii: "~") && word == nil) {
        if word == nil { word = [] }
        word?.append(byte)
      } else {
        return nil
      }
    }
    guard quote == nil else { return nil }
    if let ended = word { words.append(String(decoding: ended, as: UTF8.self)) }
    // An assignment before the program, or a reserved word, is not an argument.
    guard let first = words.first, !first.contains("="), !reserved.contains(first) else { return nil }
    return words
  }

  /// Characters with a special meaning in double quotes, or in an interactive shell.
  private static let special: Set<UInt8> = [UInt8(ascii: "$"), UInt8(ascii: "`"), UInt8(ascii: "\\"), UInt8(ascii: "!")]
  private static let reserved: Set = [
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "in", "function", "select",
    "time", "coproc", "exec", "eval", "source", ".", "alias", "export", "command", "builtin",
  ]
}

extension UInt8 {
  /// Whether the byte is literal in a word of a POSIX shell.
  fileprivate var isWordByte: Bool { lowercasedASCII.isSmallLetter || "0123456789_@%+=:,./~^-".utf8.contains(self) }
}
