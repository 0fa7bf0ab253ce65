import Glibc
import RouterCore

/// The expected and the stored value around their first difference, as display text.
struct ValueDifference: Hashable {
  let expected: String
  let found: String

  /// Returns `nil` if the stored value has the expected type and value. JSON is parsed first, so the order of members
  /// does not matter.
  init?(_ expected: SQLiteValue, isJSON: Bool = false, in row: SQLiteStatement, _ column: Int32) {
    if row.holds(expected, column) { return nil }
    var (expected, found) = (expected.shown, row.shown(column))
    if isJSON { found.quote = "" }
    if isJSON, row.type(column) == .text,
      let (left, right) = try? (Self.canonical(expected.text), Self.canonical(found.text))
    {
      if left.utf8.elementsEqual(right.utf8) { return nil }
      (expected.text, found.text) = (left, right)
    }
    // Both excerpts start shortly before the first difference.
    let same = zip(expected.text.unicodeScalars, found.text.unicodeScalars).prefix { $0 == $1 }.count
    self.expected = expected.excerpt(from: same)
    self.found = found.excerpt(from: same)
  }

  /// The JSON text with the members of each object sorted by name.
  private static func canonical(_ text: String) throws -> String {
    try JSONValue(parsing: text, maximumDepth: JSONValue.maximumWrappedDepth).withSortedMembers.description
  }
}

/// A value as text, and its quotation mark for display.
private struct ShownValue {
  var text: String
  var quote = ""

  func excerpt(from same: Int) -> String {
    let scalars = text.unicodeScalars
    let start = same > 24 ? same - 16 : 0
    let (part, isCut) = (scalars.dropFirst(start).prefix(64), scalars.count > start + 64)
    return quote + (start > 0 ? "…" : "") + String(Substring(part)).escapedForTerminal() + (isCut ? "…" : "") + quote
  }
}

extension SQLiteValue {
  fileprivate var shown: ShownValue {
    switch self {
    case .null: ShownValue(text: "NULL")
    case .integer(let integer): ShownValue(text: String(integer))
    case .text(let text): ShownValue(text: text, quote: "\"")
    case .json(let text): ShownValue(text: text.description)
    case .blob(let bytes): ShownValue(text: "x'" + bytes.hexadecimal + "'")
    }
  }
}

extension SQLiteStatement {
  func holds(_ value: SQLiteValue, _ column: Int32) -> Bool {
    switch value {
    case .null: isNull(column)
    case .integer(let integer): type(column) == .integer && self.integer(column) == integer
    case .text(var text): type(column) == .text && text.withUTF8 { holdsBytes(UnsafeRawBufferPointer($0), column) }
    case .json(let text): type(column) == .text && text.bytes.withUnsafeBytes { holdsBytes($0, column) }
    case .blob(let bytes): type(column) == .blob && bytes.withUnsafeBytes { holdsBytes($0, column) }
    }
  }

  private func holdsBytes(_ bytes: UnsafeRawBufferPointer, _ column: Int32) -> Bool {
    withBytes(column) { stored in
      guard let left = bytes.baseAddress, let right = stored.baseAddress else { return bytes.isEmpty && stored.isEmpty }
      return bytes.count == stored.count && memcmp(left, right, bytes.count) == 0
    }
  }

  fileprivate func shown(_ column: Int32) -> ShownValue {
    switch type(column) {
    case .null: SQLiteValue.null.shown
    case .blob: SQLiteValue.blob(blob(column)).shown
    case .text: ShownValue(text: text(column) ?? "", quote: "\"")
    default: ShownValue(text: text(column) ?? "")
    }
  }
}
