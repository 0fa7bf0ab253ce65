import OrderedCollections
package import RouterCore

/// A recorded event with its hash, as the log's stream has it.
package struct ChainedEvent: Sendable, Hashable {
  package let event: AuditEvent
  package let hash: [UInt8]

  package var head: AuditHead { AuditHead(seq: event.seq, hash: hash) }

  /// The event as in the HTTP API, and its `hash`.
  package var json: JSONValue {
    guard case .object(var members) = event.json else { return event.json }
    members["hash"] = .string(hash.hexadecimal)
    return .object(members)
  }

  init(row: SQLiteStatement) throws(JSONError) {
    let record = AuditRecord(row: row)
    (event, hash) = (try AuditEvent(record), record.hash)
  }

  /// Decodes the format of ``json``.
  package init(json: JSONValue) throws(JSONError) {
    event = try AuditEvent(json: json)
    guard let hash = json["hash"]?.string.flatMap({ [UInt8](hexadecimal: $0) }) else {
      throw JSONError("the event \(event.seq) has no hash")
    }
    self.hash = hash
  }
}

extension AuditHead {
  /// How a head kept outside the log relates to the log.
  package enum Relation: Sendable, Hashable {
    case same, different
    /// The log ends before it.
    case cutOff
    /// Its event was pruned, so that it cannot be compared.
    case pruned
  }
}

extension AuditReader {
  /// Returns how a head kept outside the log relates to it.
  package func relation(of head: AuditHead) async throws -> AuditHead.Relation {
    try await read(rows: .unused) { connection in
      try connection.transaction("BEGIN") { try AuditVerifier.Span(connection).relation(of: head, connection) }
    }
  }
}
