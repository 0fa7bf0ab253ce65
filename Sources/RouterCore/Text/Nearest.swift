extension Sequence<String> {
  /// Returns the most similar text, as a suggestion for a mistyped one; `nil` if none has at most a third of its characters
  /// wrong.
  package func nearest(to text: String) -> String? {
    let word = Array(text.lowercased().prefix(64))
    let found = map { ($0, Array($0.lowercased().prefix(64)).distance(to: word)) }.min { $0.1 < $1.1 }
    return found.flatMap { $0.1 <= Swift.max(1, word.count / 3) ? $0.0 : nil }
  }
}

extension [Character] {
  /// Returns the edit distance: the number of inserted, deleted, replaced or swapped characters.
  fileprivate func distance(to other: [Character]) -> Int {
    var rows = [[Int]](repeating: [Int](repeating: 0, count: other.count + 1), count: count + 1)
    for i in 0...count { rows[i][0] = i }
    for j in 0...other.count { rows[0][j] = j }
    for i in indices {
      for j in other.indices {
        let isSame = self[i] == other[j]
        var edits = Swift.min(rows[i][j] + (isSame ? 0 : 1), rows[i][j + 1] + 1, rows[i + 1][j] + 1)
        if i > 0, j > 0, self[i] == other[j - 1], self[i - 1] == other[j] { edits = Swift.min(edits, rows[i - 1][j - 1] + 1) }
        rows[i + 1][j + 1] = edits
      }
    }
    return rows[count][other.count]
  }
}
