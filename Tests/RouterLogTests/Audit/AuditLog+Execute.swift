@testable import RouterLog

extension AuditLog {
  /// Runs SQL on the log's connection, bypassing the log, after the rows of earlier events are written.
  func execute(_ sql: String) throws {
    try withWriter { writer in
      try? writer.project()
      try writer.connection.execute(sql)
    }
  }
}
