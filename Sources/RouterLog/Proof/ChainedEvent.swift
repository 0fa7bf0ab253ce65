package import RouterCore

/// A recorded event with its hash, as the log's stream has it.
package struct ChainedEvent: Sendable, Hashable {
  package let event: AuditEvent
  package let hash: [UInt8]

  package var head: AuditHead { AuditHead(seq: event.seq, hash: hash) }

  init(row: SQLiteStatement) throws(JSONError) {
    let record = AuditRecord(row: row)
    (event, hash) = (try AuditEvent(record), record.hash)
  }
}

extension ChainedEvent: PageElement {
  package static var pluralName: StaticString { AuditEvent.pluralName }
  package static var about: String { "A recorded event with its hash, as in /v1/log/events and /v1/log/stream." }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    event = try f.inline(\.event)
    hash = try f(
      "hash", { Hexadecimal($0.hash) }, "SHA-256 over the previous event's hash and this event.", .sha256
    ).bytes
  }
}

extension AuditHead {
  /// How a head kept outside the log relates to the log.
  package enum Place: Sendable, Hashable {
    case same, different
    /// The log ends before it.
    case cutOff
    /// Its event was pruned, so that it cannot be compared.
    case pruned
  }
}

extension AuditReader {
  /// Returns a page of events with their hashes and the cursor of the next page, as ``events(_:)`` does.
  package func chainedEvents(_ query: AuditQuery) async throws -> (page: [ChainedEvent], next: Int64?) {
    try await page(query) {
      try AuditEventPlan(query, $0).sql
    } row: {
      try ChainedEvent(row: $0)
    }
  }

  /// Returns the events after a head, oldest first, and how the head relates to the log, in one snapshot. Without the head,
  /// there are no events.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of events.
  ///   - maximumBytes: The maximum size of their stored text. There is at least one event, even if it is larger.
  package func events(
    after head: AuditHead, limit: Int = 1000, maximumBytes: Int = 4 << 20
  ) async throws -> (place: AuditHead.Place, events: [ChainedEvent]) {
    try await read(rows: .unused) { connection in
      try connection.transaction("BEGIN") {
        let place = try AuditVerifier.Span(connection).place(of: head, connection)
        guard place == .same || place == .pruned else { return (place, []) }
        var (events, bytes) = ([ChainedEvent](), 0)
        try connection.forEachRow(
          "SELECT \(AuditRecord.columns) FROM events WHERE seq > ? ORDER BY seq LIMIT ?", [.integer(head.seq), .int(limit)]
        ) { row in
          bytes += row.rowBytes
          guard events.isEmpty || bytes <= maximumBytes else { return false }
          events.append(try ChainedEvent(row: row))
          return true
        }
        return (place, events)
      }
    }
  }
}
