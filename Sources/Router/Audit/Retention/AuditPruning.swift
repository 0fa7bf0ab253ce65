/// What a pruning took off the beginning of the log.
public struct AuditPruning: Sendable, Hashable {
  /// Up to where the record is gone now; `nil` if nothing was old enough.
  public let anchor: AuditHead?
  /// How many events are gone.
  public let events: Int
  /// The presentation that keeps the rest, though older than what was asked for: it is open, or its callback is not delivered,
  /// or it ended later. `nil` where everything went that was old enough.
  public let keeper: Presentation?
}

extension AuditLog {
  /// Takes the oldest events off the record: those before a time, up to the first presentation that is open, or ended later, or
  /// is still to be called back. The newest presentation stays in any case.
  ///
  /// Commits an event `pruned` and an anchor; with that they are gone as far as the proof goes. ``sweep(progress:)`` takes
  /// them out of the file.
  ///
  /// - Parameters:
  ///   - before: What ended before this time may go.
  ///   - by: Who wants it, where that is known.
  ///   - at: The time of the event.
  /// - Throws: ``RouterError`` with the code `logUnavailable` if it cannot be written; then nothing has changed.
  public func prune(before: Timestamp, by resolver: Resolver? = nil, at now: Timestamp) async throws -> AuditPruning {
    // Looking for the end takes a while in a large log, and is done beside the writer: what may go now may go later too.
    let limit = try await AuditReader(self).pruningLimit(before: before)
    if let failure { throw failure }
    do {
      let (anchor, events) = try await writer.prune(limit, before: before, by: resolver, at: now)
      if anchor != nil { ring() }
      return AuditPruning(anchor: anchor, events: events, keeper: limit.keeper)
    } catch let error as SQLiteError {
      throw RouterError(
        .logUnavailable, "cannot prune the audit log; nothing was changed", retryAfter: .seconds(1), cause: error)
    }
  }

  /// Takes out of the file what was pruned, in steps of some milliseconds between which others can write, and gives the file's
  /// free space back.
  ///
  /// It may be stopped at any time by cancelling the task, and goes on where it was the next time.
  ///
  /// - Parameter progress: Called after each step with the number of the last event that was taken out, and of the last that
  ///   is to be.
  public func sweep(progress: @Sendable (Int64, Int64) -> Void = { _, _ in }) async throws {
    var place: AuditWriter.SweepPlace? = .presentations(after: 0)
    while let next = place {
      try Task.checkCancellation()
      if let failure { throw failure }
      do {
        let (following, swept, end) = try await writer.sweep(from: next)
        place = following
        if end > 0 { progress(swept, end) }
      } catch let error as SQLiteError {
        throw RouterError(.logUnavailable, "cannot take out what was pruned", retryAfter: .seconds(1), cause: error)
      }
    }
  }
}

/// How far a pruning may go.
struct PruningLimit: Sendable, Hashable {
  /// The last event that may go.
  let seq: Int64
  /// The first presentation that stays.
  let number: Int64
  let keeper: Presentation?
}

extension AuditReader {
  func pruningLimit(before: Timestamp) async throws -> PruningLimit {
    try await read { connection in
      try connection.transaction("BEGIN") {
        // The newest presentation stays: numbers and the clock's steps go on from it.
        let newest = try connection.integer("SELECT max(number) FROM presentations")
        let kept = try connection.rows(
          """
          SELECT number, \(Presentation.columns) FROM presentations AS p
          WHERE state <> 'resolved' OR resolved_at >= ? OR callback_state = 'pending' OR number = ? ORDER BY number LIMIT 1
          """, [.text(before.description), .integer(newest)]
        ) { ($0.integer(0), try Presentation(row: $0, from: 1)) }.first
        var last = try connection.integer("SELECT coalesce(max(seq), 0) FROM events")
        if let late = try ClockSteps(series: .events, connection: connection).numbers(since: before, until: nil) {
          let first = try connection.rows(
            "SELECT seq FROM events WHERE seq >= ? AND at >= ? ORDER BY seq LIMIT 1",
            [.integer(late.lowerBound), .text(before.description)]
          ) { $0.integer(0) }.first
          last = first.map { $0 - 1 } ?? last
        }
        guard let (number, presentation) = kept else { return PruningLimit(seq: last, number: 0, keeper: nil) }
        let asked = try connection.integer(
          "SELECT min(seq) FROM events WHERE presentation = ?", [.text(presentation.id.description)])
        let isBound = asked > 0 && asked <= last && number != newest
        if asked > 0 { last = min(last, asked - 1) }
        return PruningLimit(seq: last, number: number, keeper: isBound ? presentation : nil)
      }
    }
  }
}
