import CSQLite

extension SQLiteConnection {
  /// Gives SQL the function `has_part(part, text, …)`: whether one of the texts has the part in it, whatever the case of its
  /// ASCII letters. The part is given in lower case. Unlike `LIKE`, it knows no wildcards.
  func defineHasPart() throws {
    let code = try sqlite3_create_function_v2(
      handle, "has_part", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
      { context, count, arguments in
        guard let arguments, count > 1, let part = SQLiteConnection.bytes(of: arguments[0]) else {
          return sqlite3_result_int(context, 0)
        }
        for index in 1..<Int(count) {
          if let text = SQLiteConnection.bytes(of: arguments[index]), text.hasPart(part) {
            return sqlite3_result_int(context, 1)
          }
        }
        sqlite3_result_int(context, 0)
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, sql: nil) }
  }

  /// A text's UTF-8; `nil` for `NULL` and for a value that is none.
  private static func bytes(of value: OpaquePointer?) -> UnsafeBufferPointer<UInt8>? {
    // Not as text, for which SQLite copies each, to put a zero behind it.
    guard let bytes = sqlite3_value_blob(value) else { return nil }
    return UnsafeBufferPointer(
      start: bytes.assumingMemoryBound(to: UInt8.self), count: Int(sqlite3_value_bytes(value)))
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes have others in them that are in lower case, with ASCII letters taken in either.
  fileprivate func hasPart(_ part: Self) -> Bool {
    guard let first = part.first else { return true }
    guard count >= part.count else { return false }
    let last = count - part.count
    return (0...last).contains { start in
      self[start].lowercasedASCII == first && part.indices.allSatisfy { self[start + $0].lowercasedASCII == part[$0] }
    }
  }
}

extension UInt8 {
  /// The byte, or the small letter that it is the capital of.
  package var lowercasedASCII: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}
