import Router

extension String {
  /// The text with every invisible or reordering character escaped, such as `\u{202E}`. Tabs become arrows; line feeds stay.
  var exact: String { PromptDescription.Run.exact(self).map(\.text).joined() }

  /// The lines, split at line feeds. A carriage return remains in its line, escaped.
  var exactLines: [String] {
    exact.split(at: "\n", omittingEmptySubsequences: false).map { String($0) }
  }

  /// The exact text in one line of at most 240 bytes, for a title or label.
  var exactTitle: String {
    let line = exact.replacing(each: "\n", with: " ")
    return line.utf8.count <= 240 ? line : line.scalars(fitting: 237) + "…"
  }

  /// Returns the longest prefix of code points that fits in `bytes` bytes of UTF-8.
  func scalars(fitting bytes: Int) -> String {
    var size = 0
    let rest = unicodeScalars.firstIndex { scalar in
      size += UTF8.width(scalar)
      return size > bytes
    }
    return String(self[..<(rest ?? endIndex)])
  }
}
