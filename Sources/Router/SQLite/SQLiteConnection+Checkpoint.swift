import CSQLite

extension SQLiteConnection {
  /// Leaves checkpoints to others. `told` runs within each commit, gets the log's pages, and must not use this connection.
  func leaveCheckpoints(_ told: @escaping (_ pages: Int) -> Void) throws {
    commitHook = told
    // It replaces the hook of SQLite's own, which would checkpoint within the commit (sqlite.org/c3ref/wal_hook.html).
    try sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        let connection = Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue()
        connection.commitHook?(Int(pages))
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Moves what the write-ahead log holds into the database, as far as no reader still needs it as it was. It waits for nobody.
  func checkpoint() throws {
    let code = try sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    guard code == SQLITE_OK || code == SQLITE_BUSY else { throw error(code, sql: nil) }
  }
}
