import Logging

/// Acts on recorded events, of this host or of the leader of a shared surface.
extension PresentationCoordinator {
  /// Applies the recorded events of one input, and acts on them.
  ///
  /// - Parameters:
  ///   - seq: The number of the last of these events.
  ///   - fact: The input, if it attaches or detaches a presenter of this host.
  func follow(_ events: [Event], through seq: Int64, at time: Duration, fact: PresentationInput? = nil) {
    followed = max(followed, seq)
    if let fact { seat(fact) }
    justEnded = [:]
    var last: [PresentationID: Int] = [:]
    if events.count > 1 {
      for (index, event) in events.enumerated() {
        if let id = event.presentation { last[id] = index }
      }
    }
    let time = Moment(boot: time, wall: clock.wall())
    var touched: Set<String> = []
    for (index, event) in events.enumerated() {
      guard contradiction == nil else { break }
      callbacks.follow(event)
      do {
        guard let presentation = try committed.apply(event, at: time) else { continue }
        touched.insert(presentation.request.surface)
        act(on: index, of: presentation, last: last[presentation.id] ?? index, in: events)
      } catch {
        contradicted(by: event, error)
      }
    }
    for surface in touched { show(on: surface) }
    changed.formUnion(touched)
  }

  /// Stops at a recorded event that is invalid in the current state. The log has validated the event, so this should not
  /// happen. The daemon's other surfaces continue.
  private func contradicted(by event: Event, _ error: FoldError) {
    let error = RouterError(
      .logUnavailable,
      "cannot go on: the record has \(event.kind.rawValue), which contradicts the state here (\(error)); restart the daemon",
      cause: error)
    logger.critical("a surface has stopped", metadata: ["error": "\(error)"])
    contradiction = error
    for surface in screens.presenters.keys { takeDown(on: surface) }
  }

  /// Withdraws the prompt of a surface, since another host may show it.
  func takeDown(on surface: String) {
    if let current = screens.current(on: surface) { screens.withdraw(current, from: surface, because: .covered) }
  }

  /// - Parameter last: The index of the presentation's last event among the events.
  private func act(on index: Int, of presentation: Presentation, last: Int, in events: [Event]) {
    let isLast = index == last
    let (id, surface) = (presentation.id, presentation.request.surface)
    func withdraw(_ generation: Int, _ reason: Presentation.Withdrawal) {
      screens.withdraw(Screens.Showing(id: id, generation: generation), from: surface, because: reason)
    }
    switch events[index].detail {
    case .requested:
      if case .resolved = events[last].detail { break }
      for asker in waiters.askers(of: id) { asker.target.accept(snapshot(presentation)) }
      if isLast { waiters.tell(id, .queued(id, position: committed.position(of: id))) }
      for (asker, reason) in waiters.leavers(of: id) { self.withdraw(asker, reason) }
    case .presented(let shown):
      // A presentation that a later event covers or ends is never shown.
      if isLast { waiters.tell(id, .presented(id, generation: shown.generation)) }
    case .withdrawn(let withdrawn):
      withdraw(withdrawn.generation, withdrawn.reason.told)
      if isLast, withdrawn.until != nil { waiters.tell(id, .queued(id, position: committed.position(of: id))) }
    case .deferred: if isLast { waiters.tell(id, .queued(id, position: committed.position(of: id))) }
    case .presenterFailed(let failure):
      screens.withdraw(Screens.Showing(id: id, generation: failure.generation), from: surface, failed: failure.by)
    case .answered(let answered):
      withdraw(answered.generation, .answered)
      if let requirement = presentation.request.require {
        waiters.tell(id, .approved(id, have: presentation.approvals.count, need: requirement.answers))
        break
      }
      let answer = answered.secret ?? answered.answer
      waiters.tell(id, .answered(id, generation: answered.generation, answer))
    case .resolved(let end):
      if let generation = end.generation { withdraw(generation, .init(rawValue: end.outcome.name.rawValue) ?? .failed) }
      if screens.ended(id), isOwn(presentation) { shared?.link.report(nil, of: id) }
      ended(presentation, secret: end.secret)
    // Nobody waits for the others.
    default: break
    }
  }

