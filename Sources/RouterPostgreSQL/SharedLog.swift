#if PostgreSQL
import Router

/// The record of one shared surface in PostgreSQL, written by its leader.
final class SharedLog: PrimaryLog {
  private let surface: String
  private let connections: ConnectionPool
  /// Called after each commit.
  private let committed: @Sendable () -> Void
  private let epoch = Mutex<Int64>(0)

  init(surface: String, connections: ConnectionPool, committed: @escaping @Sendable () -> Void) {
    self.surface = surface
    self.connections = connections
    self.committed = committed
  }

  /// Starts leading in a new epoch.
  func lead(epoch: Int64) {
    self.epoch.withLock { $0 = epoch }
  }

  func commit(_ records: [AuditRecord], replies: [InboxReply], after previous: AuditHead) throws {
    let values: [String?] = [
      surface, "\(epoch.withLock(\.self))", previous.hash.byteLiteral, "\(previous.seq + 1)",
      records.map(\.at).arrayLiteral, records.map(\.type).arrayLiteral, records.map(\.presentation).arrayLiteral,
      records.map(\.detail).arrayLiteral, records.map(\.hash.byteLiteral).arrayLiteral,
      replies.map { "\($0.row)" }.arrayLiteral, replies.map { JSONText($0.reply).description }.arrayLiteral,
    ]
    var isUncertain = false
    while true {
      do {
        _ = try connections.run { try $0.query(Self.append, values) }
        break
      } catch let error as PostgreSQLError where error.isDisconnection {
        // The events may or may not be recorded. Another attempt shows which.
        isUncertain = true
        try connections.waitToRetry()
      } catch let error as PostgreSQLError where isUncertain && Self.alreadyThere.contains(error.code ?? "") {
        guard try isRecorded(records.last) else { throw Self.failure(error) }
        break
      } catch let error as PostgreSQLError {
        throw Self.failure(error)
      }
    }
    committed()
  }

  func remove(through seq: Int64) throws {
    _ = try connections.run { connection in
      try connection.query("SELECT router.remove($1, $2, $3)", [surface, "\(epoch.withLock(\.self))", "\(seq)"])
    }
  }

  /// Distinguishes a lost lead from other failures.
  private static func failure(_ error: PostgreSQLError) -> any Error {
    guard error.code == "RT001" else { return error }
    return RouterError(
      .impossible, "cannot change the shared log on this host: another host leads the surface; prune it there", cause: error)
  }

  /// Whether the record contains an event, so that a commit without a reply has succeeded.
  private func isRecorded(_ record: AuditRecord?) throws -> Bool {
    guard let record else { return false }
    while true {
      do {
        let rows = try connections.run { connection in
          try connection.query(
            "SELECT 1 FROM router.events WHERE surface = $1 AND seq = $2 AND hash = $3",
            [surface, "\(record.seq)", record.hash.byteLiteral])
        }
        return !rows.isEmpty
      } catch let error as PostgreSQLError where error.isDisconnection {
        try connections.waitToRetry()
      }
    }
  }

  /// Errors of a second attempt: another host leads, or the events are already recorded. A first transaction that was still
  /// running makes the second a unique violation.
  private static let alreadyThere: Set<String> = ["RT001", "RT002", "23505"]

  private static let append = """
    SELECT router.append(
      $1, $2, $3, $4, $5::text[], $6::text[], $7::text[], $8::text[], $9::bytea[], $10::bigint[], $11::text[])
    """
}

extension [String] {
  fileprivate var arrayLiteral: String { map { Optional($0) }.arrayLiteral }
}
#endif
