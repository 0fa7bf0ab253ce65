extension Sequence<String> {
  /// Converts the rows of a list to labels that all look different. The texts may contain bytes that are not UTF-8
  /// (``Swift/String/init(keeping:)``).
  ///
  /// A row that looks like an earlier one is shown in ASCII, with escapes such as `e\u{301}` and `\xff`; identical rows are
  /// numbered. A row that is too long for a label is shown without its middle.
  package var distinctLabels: [String] {
    var (texts, seen): (Set<[UInt8]>, Set<String>) = ([], [])
    var numbers: [String: Int] = [:]
    return map { row in
      let label = row.asLabel
      let isNew = texts.insert(Array(label.utf8)).inserted
      if seen.insert(label.asSeen).inserted { return label }
      // An identical row needs only a number.
      let ascii = isNew ? label.escaped(where: { !$0.isASCII }).fittingLabel : label
      if seen.insert(ascii.asSeen).inserted { return ascii }
      while true {
        numbers[ascii, default: 1] += 1
        let numbered = "\(ascii) (\(numbers[ascii, default: 2]))"
        if seen.insert(numbered.asSeen).inserted { return numbered }
      }
    }
  }
}

extension String {
  /// The text as a one-line label, with characters escaped that a request may not contain.
  package var asLabel: String {
    let label = withUnixLineEnds.replacing(anyOf: "\n\t", with: " ").showingKeptBytes.escaped(where: \.isHiddenInText)
    return label.hasVisibleCharacter ? label.fittingLabel : "(empty)"
  }

  /// The text, without its middle if it is too long for a label with a number.
  fileprivate var fittingLabel: String {
    let most = TextRule.label.maximumBytes - 16
    guard utf8.count > most else { return self }
    func end(_ scalars: some Sequence<Unicode.Scalar>) -> [Unicode.Scalar] {
      var left = (most - 3) / 2
      return Array(
        scalars.prefix { scalar in
          left -= UTF8.width(scalar)
          return left >= 0
        })
    }
    var label = String.UnicodeScalarView()
    label += end(unicodeScalars)
    label.append("…")
    label += end(unicodeScalars.reversed()).reversed()
    return String(label)
  }

  fileprivate func escaped(where isEscaped: (Unicode.Scalar) -> Bool) -> String {
    guard unicodeScalars.contains(where: isEscaped) else { return self }
    var output: [UInt8] = []
    for scalar in unicodeScalars { output += isEscaped(scalar) ? Array(scalar.escape.utf8) : Array(UTF8.encode(scalar)!) }
    return String(decoding: output, as: UTF8.self)
  }
}
