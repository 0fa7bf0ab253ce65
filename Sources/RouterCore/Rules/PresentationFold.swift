/// What decisions build on, as recorded: the open presentations of all surfaces, the used idempotency keys and the last request
/// number. A decider starts from it, and it serves queries.
@usableFromInline package struct PresentationFold: Sendable {
  @usableFromInline package private(set) var surfaces: [String: OpenPresentations] = [:]
  @usableFromInline package private(set) var surfaceOf: [PresentationID: String] = [:]
  package private(set) var keys = IdempotencyIndex()
  private(set) var lastNumber = 0
  /// The grants, rules and pauses in force.
  package private(set) var standing = Standing()
  package private(set) var agents = RecentAgents()

  package init() {}

  /// Restores what a log has.
  package init(
    _ entries: [OpenPresentation], lastNumber: Int, usedKeys: UsedKeys = UsedKeys(), standing: Standing = Standing(),
    agents: RecentAgents = RecentAgents()
  ) {
    self.lastNumber = lastNumber
    (self.standing, self.agents) = (standing, agents)
    keys.add(usedKeys)
    for (surface, entries) in Dictionary(grouping: entries, by: \.request.surface) {
      surfaces[surface] = OpenPresentations(entries)
    }
    for entry in entries {
      surfaceOf[entry.id] = entry.request.surface
      keys.opened(entry.presentation)
    }
  }

  /// Starts with a pruning.
  package init(_ start: Event.Pruned, at now: Moment) {
    self.init(
      start.carried.filter { $0.state != .resolved }.map { OpenPresentation($0, at: now) }, lastNumber: start.lastNumber,
      standing: Standing(start.grants, rules: start.rules, pauses: start.pauses, at: now))
  }

  package var count: Int { surfaceOf.count }

  // Inlinable, because a call from another module copies all of the fold.
  @inlinable package func surface(of id: PresentationID) -> String? { surfaceOf[id] }

  @inlinable package subscript(id: PresentationID) -> OpenPresentation? {
    surfaceOf[id].flatMap { surfaces[$0]?.entries[id] }
  }

  package func position(of id: PresentationID) -> Int { surfaceOf[id].flatMap { surfaces[$0]?.position(of: id) } ?? 0 }

  /// Applies the next recorded event. Returns its presentation after the event; `nil` if it is not about an open one.
  ///
  /// - Throws: ``FoldError``, with nothing changed, for an event that cannot follow.
  @discardableResult
  package mutating func apply(_ event: Event, at now: Moment) throws(FoldError) -> Presentation? {
    let presentation = try applyToOpen(event, at: now)
    switch event.detail {
    case .requested(let asked):
      lastNumber = max(lastNumber, asked.number)
      agents.note(asked.requester, agent: asked.request.agent, at: now.boot)
    case .pruned(let pruned): lastNumber = max(lastNumber, pruned.lastNumber)
    case .granted, .revoked, .rulesLoaded, .paused, .resumed: standing.apply(event, at: now)
    case .presented, .withdrawn, .deferred, .woken, .answered, .resolved, .presenterFailed, .detached, .delivered, .ran,
      .callbackDelivered, .callbackFailed, .presenterAttached, .presenterDetached, .daemonStarted, .daemonStopped, .throttled,
      .accessDenied, .pageLinkIssued:
      break
    }
    return presentation
  }

  private mutating func applyToOpen(_ event: Event, at now: Moment) throws(FoldError) -> Presentation? {
    guard let id = event.presentation else { return nil }
    let surface: String
    if case .requested(let asked) = event.detail {
      guard surfaceOf[id] == nil else { throw FoldError("it is requested twice") }
      surface = asked.request.surface
    } else {
      guard let found = surfaceOf[id] else { return nil }
      surface = found
    }
    defer { if surfaces[surface]?.count == 0 { surfaces[surface] = nil } }
    guard let presentation = try surfaces[surface, default: OpenPresentations()].apply(event, at: now.boot) else { return nil }
    if case .requested = event.detail {
      surfaceOf[id] = surface
      keys.opened(presentation)
    } else if case .resolved(let end) = event.detail {
      surfaceOf[id] = nil
      keys.ended(id, end.outcome)
    }
    return presentation
  }

  /// Applies the events of a restart, and holds the presentations that wait for their requesters.
  package mutating func restart(holding held: [PresentationID: Duration], with events: [Event], at now: Moment) {
    for event in events { _ = try? apply(event, at: now) }
    for (id, time) in held {
      guard let surface = surfaceOf[id] else { continue }
      surfaces[surface]!.hold(id, until: time)
    }
  }

  /// Sets all deadlines to what the recorded times leave of them. A follower may have read an event long after it was recorded, or
  /// while its clock was wrong.
  package mutating func setDeadlines(at now: Moment) {
    for surface in surfaces.keys { surfaces[surface]!.setDeadlines(at: now) }
    standing = Standing(standing.grants(), rules: standing.rules, pauses: standing.pauses.list(), at: now)
  }

  /// Releases a presentation that was held for its requester.
  package mutating func release(_ id: PresentationID) {
    guard let surface = surfaceOf[id] else { return }
    surfaces[surface]!.hold(id, until: nil)
  }

  /// Prevents the reuse of numbers and generations of events that could not be recorded.
  package mutating func skip(_ lost: some Sequence<Event>) {
    for event in lost {
      if case .requested(let asked) = event.detail { lastNumber = max(lastNumber, asked.number) }
      if case .presented(let shown) = event.detail, let id = event.presentation, let surface = surfaceOf[id] {
        surfaces[surface]!.skipGeneration(shown.generation, of: id)
      }
    }
  }
}
