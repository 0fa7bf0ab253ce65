import CSQLite

extension SQLiteConnection {
  /// Copies the database as it is at one moment into another file, which is overwritten (sqlite.org/backup.html).
  /// - Parameter progress: Called after each step with how much is done, from 0 to 1; what it throws ends the copying.
  func backUp(to path: String, progress: (Double) throws -> Void) throws {
    let copy = try SQLiteConnection(path: path, mode: .readWrite)
    // With a transaction open, the pages stay those of its moment, and a writer does not make the copying begin again.
    try transaction("BEGIN") {
      _ = try integer("SELECT count(*) FROM sqlite_schema")
      guard let backup = try sqlite3_backup_init(copy.handle, "main", handle, "main") else {
        throw copy.error(try sqlite3_errcode(copy.handle), sql: nil)
      }
      var code = SQLITE_OK
      do {
        while code == SQLITE_OK {
          code = sqlite3_backup_step(backup, 2048)
          let (all, left) = (sqlite3_backup_pagecount(backup), sqlite3_backup_remaining(backup))
          try progress(all > 0 ? Double(all - left) / Double(all) : 1)
        }
      } catch {
        sqlite3_backup_finish(backup)
        throw error
      }
      sqlite3_backup_finish(backup)
      guard code == SQLITE_DONE else { throw copy.error(code, sql: nil) }
    }
  }
}
