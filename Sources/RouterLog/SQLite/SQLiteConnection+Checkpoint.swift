import CSQLite

extension SQLiteConnection {
  /// Disables automatic checkpoints. Calls `told` within each commit with the size of the write-ahead log in pages. `told` must
  /// not use this connection.
  func leaveCheckpoints(_ told: @escaping (_ pages: Int) -> Void) throws {
    commitHook = told
    // Replaces SQLite's default hook, which would checkpoint within the commit (sqlite.org/c3ref/wal_hook.html).
    try sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        let connection = Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue()
        connection.commitHook?(Int(pages))
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Runs a passive checkpoint, which does not wait for readers or writers and copies only pages that no reader needs.
  func checkpoint() throws {
    // Opens the write-ahead log. SQLite would report success for a connection that has not read, but copy nothing.
    _ = try integer("PRAGMA schema_version")
    let code = try sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    guard code == SQLITE_OK || code == SQLITE_BUSY else { throw error(code, sql: nil) }
  }
}
