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
    var start = 0
    // Sixteen places at a time, by the first byte: a text has it in few.
    let (wanted, fold) = (SIMD16<UInt8>(repeating: first), SIMD16<UInt8>(repeating: first.isSmallLetter ? 0x20 : 0))
    while start + 15 <= last {
      let bytes = UnsafeRawPointer(baseAddress! + start).loadUnaligned(as: SIMD16<UInt8>.self)
      if any((bytes | fold) .== wanted), (start..<start + 16).contains(where: { has(part, at: $0) }) { return true }
      start += 16
    }
    return start <= last && (start...last).contains { has(part, at: $0) }
  }

  private func has(_ part: Self, at start: Int) -> Bool {
    part.indices.allSatisfy { self[start + $0].lowercasedASCII == part[$0] }
  }
}

extension UInt8 {
  fileprivate var isSmallLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }

  /// The byte, or the small letter that it is the capital of.
  package var lowercasedASCII: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}
