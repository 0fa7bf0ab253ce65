package import RouterCore

/// A recorded event with its hash, as in the log's stream.
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
  /// The relation of a head kept outside the log to the log.
  package enum Relation: Sendable, Hashable {
    case same, different
    /// The log ends before it.
    case cutOff
    /// The head's event was pruned, so that it cannot be compared.
    case pruned
  }
}

extension AuditReader {
  /// Returns the relation of a head kept outside the log to this log.
  package func relation(of head: AuditHead) async throws -> AuditHead.Relation {
    try await read(rows: .unused) { connection in
      try connection.transaction("BEGIN") { try AuditVerifier.Span(connection).relation(of: head, connection) }
    }
  }
}