  /// Notifies all waiters of a presentation after its end is recorded.
  private func ended(_ presentation: Presentation, secret: PresentationAnswer?) {
    let id = presentation.id
    justEnded[id] = presentation
    if let outcome = presentation.outcome { endedCounts[outcome.name, default: 0] += 1 }
    decide(.ended(presentation, secret: secret))
    let group = waiters.take(id)
    var forAsker = presentation
    if let secret { forAsker.outcome = .answered(secret) }
    for asker in group?.askers ?? [] {
      if asker.target.end(.success(forAsker)) { delivered(id) }
    }
    for watcher in group?.watchers.values.map({ $0 }) ?? [] { watcher(.success(presentation)) }
    if isOwn(presentation) { callbacks.add(presentation) }
    if let onDismiss = group?.onDismiss { run(onDismiss, of: presentation, after: group?.askers ?? []) }
  }

  /// Records an event that does not affect the rules.
  func record(_ event: Event, isKept: Bool = false) {
    if case .stopped = phase { return }
    decide(.record(event, isKept: isKept))
  }

  /// Marks surfaces whose presenters may need an update, before the events are recorded.
  func noteDecided(_ events: [Event]) {
    for event in events {
      if case .requested(let asked) = event.detail {
        changed.insert(asked.request.surface)
      } else if let id = event.presentation, let surface = committed.surface(of: id) {
        changed.insert(surface)
      }
    }
  }

  /// Handles decisions that could not be recorded.
  func lost(_ events: [Event], _ error: RouterError) {
    logger.error("cannot write the audit log", metadata: ["error": "\(error)"])
    committed.skip(events)
    for event in events {
      if case .requested = event.detail, let id = event.presentation { waiters.lost(id, error) }
    }
    changed.formUnion(committed.surfaces.keys)
  }

  // MARK: Presenters

  /// Shows the top of the stack, if its request is recorded.
  func show(on surface: String) {
    guard !decider.isAway, contradiction == nil, let top = decider.top(on: surface, committed),
      committed.surface(of: top.id) != nil,
      !isGone(top.id)
    else { return }
    screens.show(top, waiting: waitingCount(on: surface, without: top.id), at: now)
  }

  /// The number of queued presentations on record, excluding one that is shown before its showing is recorded.
  func waitingCount(on surface: String, without shown: PresentationID? = nil) -> Int {
    guard let open = committed.surfaces[surface] else { return 0 }
    let shown = shown ?? screens.current(on: surface)?.id
    return open.waitingCount - (shown.flatMap { open[$0] }?.isShown == false ? 1 : 0)
  }

  /// Attaches or detaches a presenter after the event is recorded.
  private func seat(_ fact: PresentationInput) {
    switch fact {
    case .presenterAttached(let id, _, let surface):
      screens.attached(
        id, shown: decider.top(on: surface, committed), waiting: waitingCount(on: surface), at: now)
      show(on: surface)
    case .presenterDetached(let id, let surface): screens.detached(id, from: surface)
    default: break
    }
  }

  /// Ends a presenter whose attachment was refused.
  func refuse(_ fact: PresentationInput, _ error: RouterError) {
    guard case .presenterAttached(let id, _, let surface) = fact else { return }
    screens.seat(id)?.end(error)
    screens.detached(id, from: surface)
  }

  /// Returns presenters to the committed state after a failed commit.
  func showCommitted() {
    screens.forgetReplaced()
    for surface in screens.presenters.keys { showCommitted(on: surface) }
  }

  func showCommitted(on surface: String) {
    let top = committed.surfaces[surface]?.top?.presentation
    if let current = screens.current(on: surface), current != top.map(Screens.Showing.init) {
      screens.withdraw(current, from: surface, because: .covered)
    }
    show(on: surface)
    takeDownGone(on: surface)
  }

  /// Withdraws a prompt after its requester disconnected, when the end cannot be recorded yet.
  func takeDownGone(on surface: String) {
    guard let current = screens.current(on: surface), isGone(current.id) else { return }
    screens.withdraw(current, from: surface, because: .cancelled)
  }

  /// Whether the requester of a presentation, or of one below it, has disconnected and the end cannot be recorded yet.
  private func isGone(_ id: PresentationID) -> Bool {
    let gone = decider.gone
    return !gone.isEmpty && sequence(first: id) { self.committed[$0]?.request.over }.contains { gone.contains($0) }
  }

  /// Returns the committed presentation with its current queue position.
  func snapshot(_ presentation: Presentation) -> Presentation {
    var copy = presentation
    copy.position = copy.state == .queued ? committed.position(of: copy.id) : 0
    return copy
  }
}
