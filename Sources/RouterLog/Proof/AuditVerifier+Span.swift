import RouterCore

extension AuditVerifier.Span {
  init(_ connection: SQLiteConnection) throws {
    first = try connection.integer("SELECT coalesce(min(seq), 1) FROM events")
    // The walk reports a number out of range.
    head = try AuditHead(connection)
    // The walk reports unreadable `pruned` events.
    prunings = try connection.rows(
      "SELECT \(AuditRecord.columns) FROM events WHERE type = 'pruned' ORDER BY seq", [], AuditRecord.init(row:)
    ).compactMap { record in
      guard let event = try? record.event(), case .pruned(let pruned) = event.detail else { return nil }
      return (record.seq, event.at, pruned)
    }
    let before = first &- 1
    start = before == 0 ? AuditHead().hash : prunings.first { $0.detail.anchor.seq == before }?.detail.anchor.hash
  }

  /// Checks that the `pruned` events agree with each other.
  var fault: AuditVerification.Fault? {
    var last: Event.Pruned?
    for pruning in prunings {
      let anchor = pruning.detail.anchor.seq
      let isFirst = last == nil
      let events = Int64(pruning.detail.events)
      guard anchor < pruning.seq, isFirst ? events <= anchor : events == anchor - (last?.anchor.seq ?? 0) else {
        return .init(seq: pruning.seq, what: "its number of pruned events is wrong")
      }
      last = pruning.detail
    }
    return nil
  }

  /// Checks that a head kept outside the log is on the chain, which has already been verified.
  func fault(expecting expected: AuditHead, _ connection: SQLiteConnection) throws -> AuditVerification.Fault? {
    let stored = try connection.rows("SELECT hash FROM events WHERE seq = ?", [.integer(expected.seq)]) { $0.blob(0) }.first
    let pruned = prunings.first { $0.detail.anchor.seq == expected.seq }?.detail.anchor.hash
    let what: String? =
      if expected.seq > head.seq {
        "the log ends before it: its end was cut off, or this is another log"
      } else if let hash = expected.seq == 0 ? AuditHead().hash : stored ?? pruned {
        hash == expected.hash
          ? nil : "its hash is not the expected one: the log was rewritten, or this is another log"
      } else {
        "it was pruned and is not the last event of any pruning on record, so it cannot be compared"
      }
    return what.map { .init(seq: expected.seq, what: $0) }
  }
}
