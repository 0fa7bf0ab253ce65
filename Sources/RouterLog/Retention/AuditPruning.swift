public import RouterCore
import RouterSystem

extension AuditLog {
  /// The result of a pruning.
  public struct Pruning: Sendable, Hashable {
    /// The last pruned event, with its hash; `nil` if no event was old enough.
    package let anchor: AuditHead?
    /// How many events were pruned.
    public let events: Int
  }
}

extension AuditLog {
  /// Prunes the events before the first one at or after `before`; `sweep` then removes them from the file.
  ///
  /// Commits a `pruned` event. The event carries over presentations with events on both sides of the cut, now or possibly
  /// later.
  ///
  /// - Parameter before: The time, at least a day ago, because idempotency keys are valid for a day.
  /// - Throws: ``RouterError``, with nothing changed: `impossible` for a time in the last day; `logUnavailable`.
  public func prune(before: Timestamp) async throws -> AuditLog.Pruning {
    try await prune(before: before, at: PresentationClock.system.wall())
  }

  package func prune(before: Timestamp, by resolver: Presentation.Responder? = nil, at now: Timestamp) async throws
    -> AuditLog.Pruning
  {
    try await prune(before: before, by: resolver, at: now, keeping: .seconds(86_400))
  }

  func prune(
    before: Timestamp, by resolver: Presentation.Responder? = nil, at now: Timestamp, keeping kept: Duration?
  ) async throws -> AuditLog.Pruning {
    if let kept, now.duration(since: before) < kept {
      throw RouterError(.impossible, "cannot prune the last day: idempotency keys count for a day", field: "/before")
    }
    await finishWriting()
    // Folding a large log takes a while. It runs outside the writer, since the events up to the cut no longer change.
    guard let cut = try await AuditReader(self).cut(before: before) else { return Pruning(anchor: nil, events: 0) }
    if let failure { throw failure }
    do {
      let pruning = try await onWriter { [primary] in try $0.prune(cut, before: before, by: resolver, at: now, primary: primary)
      }
      if pruning.anchor != nil { commitSignal.send(()) }
      return pruning
    } catch let error as RouterError {
      throw error
    } catch {
      throw RouterError(
        .logUnavailable, "cannot prune the audit log; nothing was changed", retryAfter: .seconds(1), cause: error)
    }
  }

  /// Removes pruned events from this file, and then from the primary log if this is a copy. Continues an earlier attempt.
  package func removePruned() async throws {
    try await sweep()
    guard let primary, let pruned = try await AuditReader(self).read(AuditFold.lastPruned) else { return }
    do {
      try await onWriter { _ in try primary.remove(through: pruned.anchor.seq) }
    } catch {
      throw RouterError(
        .logUnavailable, "cannot remove from the shared log what is recorded as pruned; prune again to go on",
        retryAfter: .seconds(1), cause: error)
    }
  }

  /// Removes pruned rows on the log's thread, without waiting for it.
  package func sweepSoon() {
    // Ends with the sweep or when the log closes.
    Task(executorPreference: executor) { [self] in try? await sweep() }
  }

  /// Removes pruned rows from the file and returns free pages to the file system. Works in steps of a few milliseconds,
  /// so that commits can run in between. If the task is canceled, the next sweep continues from there.
  ///
  /// - Parameter progress: Called after each step with the number of the last removed event and of the last pruned
  ///   event.
  package func sweep(progress: @Sendable (Int64, Int64) -> Void = { _, _ in }) async throws {
    guard var sweep = try await AuditReader(self).read(AuditSweep.init) else { return }
    while !sweep.isFinished {
      try Task.checkCancellation()
      if let failure { throw failure }
      do {
        sweep = try await onWriter { [sweep, clock] writer in
          var sweep = sweep
          try sweep.step(writer.connection, clock)
          return sweep
        }
        progress(sweep.swept, sweep.anchor)
      } catch let error as SQLiteError {
        throw RouterError(.logUnavailable, "cannot remove what was pruned", retryAfter: .seconds(1), cause: error)
      }
    }
  }
}

struct PruningCut: Sendable, Hashable {
  let seq: Int64
  /// The presentations that continue after the cut, in their state at the cut.
  let carried: [Presentation]
  /// The grants, rules and pauses in force at the cut.
  let grants: [Grant]
  let rules: RuleSet?
  let pauses: [SessionPause]
}

extension AuditReader {
  /// Finds the event to prune up to; `nil` if no event is old enough.
  func cut(before: Timestamp) async throws -> PruningCut? {
    try await read { connection in
      try connection.transaction("BEGIN") {
        let fold = try AuditFold(connection)
        var last = try connection.integer("SELECT coalesce(max(seq), 0) FROM events")
        if let late = try AuditHours(series: .events).numbers(since: before, until: nil, connection) {
          last =
            try connection.rows(
              "SELECT seq FROM events WHERE seq >= ? AND at >= ? ORDER BY seq LIMIT 1",
              [.integer(late.lowerBound), .text(before.description)]
            ) { $0.integer(0) - 1 }.first ?? last
        }
        // Otherwise an idle log would prune the previous `pruned` event and add a new one each time.
        let hasMore = try connection.integer(
          "SELECT EXISTS (SELECT 1 FROM events WHERE seq > ? AND seq <= ? AND type <> 'pruned')",
          [.integer(fold.anchor), .integer(last)])
        guard hasMore == 1 else { return nil }
        let ids = try Self.carried(over: last, fold, connection)
        let carried = try ids.compactMap { try fold.presentation($0, through: last) }
        let standing = try fold.standing(through: last)
        return PruningCut(
          seq: last, carried: carried.sorted { $0.number < $1.number },
          grants: standing.grants().filter { grant in grant.until.map { before < $0 } ?? true }, rules: standing.rules,
          pauses: standing.pauses.list().filter { before < $0.until })
      }
    }
  }

  /// Returns the presentations with events on both sides of a cut, now or possibly later.
  private static func carried(
    over cut: Int64, _ fold: AuditFold, _ connection: SQLiteConnection
  ) throws -> Set<PresentationID> {
    let found = try connection.rows(
      """
      SELECT presentation FROM events WHERE presentation IS NOT NULL AND seq > ?1
        GROUP BY presentation HAVING min(seq) <= ?2 AND max(seq) > ?2
      UNION SELECT id FROM presentations WHERE state <> 'resolved'
      UNION SELECT id FROM presentations WHERE callback_state = 'pending' AND state = 'resolved'
      """, [.integer(fold.anchor), .integer(cut)]
    ) { $0.text(0).flatMap(PresentationID.init) }
    let still = try (fold.pruned?.carried ?? []).map(\.id).filter { id in
      try connection.integer(
        "SELECT count(*) FROM events WHERE presentation = ? AND seq > ?", [.text(id.description), .integer(cut)]) > 0
    }
    return Set(found.compactMap(\.self) + still)
  }
}
