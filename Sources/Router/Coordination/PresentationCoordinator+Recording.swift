import OrderedCollections

extension PresentationCoordinator {
  /// Makes of a decision what is to be recorded, and brings the open presentations in line with it.
  ///
  /// - Parameter event: What was decided on, where the record says more of it than what it changed.
  func prepare(_ decision: PresentationSurfaces.Decision, after event: PresentationEvent? = nil) -> PendingDecision {
    recounted.insert(decision.surface)
    let (now, wall) = (clock.now(), clock.wall())
    let shownSince = Dictionary(decision.changes.map { ($0.id, open[$0.id]?.shownSince) }) { first, _ in first }
    let entries = decision.changes.compactMap {
      entry(for: $0, after: event, on: decision.surface, now: now, wall: wall)
    }
    var next = PendingDecision(entries: entries, decision: decision)
    next.shownSince = shownSince
    return next
  }

  private func entry(
    for change: PresentationChange, after event: PresentationEvent?, on surface: String, now: Duration, wall: Timestamp
  ) -> AuditEntry? {
    let id = change.id
    guard let presentation = open[id] else { return nil }
    let kind: AuditEvent.Kind
    let detail: JSONText
    switch change {
    case .requested(_, let place):
      presentation.row.place = place
      kind = .requested
      detail = requestedDetail(presentation)
    case .presented(_, let generation, let level):
      presentation.shownSince = now
      presentation.row.level = level
      presentation.row.presentation.show(generation: generation, at: wall)
      kind = .presented
      detail = JSONText { members in
        members.add("surface", .string(surface))
        members.add("generation", .integer(generation))
        members.add("level", .integer(level))
        members.add("presenters", .array(presenters(on: surface).map(\.json)))
      }
    case .withdrawn(_, let generation, let reason, let place):
      presentation.row.presentation.withdraw(isCovered: place == nil)
      if let place { presentation.row.place = place }
      kind = .withdrawn
      detail = showingDetail(presentation, generation: generation, now: now) { members in
        members.add("reason", .string(reason.rawValue))
      }
    case .answered(_, let answer, let resolver, let generation):
      presentation.row.presentation.withdraw(isCovered: true)
      let outcome = PresentationOutcome.answered(answer).redacted(if: presentation.row.presentation.request.sensitive)
      kind = .answered
      detail = showingDetail(presentation, generation: generation, now: now) { members in
        members.add("outcome", outcome)
        if let resolver { members.add("by", resolver) }
        members.add("stays", true)
      }
    case .resolved(_, let outcome, let resolver, let generation):
      presentation.answer = outcome
      presentation.row.presentation.resolve(outcome, by: resolver, at: wall)
      let recorded = presentation.row.presentation.outcome ?? outcome
      kind = AuditEvent.Kind(outcome.name)
      detail = showingDetail(presentation, generation: generation, now: now) { members in
        members.add("outcome", recorded)
        if let resolver { members.add("by", resolver) }
        // Who ends a flow is not who answered it last.
        if case .finish(id, let finisher?) = event { members.add("finishedBy", finisher) }
      }
    }
    return AuditEntry(at: wall, kind: kind, presentation: id, text: detail, row: presentation.row)
  }

  private func requestedDetail(_ presentation: OpenPresentation) -> JSONText {
    let row = presentation.row.presentation
    return JSONText { members in
      members.add("requester", row.requester)
      members.add("request", row.request.json, text: row.requestText)
      members.add("attached", .bool(row.attached))
      if presentation.onDismiss != nil { members.add("onDismiss", "inProcess") }
    }
  }

  /// Adds which showing ended and how long it took, in seconds.
  private func showingDetail(
    _ presentation: OpenPresentation, generation: Int?, now: Duration, _ addMembers: (inout TextMembers) -> Void
  ) -> JSONText {
    defer { presentation.shownSince = nil }
    return JSONText { members in
      addMembers(&members)
      if let generation { members.add("generation", .integer(generation)) }
      if let since = presentation.shownSince { members.add("shownFor", .seconds(now - since)) }
    }
  }

  /// The presenters of a surface, in the order in which they attached.
  func presenters(on surface: String) -> [PresenterSeat] {
    (surfaces.queue(surface)?.presenters ?? []).compactMap { seats[$0] ?? arriving[$0] }
  }

  /// The presenters that have their place. Those that have yet to come on record are told what there is to show when they are there,
  /// and nothing before.
  func seated(on surface: String) -> [PresenterSeat] {
    (surfaces.queue(surface)?.presenters ?? []).compactMap { seats[$0] }
  }

  /// What is recorded of a presenter that comes or goes.
  func presenterEntries(for event: PresentationEvent) -> [AuditEntry] {
    let (id, kind): (PresenterID, AuditEvent.Kind)
    switch event {
    case .attach(let presenter, _): (id, kind) = (presenter, .presenterAttached)
    case .detach(let presenter, _): (id, kind) = (presenter, .presenterDetached)
    case .request, .answer, .dismiss, .fail, .cancel, .finish, .claim: return []
    }
    guard let seat = seats[id] ?? arriving[id] else { return [] }
    let by = Resolver(process: seat.process, presenter: seat.name)
    let detail = JSONText { members in
      members.add("surface", .string(seat.surface))
      members.add("by", by)
    }
    return [AuditEntry(at: clock.wall(), kind: kind, text: detail)]
  }
}

extension Presentation {
  fileprivate mutating func show(generation: Int, at wall: Timestamp) {
    state = .presented
    covered = false
    self.generation = generation
    presentedAt = presentedAt ?? wall
  }

  fileprivate mutating func withdraw(isCovered: Bool) {
    state = isCovered ? .presented : .queued
    covered = isCovered
  }

  fileprivate mutating func resolve(_ outcome: PresentationOutcome, by resolver: Resolver?, at wall: Timestamp) {
    state = .resolved
    covered = false
    self.outcome = outcome.redacted(if: request.sensitive)
    resolvedBy = resolver
    resolvedAt = wall
  }
}

extension AuditEvent.Kind {
  init(_ name: PresentationOutcome.Name) {
    switch name {
    case .answered: self = .answered
    case .dismissed: self = .dismissed
    case .cancelled: self = .cancelled
    case .expired: self = .expired
    case .failed: self = .failed
    }
  }
}
