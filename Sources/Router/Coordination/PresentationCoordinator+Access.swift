import OrderedCollections

extension PresentationCoordinator {
  /// Puts on record that somebody was not let do something.
  ///
  /// - Parameters:
  ///   - process: Who it was.
  ///   - what: What it was, such as a method and a path.
  ///   - reason: What it would have taken, or the rule that forbids it.
  ///   - presentation: What it was about, if it is in the record; the event is one of its own then.
  ///   - unrecorded: How many like it were not put on record before this one.
  public nonisolated func deny(
    _ process: ProcessIdentity, what: String, because reason: String, on presentation: PresentationID? = nil,
    unrecorded: Int = 0
  ) {
    var detail: OrderedDictionary<String, JSONValue> = [
      "by": Resolver(process: process).json, "what": .string(what), "reason": .string(reason),
    ]
    if unrecorded > 0 { detail["unrecorded"] = .integer(unrecorded) }
    mailbox.send(
      .note(AuditEntry(at: clock.wall(), kind: .accessDenied, presentation: presentation, detail: .object(detail))))
  }

  /// Who asked for an open presentation, on record or on its way there; `nil` if none is open.
  public func requester(of id: PresentationID) -> Requester? {
    open[id]?.row.presentation.requester
  }

  /// Goes once through the mailbox and the thread that writes the log, and returns when it has come out at the end: a
  /// daemon in which that happens is alive. What the log says does not matter, so that it returns on a full disk too.
  public nonisolated func turn() async {
    await withCheckedContinuation { continuation in
      if !mailbox.send(.turn { continuation.resume() }) { continuation.resume() }
    }
  }
}
