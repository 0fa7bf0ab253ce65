import DequeModule
import Logging

extension PresentationCoordinator {
  /// What was decided at once and is on its way to the record.
  struct Step {
    let number: Int
    let events: [Event]
    /// When it was decided, by the boot clock.
    let time: Duration
    let held: Held?
    var replies: [Reply] = []
  }

  /// What cannot be refused: it is held while the log cannot be written, and decided as of its time when it can.
  enum Held: Sendable {
    case fact(PresentationInput, Moment)
    case note(AuditEntry)
  }

  /// Called on the coordinator's thread with what became of a step.
  typealias Reply = (isolated PresentationCoordinator, Result<Void, RouterError>) -> Void

  // MARK: Deciding

  /// Decides what has happened and cannot be refused.
  func decide(_ fact: PresentationInput, at moment: Moment) {
    switch phase {
    case .running, .recovering, .shuttingDown:
      expire(at: moment)
      // Nothing is left to decide of what has ended.
      guard let events = try? surfaces.handle(fact, at: moment) else { return }
      submit(events, at: moment.boot, held: .fact(fact, moment))
    case .unwritable(var held, let retryAt):
      held.append(.fact(fact, moment))
      phase = .unwritable(held: held, retryAt: retryAt)
      if case .requesterGone(let id, _) = fact, let surface = committed[id]?.request.surface { takeDownGone(on: surface) }
    case .stopped: break
    }
  }

  /// Ends what is due. While the log cannot be written nothing is; it ends when that is over.
  func expire(at moment: Moment? = nil) {
    switch phase {
    case .running, .recovering, .shuttingDown:
      let moment = moment ?? now
      submit(surfaces.expire(at: moment), at: moment.boot)
    case .unwritable, .stopped: break
    }
  }

  /// Records something that decides nothing. `isKept` events are held while the log cannot be written; events that anyone can
  /// cause at will are dropped then, to bound the memory.
  func note(_ event: Event, row: Presentation? = nil, isKept: Bool = false) {
    let entry = AuditEntry(event, row: row)
    switch phase {
    case .running, .recovering, .shuttingDown: append([entry], at: clock.now(), held: isKept ? .note(entry) : nil)
    case .unwritable(let held, let retryAt):
      if isKept { phase = .unwritable(held: held + [.note(entry)], retryAt: retryAt) }
    case .stopped: break
    }
  }

  // MARK: Committing

  func submit(_ events: [Event], at time: Duration, held: Held? = nil, reply: Reply? = nil) {
    guard !events.isEmpty || held?.isAttachment == true else { return afterRecord(reply) }
    let entries = events.map { event in
      AuditEntry(
        event, row: event.presentation.flatMap { surfaces.entry($0)?.presentation ?? surfaces.ended[$0] })
    }
    append(entries, at: time, held: held, reply: reply)
    changed.formUnion(entries.compactMap { $0.row?.request.surface })
  }

  private func append(_ entries: [AuditEntry], at time: Duration, held: Held? = nil, reply: Reply? = nil) {
    lastStep += 1
    let number = lastStep
    pending.append(
      Step(number: number, events: entries.map(\.event), time: time, held: held, replies: reply.map { [$0] } ?? []))
    let completion: AuditLog.Completion = { [weak self] result in self?.send { $0.committed(number, result) } }
    if reply == nil, entries.allSatisfy({ $0.event.detail == .delivered }), !entries.isEmpty {
      log.appendLazily(entries, completion: completion)
    } else {
      log.append(entries, completion: completion)
    }
  }

  /// Calls back when all that is decided by now is on record, or cannot be.
  func afterRecord(_ reply: Reply?) {
    guard let reply else { return }
    if pending.isEmpty {
      reply(self, .success(()))
    } else {
      pending[pending.count - 1].replies.append(reply)
      log.flush()
    }
  }

  /// What became of a step. They come in the order in which they were sent.
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
    phase = .unwritable(held: failed.compactMap(\.held), retryAt: clock.now() + .seconds(1))
    screens.forgetReplaced()
    for surface in screens.presenters.keys { showCommitted(on: surface) }
  }

  /// Tries to write again: first what is held.
  func recover(_ held: [Held]) {
    phase = .recovering
    log.retry()
    replay(held)
    // Nothing to record: an empty append shows whether it would be.
    if pending.isEmpty { append([], at: clock.now()) }
  }

  func replay(_ held: [Held]) {
    for item in held {
      switch item {
      case .fact(let fact, let moment): decide(fact, at: moment)
      case .note(let entry): append([entry], at: clock.now(), held: item)
      }
    }
  }

  /// Goes on when all that was held is on record.
  private func goOn() {
    logger.notice("the audit log can be written again")
    phase = .running
    let moment = now
    submit(surfaces.expire(at: moment), at: moment.boot)
    submit(surfaces.resume(at: moment), at: moment.boot)
  }

  /// Why nothing can be decided now; `nil` if it can.
  var unavailable: RouterError? {
    switch phase {
    case .running: nil
    case .unwritable, .recovering: .logUnavailable
    case .shuttingDown, .stopped: RouterError(.shuttingDown, "cannot take requests: shutting down")
    }
  }
}

extension PresentationCoordinator.Held {
  /// Whether it is a presenter's coming or going.
  var isAttachment: Bool {
    switch self {
    case .fact(.presenterAttached, _), .fact(.presenterDetached, _): true
    case .fact, .note: false
    }
  }
}

extension RouterError {
  static let logUnavailable = RouterError(
    .logUnavailable, "cannot write the audit log; nothing was changed", retryAfter: .seconds(1))
}
