import CSQLite
import RouterCore

extension SQLiteConnection {
  /// Defines the SQL function `has_part(part, text, …)`, which tests whether any text contains `part`. It ignores the
  /// case of ASCII letters and, unlike `LIKE`, has no wildcards. `part` must be lowercase.
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

  /// Returns the UTF-8 bytes of a text; `nil` for `NULL` and other types.
  private static func bytes(of value: OpaquePointer?) -> UnsafeBufferPointer<UInt8>? {
    // Read as a blob: SQLite would copy a text to terminate it with a zero.
    guard let bytes = sqlite3_value_blob(value) else { return nil }
    return UnsafeBufferPointer(
      start: bytes.assumingMemoryBound(to: UInt8.self), count: Int(sqlite3_value_bytes(value)))
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes contain `part`, which is lowercase, ignoring the case of ASCII letters.
  fileprivate func hasPart(_ part: Self) -> Bool {
    guard let first = part.first else { return true }
    guard count >= part.count else { return false }
    let last = count - part.count
    var start = 0
    // Compares the first byte at sixteen positions at once, since few match.
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
