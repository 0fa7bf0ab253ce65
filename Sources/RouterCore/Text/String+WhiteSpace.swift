extension StringProtocol {
  package var trimmingWhiteSpace: String {
    var scalars = unicodeScalars[...]
    while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
    while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
    return String(self[scalars.startIndex..<scalars.endIndex])
  }
}
