import CSQLite

extension SQLiteConnection {
  /// Copies a snapshot of the database into another file, which is overwritten (sqlite.org/backup.html).
  ///
  /// - Parameter progress: Called after each step with the completed fraction from 0 to 1. Throwing cancels the backup.
  func backUp(to path: String, progress: (Double) throws -> Void) throws {
    let copy = try SQLiteConnection(path: path, mode: .readWrite)
    // An open transaction keeps the snapshot, so that a writer does not restart the backup.
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
