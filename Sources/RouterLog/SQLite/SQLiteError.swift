import CSQLite

/// An error reported by SQLite. Contains the SQL, but never a bound value.
package struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The extended result code (sqlite.org/rescode.html).
  package let code: Int32
  package let message: String
  package let sql: String?

  /// Whether the disk is full or failing, or the file cannot be written. May be transient.
  package var isStorageFailure: Bool {
    [SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_NOMEM, SQLITE_BUSY].contains(code & 0xFF)
  }

  /// Whether a sync failed, so that what was written may be stored or not: `SQLITE_IOERR_FSYNC`, whose macro Swift does not import.
  var isSyncFailure: Bool { code == SQLITE_IOERR | (4 << 8) }

  /// Whether the file is damaged or not a database.
  package var isCorruption: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF) }

  /// Whether a query was interrupted, because its task was canceled or it exceeded the step limit.
  var isInterruption: Bool { code & 0xFF == SQLITE_INTERRUPT }

  /// Whether a reader found an inconsistent header in the shared memory, which it may not repair: `SQLITE_READONLY_RECOVERY`, whose
  /// macro Swift does not import.
  package var needsRecovery: Bool { code == SQLITE_READONLY | (1 << 8) }

  /// The reason as text for people.
  var reason: String {
    if isCorruption { return "the file is damaged or not a database" }
    return code & 0xFF == SQLITE_FULL ? "the disk is full" : message
  }

  package var description: String {
    // Keeps the description on one line; SQLite quotes a damaged schema in full.
    let line = message.prefix { !$0.isNewline }
    let query = sql.map { ", in: " + $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") } ?? ""
    return "SQLite error \(code): \(line)\(query)"
  }
}
