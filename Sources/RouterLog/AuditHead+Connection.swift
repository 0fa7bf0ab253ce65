import RouterCore

extension AuditHead {
  init(_ connection: SQLiteConnection) throws {
    let newest = try connection.rows("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1") {
      AuditHead(seq: $0.integer(0), hash: $0.blob(1))
    }
    self = newest.first ?? AuditHead()
  }
}
