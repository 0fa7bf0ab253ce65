import DequeModule
import Logging

extension PresentationCoordinator {
  /// The events of one input, on their way to the log.
  struct Step {
    let number: Int
    let events: [Event]
    /// The boot time of the decision.
    let time: Duration
    let held: Held?
    var replies: [Reply] = []
    /// The inbox row of another host that it results from.
    var row: InboxReply?
  }

  /// An input or event that cannot be refused. It is held while the log is unwritable, and applied later as of its time.
  enum Held: Sendable {
    case fact(PresentationInput, Moment)
    case record(Event)
  }

  /// Called on the coordinator's executor with the result of a step.
  typealias Reply = (isolated PresentationCoordinator, Result<Void, RouterError>) -> Void

  // MARK: Deciding

  /// Applies an input that cannot be refused.
  func decide(_ fact: PresentationInput, at moment: Moment) {
    let fact = shared.map { fact.stamped(host: $0.host) } ?? fact
    if let shared, shared.role != .leading { return forward(fact, at: moment) }
    switch phase {
    case .running, .recovering, .shuttingDown:
      expire(at: moment)
      // Ignored if its presentation has ended.
      guard let events = try? surfaces.handle(fact, at: moment) else { return }
      submit(events, at: moment.boot, held: .fact(fact, moment))
    case .unwritable(var held, let retryAt):
      held.append(.fact(fact, moment))
      phase = .unwritable(held: held, retryAt: retryAt)
      if case .requesterGone(let id, _) = fact, let surface = committed[id]?.request.surface { takeDownGone(on: surface) }
    case .stopped: break
    }
  }

  /// Expires presentations that are due. While the log is unwritable, this waits until it is writable again.
  func expire(at moment: Moment? = nil) {
    if let shared, shared.role != .leading { return }
    switch phase {
    case .running, .recovering, .shuttingDown:
      let moment = moment ?? now
      submit(surfaces.expire(at: moment), at: moment.boot)
    case .unwritable, .stopped: break
    }
  }

  /// Records an event that does not affect the rules. While the log is unwritable, `isKept` events are held; others,
  /// which clients can cause at will, are dropped to bound the memory.
  func record(_ event: Event, isKept: Bool = false) {
    if let shared, shared.role != .leading { return forward(event) }
    switch phase {
    case .running, .recovering, .shuttingDown: append([event], at: clock.now(), held: isKept ? .record(event) : nil)
    case .unwritable(let held, let retryAt):
      if isKept { phase = .unwritable(held: held + [.record(event)], retryAt: retryAt) }
    case .stopped: break
    }
  }

  // MARK: Committing

  /// - Parameter row: The inbox row of another host that the events result from.
  func submit(
    _ events: [Event], at time: Duration, held: Held? = nil, row: InboxReply? = nil, reply: Reply? = nil
  ) {
    guard !events.isEmpty || held?.isAttachment == true || row != nil else { return afterRecord(reply) }
    append(events, at: time, held: held, row: row, reply: reply)
    for event in events {
      guard let id = event.presentation else { continue }
      if let surface = surfaces.surface(of: id) ?? surfaces.ended[id]?.request.surface { changed.insert(surface) }
    }
  }

  func append(
    _ events: [Event], at time: Duration, held: Held? = nil, row: InboxReply? = nil, reply: Reply? = nil
  ) {
    lastStep += 1
    let number = lastStep
    pending.append(
      Step(number: number, events: events, time: time, held: held, replies: reply.map { [$0] } ?? [], row: row))
    let replies = row.map { [$0] } ?? []
    let completion: AuditLog.Completion = { [weak self] result in self?.send { $0.committed(number, result) } }
    if reply == nil, events.allSatisfy({ $0.detail == .delivered }), !events.isEmpty {
      log.appendLazily(events, replies: replies, completion: completion)
    } else {
      log.append(events, replies: replies, completion: completion)
    }
  }

  /// Calls `reply` once all decisions so far are recorded or have failed.
  func afterRecord(_ reply: Reply?) {
    guard let reply else { return }
    if pending.isEmpty {
      reply(self, .success(()))
    } else {
      pending[pending.count - 1].replies.append(reply)
      log.flush()
    }
  }

  /// Handles the result of a step. Results arrive in the order of the steps.
  private func committed(_ number: Int, _ result: Result<Void, RouterError>) {
    guard number > failedStep else { return }
    switch result {
    case .success:
      guard let step = pending.popFirst() else { preconditionFailure("the log recorded what nobody sent") }
      precondition(step.number == number, "the log recorded \(number) before \(step.number)")
      act(on: step)
      if case .recovering = phase, pending.isEmpty { goOn() }
      finishShutDownIfDone()
    case .failure(let error): goBack(error)
    }
  }

  // MARK: Failing

  private func goBack(_ error: RouterError) {
    logger.error("cannot write the audit log", metadata: ["error": "\(error)"])
    let failed = pending
    pending = []
    failedStep = lastStep
    let events = failed.flatMap(\.events)
    let lost = Set(events.compactMap(\.presentation))
    for event in events {
      guard let id = event.presentation else { continue }
      if case .presented(let shown) = event.detail, let last = committed[id]?.lastGeneration {
        committed[id]!.lastGeneration = max(last, shown.generation)
      }
      if case .requested = event.detail { waiters.take(id)?.fail(error) }
    }
    surfaces.pause()
    surfaces.rebuild(Array(committed.values), presenters: screens.presenters, lost: lost)
    changed.formUnion(surfaces.names)
    for step in failed {
      for reply in step.replies { reply(self, .failure(error)) }
    }
    if case .shuttingDown(let continuations, _) = phase { return stop(continuations) }
    if shared != nil { return stepDown(failed.compactMap(\.held)) }
    phase = .unwritable(held: failed.compactMap(\.held), retryAt: clock.now() + .seconds(1))
    screens.forgetReplaced()
    for surface in screens.presenters.keys { showCommitted(on: surface) }
  }

  /// Tries to write again, starting with the held inputs.
  func recover(_ held: [Held]) {
    phase = .recovering
    log.retry()
    replay(held)
    // With nothing to record, an empty append checks whether the log is writable.
    if pending.isEmpty { append([], at: clock.now()) }
  }

  func replay(_ held: [Held]) {
    for item in held {
      switch item {
      case .fact(let fact, let moment): decide(fact, at: moment)
      case .record(let event): append([event], at: clock.now(), held: item)
      }
    }
  }

  /// Resumes once all held inputs are recorded.
  private func goOn() {
    logger.notice("the audit log can be written again")
    phase = .running
    let moment = now
    submit(surfaces.expire(at: moment), at: moment.boot)
    submit(surfaces.resume(at: moment), at: moment.boot)
  }

  /// The error for new inputs; `nil` if they are accepted.
  var unavailable: RouterError? {
    switch phase {
    case .running where shared?.isAway == true: .sharedLogAway
    case .running: nil
    case .unwritable, .recovering: .logUnavailable
    case .shuttingDown, .stopped: RouterError(.shuttingDown, "cannot take requests: shutting down")
    }
  }
}

extension PresentationCoordinator.Held {
  /// Whether it attaches or detaches a presenter.
  var isAttachment: Bool {
    switch self {
    case .fact(.presenterAttached, _), .fact(.presenterDetached, _): true
    case .fact, .record: false
    }
  }
}

extension RouterError {
  static let logUnavailable = RouterError(
    .logUnavailable, "cannot write the audit log; nothing was changed", retryAfter: .seconds(1))
}
