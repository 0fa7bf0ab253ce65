/// The record of a shared surface, which a log copies: an event counts once it is there.
package protocol PrimaryLog: Sendable {
  /// Records events in one transaction, with the replies to the inputs that caused them.
  ///
  /// Blocks until the result is known: if the connection is lost during the commit, it reads the record again.
  ///
  /// - Parameter previous: The event before the first one.
  /// - Throws: Any error if nothing was recorded.
  func commit(_ records: [AuditRecord], replies: [InboxReply], after previous: AuditHead) throws

  /// Removes the events up to one that a recorded pruning names.
  func remove(through seq: Int64) throws
}

/// The leader's reply to a row of the inbox, recorded with the events that result from it.
package struct InboxReply: Sendable, Hashable {
  package let row: Int64
  package let reply: SharedReply
}

/// A stored event: its columns.
package struct AuditRecord: Sendable, Hashable {
  package let seq: Int64
  package let at: String
  package let type: String
  package let presentation: String?
  package let detail: String
  package let hash: [UInt8]

  package init(seq: Int64, at: String, type: String, presentation: String?, detail: String, hash: [UInt8]) {
    self.seq = seq
    self.at = at
    self.type = type
    self.presentation = presentation
    self.detail = detail
    self.hash = hash
  }

  /// The record of an event that follows `end`, which it moves.
  init(_ event: Event, after end: inout AuditHead) {
    let detail = event.detailText
    (at, type, presentation) = (event.at.description, event.kind.rawValue, event.presentation?.description)
    self.detail = detail.description
    end.append(at: at, type: type, presentation: presentation, detail: detail.bytes)
    (seq, hash) = (end.seq, end.hash)
  }

  func event() throws -> Event {
    guard let time = Timestamp(at), let kind = AuditEvent.Kind(rawValue: type) else {
      throw JSONError("the event \(seq) cannot be read")
    }
    let json = try JSONValue(parsing: detail, maximumDepth: JSONValue.maximumWrappedDepth)
    return try Event(at: time, kind: kind, presentation: presentation.flatMap(PresentationID.init), detail: json)
  }
}

extension AuditLog {
  /// The last event of the copy.
  package var head: AuditHead { withWriter { $0.end.chain } }

  /// Copies events of the primary log, which another host has recorded.
  ///
  /// - Parameter start: The last pruning of the primary log. A new copy begins after it.
  /// - Returns: The events.
  /// - Throws: ``RouterError`` if they do not continue this copy, or if it cannot be written.
  package func copy(_ records: [AuditRecord], after start: Event.Pruned? = nil) throws(RouterError) -> [Event] {
    let events = try withWriter { (writer) throws(RouterError) in
      do {
        return try writer.copy(records, after: start)
      } catch {
        throw error as? RouterError
          ?? RouterError(.logUnavailable, "cannot write the copy of the log", retryAfter: .seconds(1), cause: error)
      }
    }
    queue.withLock { $0.lacksRows = true }
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
      chain.append(
        at: record.at, type: record.type, presentation: record.presentation, detail: record.detail.utf8)
      guard chain.seq == record.seq, chain.hash == record.hash else {
        throw RouterError(
          .database, "cannot follow the shared log: its event \(record.seq) does not continue the copy on this host")
      }
      events.append(try record.event())
    }
    let fold = try AuditFold(connection)
    var rows = Dictionary((start?.carried ?? []).map { ($0.id, $0) }) { _, last in last }
    let entries = try events.map { event in
      guard let id = event.presentation else { return AuditEntry(event) }
      if case .requested = event.detail {
        rows[id] = try Presentation(event)
      } else {
        if rows[id] == nil { rows[id] = try fold.presentation(id) ?? carried(id) }
        try rows[id]?.apply(event)
      }
      return AuditEntry(event, row: rows[id])
    }
    try commit(entries, after: start)
    copyFailure = nil
    return events
  }

  /// Returns a presentation that was carried over by a pruning whose event is not copied yet.
  private mutating func carried(_ id: PresentationID) throws -> Presentation? {
    try project()
    return try connection.presentation(id)
  }
}
