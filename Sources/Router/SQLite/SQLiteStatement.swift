import CSQLite

final class SQLiteStatement {
  /// `nil` when it was closed, which SQLite answers with `SQLITE_MISUSE`.
  private var handle: OpaquePointer?
  let sql: String

  init(handle: OpaquePointer, sql: String) {
    self.handle = handle
    self.sql = sql
  }

  deinit { close() }

  func close() {
    sqlite3_finalize(handle)
    handle = nil
  }

  func run(_ values: [SQLiteValue]) throws {
    defer { reset() }
    try bind(values)
    while try step() {}
  }

  func bind(_ values: [SQLiteValue]) throws {
    for (offset, value) in values.enumerated() {
      let index = Int32(offset + 1)
      let code: Int32 =
        switch value {
        case .null: sqlite3_bind_null(handle, index)
        case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
        case .text(var text): text.withUTF8 { bindText(UnsafeRawBufferPointer($0), index) }
        case .json(let text): text.bytes.withUnsafeBytes { bindText($0, index) }
        case .blob(let bytes):
          bytes.withUnsafeBytes { sqlite3_bind_blob64(handle, index, Self.start($0), UInt64($0.count), Self.transient) }
        }
      guard code == SQLITE_OK else { throw error(code) }
    }
  }

  private func bindText(_ bytes: UnsafeRawBufferPointer, _ index: Int32) -> Int32 {
    let start = Self.start(bytes)?.assumingMemoryBound(to: CChar.self)
    return sqlite3_bind_text64(handle, index, start, UInt64(bytes.count), Self.transient, UInt8(SQLITE_UTF8))
  }

  /// An address also for no bytes, which would be NULL otherwise.
  private static func start(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
  }

  /// `SQLITE_TRANSIENT`: SQLite copies the bytes.
  private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  func step() throws -> Bool {
    let code = sqlite3_step(handle)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw error(code)
    }
  }

  /// Makes the statement ready for its next use, and lets go of the values that were bound.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
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

  /// How many bytes the texts and blobs of the row have.
  var rowBytes: Int {
    (0..<sqlite3_column_count(handle)).reduce(0) { sum, column in
      switch type(column) {
      case .text, .blob: sum + Int(sqlite3_column_bytes(handle, column))
      case .null, .integer, .real: sum + 8
      }
    }
  }

  /// How a column's value is stored.
  func type(_ column: Int32) -> SQLiteStorageClass {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_NULL: .null
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    default: .blob
    }
  }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  private func error(_ code: Int32) -> SQLiteError {
    let message = handle.map { String(cString: sqlite3_errmsg(sqlite3_db_handle($0))) }
    return SQLiteError(code: code, message: message ?? "the database was closed", sql: sql)
  }
}

/// How SQLite stores a value (sqlite.org/datatype3.html).
enum SQLiteStorageClass {
  case null, integer, real, text, blob
}
