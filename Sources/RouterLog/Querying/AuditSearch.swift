import RouterCore

/// A parsed ``AuditQuery/search``. Words and phrases become one FTS5 expression (sqlite.org/fts5.html, section 3). Every term
/// is quoted, so that no input is parsed as an operator or a syntax error.
struct AuditSearch: Sendable, Hashable {
  struct Term: Sendable, Hashable {
    let text: String
    /// Whether the last word is a prefix.
    let isBeginning: Bool
  }

  /// The words and phrases to find.
  let terms: [Term]
  /// The substrings to find, with ASCII letters in lowercase.
  let parts: [String]
  /// An FTS5 expression; `nil` if there are only substrings.
  var words: String? {
    terms.isEmpty ? nil : terms.map { "\"\($0.text)\"\($0.isBeginning ? " *" : "")" }.joined(separator: " AND ")
  }

  /// - Throws: ``RouterError`` with the code `invalid` for an empty search, an open quotation mark or a term without a
  ///   letter or digit.
  init(_ text: String) throws(RouterError) {
    // FTS5 treats a NUL as the end of the expression.
    let scalars = String.UnicodeScalarView(text.unicodeScalars.map { $0.value == 0 ? " " : $0 })
    var rest = Substring(String(scalars)).unicodeScalars
    var terms: [Term] = []
    var parts: [String] = []
    while true {
      rest = rest.drop { $0.properties.isWhitespace }
      guard let first = rest.first else { break }
      let isPart = first == "*"
      if isPart { rest = rest.drop { $0 == "*" } }
      let isQuoted = rest.first == "\""
      let term = isQuoted ? try Self.quoted(&rest) : Self.word(&rest)
      let isBeginning = rest.first == "*"
      rest = rest.drop { $0 == "*" }
      if isPart {
        guard !term.isEmpty else { throw Self.error("a * needs something after it") }
        parts.append(String(decoding: term.utf8.map(\.lowercasedASCII), as: UTF8.self))
      } else {
        guard term.unicodeScalars.contains(where: \.isOfWord) else {
          throw Self.error("\(term.shortened) has no letter and no digit; *\(term.shortened) finds it as a part of the text")
        }
        terms.append(Term(text: term, isBeginning: isBeginning))
      }
    }
    guard !terms.isEmpty || !parts.isEmpty else { throw Self.error("there is nothing to search for") }
    guard terms.count + parts.count <= 64 else { throw Self.error("at most 64 words are allowed") }
    self.terms = terms
    self.parts = parts
  }

  private static func quoted(_ rest: inout Substring.UnicodeScalarView) throws(RouterError) -> String {
    let inside = rest.dropFirst().prefix { $0 != "\"" }
    guard inside.endIndex != rest.endIndex else { throw error("a quotation mark is not closed") }
    rest = rest[rest.index(after: inside.endIndex)...]
    return String(String.UnicodeScalarView(inside))
  }

  private static func word(_ rest: inout Substring.UnicodeScalarView) -> String {
    let word = rest.prefix { !$0.properties.isWhitespace && $0 != "\"" && $0 != "*" }
    rest = rest[word.endIndex...]
    return String(String.UnicodeScalarView(word))
  }

  private static func error(_ why: String) -> RouterError { RouterError(.invalid, "cannot search: \(why)") }
}

extension Unicode.Scalar {
  /// Whether FTS5's tokenizer `unicode61` treats the scalar as part of a word.
  var isOfWord: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber, .letterNumber,
      .otherNumber, .privateUse:
      true
    default: false
    }
  }
}
