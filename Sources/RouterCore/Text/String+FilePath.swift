extension String {
  /// The last component of a path; empty if there is none.
  package var fileName: String {
    let slash = UInt8(ascii: "/")
    guard let last = utf8.lastIndex(where: { $0 != slash }) else { return "" }
    let start = utf8[..<last].lastIndex(of: slash).map(utf8.index(after:)) ?? startIndex
    return String(self[start..<utf8.index(after: last)])
  }

  /// The path without its last component: `/` for an entry of the root, `.` for a bare name.
  package var parentDirectory: String {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }
}
