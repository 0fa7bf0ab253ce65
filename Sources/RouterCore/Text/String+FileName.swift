extension String {
  /// The last component of a path; empty if it has none.
  package var fileName: String {
    let slash = UInt8(ascii: "/")
    guard let last = utf8.lastIndex(where: { $0 != slash }) else { return "" }
    let start = utf8[..<last].lastIndex(of: slash).map(utf8.index(after:)) ?? startIndex
    return String(self[start..<utf8.index(after: last)])
  }
}
