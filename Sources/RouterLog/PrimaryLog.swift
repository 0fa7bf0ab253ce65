package import RouterCore
import RouterSystem

/// The record of a shared surface, which a log copies. Events take effect once this record contains them.
package protocol PrimaryLog: Sendable {
  /// Records events in one transaction, with the replies to the inputs that caused them.
  ///
  /// Blocks until the result is known: if the connection is lost during the commit, it reads the record again.
  ///
  /// - Parameter previous: The event before the first one.
  /// - Throws: Any error if nothing was recorded.
  func commit(_ records: [AuditRecord], replies: [InboxReply], after previous: AuditHead) throws

  /// Removes the events up to the last one named by a recorded pruning.
  func remove(through seq: Int64) throws
}

/// The leader's reply to a row of the inbox, recorded with the resulting events.
package struct InboxReply: Sendable, Hashable {
  package let row: Int64
  package let reply: SharedReply

  package init(row: Int64, reply: SharedReply) {
    (self.row, self.reply) = (row, reply)
  }
}

extension AuditLog {
  /// The last event of the copy.
  package var head: AuditHead { withWriter { $0.end.chain } }

  /// Whether this copy lacks events that this host has recorded in the primary log.
  package var isBehind: Bool { queue.withLock(\.isBehind) }

  /// Copies events that another host has recorded in the primary log.
  ///
  /// - Parameter start: The last pruning of the primary log. A new copy begins after it.
  /// - Returns: The events.
  /// - Throws: ``RouterError`` if the events do not continue this copy, or if the copy cannot be written.
  package func copy(_ records: [AuditRecord], after start: Event.Pruned? = nil) throws(RouterError) -> [Event] {
    let events = try withWriter { (writer) throws(RouterError) in
      do {
        return try writer.copy(records, after: start)
      } catch let error as FoldError {
        throw RouterError(
          .database,
          "cannot follow the shared log: it contradicts itself (\(error)); see \"A record that contradicts itself\" in SharedSurfaces",
          cause: error)
      } catch {
        throw error as? RouterError
          ?? RouterError(.logUnavailable, "cannot write the copy of the log", retryAfter: .seconds(1), cause: error)
      }
    }
    queue.withLock { $0.isBehind = false }
    lackRows()
    commitSignal.send(())
    projectSoon()
    return events
  }
}

extension AuditWriter {
  fileprivate mutating func copy(_ records: [AuditRecord], after start: Event.Pruned?) throws -> [Event] {
    let start = end.chain.seq == 0 ? start : nil
    var (chain, events) = (start?.anchor ?? end.chain, [Event]())
    for record in records {
      chain.append(record)
      guard chain.seq == record.seq, chain.hash == record.hash else {
        throw RouterError(
          .database, "cannot follow the shared log: its event \(record.seq) does not continue the copy on this host")
      }
      do { events.append(try record.event()) } catch {
        throw RouterError(
          .database,
          "cannot follow the shared log: this version cannot read its event \(record.seq) (\(record.type)); if the host that leads runs "
            + "a newer version, upgrade this one", cause: error)
      }
    }
    // A following host acts on the events.
    var fold = AuditCheck(carried: start?.carried ?? [])
    for event in events { try fold.add(event, to: &self) }
    try write(records, of: events, after: start)
    copyFailure = nil
    return events
  }
}
