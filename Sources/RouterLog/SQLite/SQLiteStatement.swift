import CSQLite
import RouterCore

final class SQLiteStatement {
  /// The handle; `nil` once closed. SQLite then returns `SQLITE_MISUSE`.
  private var handle: OpaquePointer?
  let sql: String
  /// The buffer for bound values until the next reset. Saves SQLite an allocation per value.
  private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: usualBytes, alignment: 1)
  /// The initial size of the buffer, and the maximum size to keep between uses.
  private static let (usualBytes, keptBytes) = (256, 16384)

  init(handle: OpaquePointer, sql: String) {
    self.handle = handle
    self.sql = sql
  }

  deinit {
    close()
    bytes.deallocate()
  }

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
    let byteCount = values.reduce(0) { $0 + $1.byteCount }
    if byteCount > bytes.count { makeRoom(for: byteCount) }
    guard var place = bytes.baseAddress else { return }
    func put(_ bytes: UnsafeRawBufferPointer) -> (start: UnsafeMutableRawPointer, count: Int) {
      defer { place += bytes.count }
      if let start = bytes.baseAddress { place.copyMemory(from: start, byteCount: bytes.count) }
      return (place, bytes.count)
    }
    for (offset, value) in values.enumerated() {
      let index = Int32(offset + 1)
      let code: Int32
      switch value {
      case .null: code = sqlite3_bind_null(handle, index)
      case .integer(let integer): code = sqlite3_bind_int64(handle, index, integer)
      case .text(var text): code = bindText(text.withUTF8 { put(UnsafeRawBufferPointer($0)) }, index)
      case .json(let text): code = bindText(text.bytes.withUnsafeBytes(put), index)
      case .blob(let blob):
        let (start, count) = blob.withUnsafeBytes(put)
        code = sqlite3_bind_blob64(handle, index, start, UInt64(count), nil)
      }
      guard code == SQLITE_OK else { throw error(code) }
    }
  }

  /// Passes no destructor: SQLite reads the bytes in place and does not free them (sqlite.org/c3ref/bind_blob.html).
  private func bindText(_ text: (start: UnsafeMutableRawPointer, count: Int), _ index: Int32) -> Int32 {
    let start = text.start.assumingMemoryBound(to: CChar.self)
    return sqlite3_bind_text64(handle, index, start, UInt64(text.count), nil, UInt8(SQLITE_UTF8))
  }

  private func makeRoom(for count: Int) {
    bytes.deallocate()
    bytes = .allocate(byteCount: count, alignment: 1)
  }

  func step() throws -> Bool {
    let code = sqlite3_step(handle)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw error(code)
    }
  }

  /// Resets the statement for its next use, and clears the bound values.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    if bytes.count > Self.keptBytes { makeRoom(for: Self.usualBytes) }
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

  /// Passes the bytes of a text or blob to `body`; empty for `NULL`. They are valid until the next step.
  func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    let bytes = sqlite3_column_blob(handle, column)
    return try body(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
  }

  /// The size of the row's texts and blobs in bytes.
  var rowBytes: Int {
    (0..<sqlite3_column_count(handle)).reduce(0) { sum, column in
      switch type(column) {
      case .text, .blob: sum + Int(sqlite3_column_bytes(handle, column))
      case .null, .integer, .real: sum + 8
      }
    }
  }

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

enum SQLiteStorageClass {
  case null, integer, real, text, blob
}
