import RouterCore

extension AuditWriter {
  /// Deletes all derived data and rebuilds it. If this fails, the next ``project(progress:)`` continues.
  ///
  /// - Parameter progress: Called periodically with the number of the last event with written rows.
  mutating func reindex(progress: (Int64) -> Void = { _ in }) throws {
    let pruned = try AuditFold.lastPruned(connection)
    projector = try connection.transaction {
      try AuditSchema.renewRows(connection)
      try connection.execute(AuditHours.insertEvents)
      var fresh = try AuditProjector(connection, head: end.chain.seq)
      try fresh.begin(with: pruned?.carried ?? [], after: pruned?.anchor.seq ?? 0, connection)
      return fresh
    }
    // Read again, because the table was empty or wrong.
    end.eventHour = try AuditHours(series: .events).last(connection)
    try project(progress: progress)
  }
}

extension AuditLog {
  /// Deletes all derived data (rows, search texts, counts and hours), and rebuilds it.
  ///
  /// - Parameter progress: Called periodically with the number of the last event with written rows.
  ///  - Throws: ``RouterError`` if the log cannot be written. The next writer then completes the rows.
  package func reindex(progress: @escaping @Sendable (Int64) -> Void = { _ in }) async throws {
    do {
      try await onWriter { try $0.reindex(progress: progress) }
    } catch let error as SQLiteError {
      throw RouterError(.database, "cannot rebuild the index of \(path): \(error.reason)", cause: error)
    } catch let error as JSONError {
      throw RouterError(
        .database, "cannot rebuild the index of \(path): an event is damaged; run \"routerctl log verify\"", cause: error)
    }
  }
}
