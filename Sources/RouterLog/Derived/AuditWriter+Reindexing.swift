import RouterCore

extension AuditWriter {
  /// Deletes everything that follows from the events, and makes it again. If it fails, the next ``project(progress:)`` continues.
  ///
  /// - Parameter progress: Called from time to time with the number of the last event whose rows are written.
  mutating func reindex(progress: (Int64) -> Void = { _ in }) throws {
    let pruned = try AuditFold.lastPruned(connection)
    projector = try connection.transaction {
      try AuditSchema.renewRows(connection)
      try connection.execute(AuditHours.insertEvents)
      var fresh = try AuditProjector(connection, head: end.chain.seq)
      try fresh.begin(with: pruned?.carried ?? [], after: pruned?.anchor.seq ?? 0, connection)
      return fresh
    }
    // Read again, because the table was empty or wrong before.
    end.eventHour = try AuditHours(series: .events).last(connection)
    try project(progress: progress)
  }
}

extension AuditLog {
  /// Deletes everything that follows from the events (rows, search texts, counts and hours), and makes it again.
  ///
  /// - Parameter progress: Called from time to time with the number of the last event whose rows are written.
  /// - Throws: ``RouterError`` if the log cannot be written. The rows are then completed by the next writer.
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
