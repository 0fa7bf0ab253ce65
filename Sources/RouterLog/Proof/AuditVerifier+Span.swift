import RouterCore

extension AuditVerifier.Span {
  init(_ connection: SQLiteConnection) throws {
    first = try connection.integer("SELECT coalesce(min(seq), 1) FROM events")
    // The walk reports an out-of-range number.
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

  /// Returns the relation of a head kept outside the log to the log.
  func relation(of other: AuditHead, _ connection: SQLiteConnection) throws -> AuditHead.Relation {
    guard other.seq <= head.seq else { return .cutOff }
    let stored = try connection.rows("SELECT hash FROM events WHERE seq = ?", [.integer(other.seq)]) { $0.blob(0) }.first
    let pruned = prunings.first { $0.detail.anchor.seq == other.seq }?.detail.anchor.hash
    guard let hash = other.seq == 0 ? AuditHead().hash : stored ?? pruned else { return .pruned }
    return hash == other.hash ? .same : .different
  }

  /// Checks that a head kept outside the log is on the chain, which has already been verified.
  func fault(expecting expected: AuditHead, _ connection: SQLiteConnection) throws -> AuditVerification.Fault? {
    let what: String? =
      switch try relation(of: expected, connection) {
      case .same: nil
      case .different: Self.wasRewritten
      case .cutOff: Self.wasCutOff
      case .pruned: "it was pruned and is not the last event of any pruning on record, so it cannot be compared"
      }
    return what.map { .init(seq: expected.seq, what: $0) }
  }

  /// Compares all anchors in ascending order. The first mismatch is a fault; a pruned anchor is not.
  func compare(
    _ anchors: [(name: String, head: AuditHead)], _ connection: SQLiteConnection
  ) throws -> (result: AuditVerification.Anchors, fault: AuditVerification.Fault?) {
    var (result, fault) = (AuditVerification.Anchors(), AuditVerification.Fault?.none)
    for (name, head) in anchors.sorted(by: { $0.head.seq < $1.head.seq }) {
      let place = try relation(of: head, connection)
      switch place {
      case .same:
        result.matching += 1
        result.newest = head
      case .pruned: result.pruned += 1
      case .different, .cutOff:
        result.failing += 1
        let why = place == .cutOff ? Self.wasCutOff : Self.wasRewritten
        fault = fault ?? .init(seq: head.seq, what: "the anchor \(name) does not match: \(why)")
      }
    }
    return (result, fault)
  }

  private static let wasRewritten = "its hash is not the expected one: the log was rewritten, or this is another log"
  private static let wasCutOff =
    "the log ends before it: its end was cut off, an older copy replaced it, or this is another log"
}
