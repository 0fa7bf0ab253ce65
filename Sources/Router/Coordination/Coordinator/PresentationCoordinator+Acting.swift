extension PresentationCoordinator {
  /// Applies a step's committed events, and acts on them.
  func act(on step: Step) {
    var last: [PresentationID: Int] = [:]
    for (index, event) in step.events.enumerated() {
      if let id = event.presentation { last[id] = index }
    }
    seat(step.held)
    var touched: Set<String> = []
    for (index, event) in step.events.enumerated() {
      guard let id = event.presentation else { continue }
      if case .requested(let asked) = event.detail {
        committed[id] = PresentationQueue.Entry(Presentation(id, asked), now: step.time)
      } else {
        committed[id]?.apply(event, at: step.time)
      }
      guard let presentation = committed[id]?.presentation else { continue }
      touched.insert(presentation.request.surface)
      act(on: index, of: presentation, last: last[id] ?? index, in: step.events)
    }
    for surface in touched { show(on: surface) }
    changed.formUnion(touched)
    for reply in step.replies { reply(self, .success(())) }
    if let row = step.row { shared?.link.recorded(row) }
  }

  /// - Parameter last: The index of the presentation's last event in the step.
  private func act(on index: Int, of presentation: Presentation, last: Int, in events: [Event]) {
    let isLast = index == last
    let (id, surface) = (presentation.id, presentation.request.surface)
    func withdraw(_ generation: Int, _ reason: PresenterEvent.Withdrawal) {
      screens.withdraw(Screens.Showing(id: id, generation: generation), from: surface, because: reason)
    }
    switch events[index].detail {
    case .requested:
      if case .resolved = events[last].detail { break }
      for asker in waiters.askers(of: id) { asker.target.accept(snapshot(presentation)) }
      if isLast { waiters.tell(id, .queued(id, position: surfaces.position(of: id))) }
    case .presented(let shown):
      // A presentation that the same step covers or ends is never shown.
      if isLast { waiters.tell(id, .presented(id, generation: shown.generation)) }
    case .withdrawn(let withdrawn): withdraw(withdrawn.generation, withdrawn.reason == .covered ? .covered : .cancelled)
    case .answered(let answered):
      withdraw(answered.generation, .answered)
      let answer = answered.secret ?? answered.answer
      waiters.tell(id, .answered(id, generation: answered.generation, answer))
    case .resolved(let end):
      if let generation = end.generation { withdraw(generation, .init(rawValue: end.outcome.name.rawValue) ?? .failed) }
      committed[id] = nil
      if screens.ended(id), isOwn(presentation) { shared?.link.report(nil, of: id) }
      ended(presentation, secret: end.secret)
    default: break
    }
  }

  /// Notifies everyone who waits for a presentation, once its end is recorded.
  private func ended(_ presentation: Presentation, secret: PresentationAnswer?) {
    let id = presentation.id
    shared?.noteEnd(of: presentation)
    if let outcome = presentation.outcome { endedCounts[outcome.name, default: 0] += 1 }
    if shared.map({ $0.role == .leading }) ?? true,
      let pause = backoff?.ended(presentation, answer: secret, at: clock.now())
    {
      noteThrottled(presentation.requester, for: pause, after: id)
    }
    let group = waiters.take(id)
    var forAsker = presentation
    forAsker.outcome = secret.map { .answered($0) } ?? presentation.outcome
    for asker in group?.askers ?? [] {
      if asker.target.end(.success(forAsker)) { delivered(id) }
    }
    for watcher in group?.watchers.values.map({ $0 }) ?? [] { watcher(.success(presentation)) }
    if isOwn(presentation) { callbacks.add(presentation) }
    if let onDismiss = group?.onDismiss { run(onDismiss, of: presentation, after: group?.askers ?? []) }
  }

  /// Records that a requester is rate limited from now on, and the presentation that caused it, if any.
  func noteThrottled(_ requester: Requester, for pause: Duration, after id: PresentationID? = nil) {
    let throttled = Event.Throttled(uid: requester.process.uid, app: requester.app, duration: pause)
    record(Event(at: clock.wall(), presentation: id, .throttled(throttled)))
  }

  // MARK: Presenters

  /// Shows the top of the stack, if its request is recorded.
  func show(on surface: String) {
    guard let queue = surfaces.queues[surface], let top = queue.top, committed[top.id] != nil, !isGone(top.id),
      shared?.isAway != true
    else { return }
    screens.show(top.presentation, waiting: queue.waitingCount)
  }

  /// Attaches or detaches a presenter, once this is recorded.
  func seat(_ held: Held?) {
    switch held {
    case .fact(.presenterAttached(let id, _, let surface), _):
      let queue = surfaces.queue(surface)
      let shown = queue?.top.flatMap { committed[$0.id] == nil ? nil : $0.presentation }
      screens.attached(id, shown: shown, waiting: queue?.waitingCount ?? 0)
      show(on: surface)
    case .fact(.presenterDetached(let id, let surface), _): screens.detached(id, from: surface)
    default: break
    }
  }

  /// Returns presenters to the committed state after a failed commit.
  func showCommitted(on surface: String) {
    let top = surfaces.queue(surface)?.top?.presentation
    if let current = screens.current(on: surface), current != top.map(Screens.Showing.init) {
      screens.withdraw(current, from: surface, because: .covered)
    }
    show(on: surface)
    takeDownGone(on: surface)
  }

  /// Withdraws a prompt whose requester disconnected while the log is unwritable.
  func takeDownGone(on surface: String) {
    guard let current = screens.current(on: surface), isGone(current.id) else { return }
    screens.withdraw(current, from: surface, because: .cancelled)
  }

  /// Whether the requester of a presentation, or of one below it in the stack, disconnected while the log is
  /// unwritable.
  private func isGone(_ id: PresentationID) -> Bool {
    guard case .unwritable(let held, _) = phase else { return false }
    let gone = Set(
      held.compactMap { item in
        if case .fact(.requesterGone(let id, _), _) = item { id } else { nil }
      })
    return sequence(first: id) { self.committed[$0]?.request.over }.contains { gone.contains($0) }
  }

  /// Returns the committed presentation with its current queue position.
  func snapshot(_ presentation: Presentation) -> Presentation {
    var copy = presentation
    copy.position = copy.state == .queued ? surfaces.position(of: copy.id) : 0
    return copy
  }
}
