import RouterCore

extension AuditWriter {
  /// Commits the `pruned` event, unless the log has since been pruned at least as far.
  mutating func prune(
    _ cut: PruningCut, before: Timestamp, by resolver: Presentation.Responder?, at now: Timestamp,
    primary: (any PrimaryLog)? = nil
  ) throws -> AuditLog.Pruning {
    let last = try AuditFold.lastPruned(connection)?.anchor.seq ?? 0
    let hash = try connection.rows("SELECT hash FROM events WHERE seq = ?", [.integer(cut.seq)]) { $0.blob(0) }.first
    guard cut.seq > last, let hash else { return AuditLog.Pruning(anchor: nil, events: 0) }
    let anchor = AuditHead(seq: cut.seq, hash: hash)
    let pruned = Event.Pruned(
      anchor: anchor, before: before, events: Int(cut.seq - last), lastNumber: try AuditFold.lastNumber(connection),
      carried: cut.carried, grants: cut.grants, rules: cut.rules, pauses: cut.pauses, by: resolver)
    let event = Event(at: now, .pruned(pruned))
    var draft = try draft(for: primary)
    try draft.add(AuditLog.Append([event]), to: &self)
    try commit(draft, to: primary)
    return AuditLog.Pruning(anchor: anchor, events: pruned.events)
  }
}
