import CSQLite

/// One prepared statement, which owns its handle.
final class SQLiteStatement {
  private let handle: OpaquePointer
  let sql: String
  private let parameterCount: Int
  private var boundBytes = 0
  /// So much of what was bound may be kept: SQLite uses its memory again for the next values.
  private static let keptBytes = 4096

  init(handle: OpaquePointer, sql: String) {
    self.handle = handle
    self.sql = sql
    parameterCount = Int(sqlite3_bind_parameter_count(handle))
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// - Parameter values: One for each parameter.
  func bind(_ values: [SQLiteValue]) throws {
    precondition(values.count == parameterCount, "each parameter needs a value")
    for (offset, value) in values.enumerated() {
      let index = Int32(offset + 1)
      let code: Int32
      switch value {
      case .null: code = sqlite3_bind_null(handle, index)
      case .integer(let integer): code = sqlite3_bind_int64(handle, index, integer)
      case .text(""): code = csqlite_bind_text(handle, index, "", 0)
      case .text(var text):
        code = text.withUTF8 { bytes in
          boundBytes += bytes.count
          return bytes.withMemoryRebound(to: CChar.self) { csqlite_bind_text(handle, index, $0.baseAddress, UInt64($0.count)) }
        }
      case .blob([]): code = sqlite3_bind_zeroblob(handle, index, 0)
      case .blob(let bytes):
        boundBytes += bytes.count
        code = bytes.withUnsafeBytes { csqlite_bind_blob(handle, index, $0.baseAddress, UInt64($0.count)) }
      }
      guard code == SQLITE_OK else { throw error(code) }
    }
  }

  /// Goes to the next row; false when there is none.
  func step() throws -> Bool {
    let code = sqlite3_step(handle)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw error(code)
    }
  }

  /// Makes the statement ready for its next use, and lets go of the values that were bound if they are large.
  func reset() {
    sqlite3_reset(handle)
    if boundBytes > Self.keptBytes { sqlite3_clear_bindings(handle) }
    boundBytes = 0
  }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func text(_ column: Int32) -> String? {
    guard let bytes = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  func blob(_ column: Int32) -> [UInt8] {
    guard let bytes = sqlite3_column_blob(handle, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
  }

  /// The bytes of a text or a blob where SQLite has them, which is until the next step; empty for `NULL`.
  func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    let bytes = sqlite3_column_blob(handle, column)
    return try body(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
  }

  /// The bytes of a column written as text, as a number's digits.
  func withText<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    let bytes = sqlite3_column_text(handle, column)
    return try body(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
  }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  private func error(_ code: Int32) -> SQLiteError {
    SQLiteError(code: code, message: String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))), sql: sql)
  }
}
