package import RouterCore

/// Finds the words of a search in a text, so that a list can show the match.
package struct SearchWords: Sendable {
  private let terms: [(words: [[Unicode.Scalar]], isBeginning: Bool)]
  private let parts: [[Unicode.Scalar]]

  /// - Returns: `nil` for an invalid search.
  package init?(_ search: String) {
    guard let search = try? AuditSearch(search) else { return nil }
    terms = search.terms.map { (Self.words(of: $0.text).map(\.scalars), $0.isBeginning) }
    parts = search.parts.map { Array($0.unicodeScalars) }
  }

  /// Returns the ranges of the words, in order and without overlaps.
  package func ranges(in text: String) -> [Range<String.Index>] {
    let words = Self.words(of: text)
    var found: [Range<String.Index>] = []
    for (term, isBeginning) in terms where !term.isEmpty && term.count <= words.count {
      for start in 0...words.count - term.count {
        let matches = zip(term, words[start...]).enumerated().allSatisfy { index, pair in
          let mayContinue = isBeginning && index == term.count - 1
          return (mayContinue ? pair.0.count <= pair.1.scalars.count : pair.0.count == pair.1.scalars.count)
            && zip(pair.0, pair.1.scalars).allSatisfy(Self.isSame)
        }
        if matches { found.append(words[start].range.lowerBound..<words[start + term.count - 1].range.upperBound) }
      }
    }
    let scalars = text.unicodeScalars
    for part in parts {
      var start = scalars.startIndex
      while let end = scalars.index(start, offsetBy: part.count, limitedBy: scalars.endIndex) {
        let isFound = zip(part, scalars[start..<end]).allSatisfy { $0 == $1.properties.lowercaseMapping.unicodeScalars.first }
        if isFound { found.append(start..<end) }
        start = isFound ? end : scalars.index(after: start)
        if start == scalars.endIndex { break }
      }
    }
    return found.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, range in
      if merged.last.map({ $0.upperBound > range.lowerBound }) != true { merged.append(range) }
    }
  }

  /// Returns the line with the first match in a presentation's texts, beginning at most `count` characters before the match.
  package func passage(of presentation: Presentation, after count: Int) -> String? {
    let texts = SearchableText(presentation)
    for text in [texts.message, texts.answer, texts.sheet].compactMap(\.self) {
      guard let range = ranges(in: text).first else { continue }
      let before =
        text[..<range.lowerBound].split(at: "\n", omittingEmptySubsequences: false).last?.drop(while: \.isWhitespace)
        ?? ""
      let start = before.suffix(count)
      return (start.count < before.count ? "…" : "") + start + text[range.lowerBound...].prefix { !$0.isNewline }
    }
    return nil
  }

  /// Splits a text as FTS5's tokenizer does, in lowercase and without combining marks.
  private static func words(of text: String) -> [(range: Range<String.Index>, scalars: [Unicode.Scalar])] {
    let scalars = text.unicodeScalars
    var words: [(range: Range<String.Index>, scalars: [Unicode.Scalar])] = []
    var start = scalars.startIndex
    while let first = scalars[start...].firstIndex(where: \.isOfWord) {
      let end = scalars[first...].firstIndex { !$0.isOfWord && !$0.isMark } ?? scalars.endIndex
      words.append((first..<end, String(scalars[first..<end]).lowercased().unicodeScalars.filter { !$0.isMark }))
      start = end
    }
    return words
  }

  /// Whether two code points may be the same letter. The tokenizer removes accents, so a letter with an accent matches one
  /// without: the row is already known to match.
  private static func isSame(_ left: Unicode.Scalar, _ right: Unicode.Scalar) -> Bool {
    left == right || left.isASCII != right.isASCII
  }
}

extension Unicode.Scalar {
  fileprivate var isMark: Bool { properties.generalCategory == .nonspacingMark }
}
