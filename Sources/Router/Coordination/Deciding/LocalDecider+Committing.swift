import DequeModule
import Logging

extension LocalDecider {
  // MARK: Committing

  func submit(
    _ events: [Event], at time: Duration, held: Held? = nil, inbox: InboxReply? = nil, _ coordinator: isolated Coordinator,
    reply: Reply? = nil
  ) {
    guard !events.isEmpty || held?.isAttachment == true || inbox != nil else {
      if let reply { afterRecord(coordinator, reply) }
      return
    }
    append(events, at: time, held: held, inbox: inbox, coordinator, reply: reply)
    coordinator.noteDecided(events)
  }

  /// - Parameters:
  ///   - source: Who has decided or reported the events.
  ///   - inbox: The reply to another host's input that the events result from.
  func append(
    _ events: [Event], from source: AuditLog.Source = .rules, at time: Duration, held: Held? = nil, inbox: InboxReply? = nil,
    _ coordinator: isolated Coordinator, reply: Reply? = nil
  ) {
    let number = coordinator.nextStep()
    pending.append(Step(number: number, events: events, time: time, held: held, replies: reply.map { [$0] } ?? []))
    let replies = inbox.map { [$0] } ?? []
    let completion: AuditLog.Completion = { [weak coordinator] result in
      coordinator?.send { $0.decider.committed(number, result, $0) }
    }
    // Nobody waits for the record of a delivery.
    if reply == nil || inbox != nil, !events.isEmpty, events.allSatisfy({ $0.detail == .delivered }) {
      log.appendLazily(events, from: source, replies: replies, completion: completion)
    } else {
      log.append(events, from: source, replies: replies, completion: completion)
    }
  }

  func afterRecord(_ coordinator: isolated Coordinator, _ reply: @escaping Reply) {
    guard !pending.isEmpty else { return reply(coordinator, .success(())) }
    pending[pending.count - 1].replies.append(reply)
    log.flush()
  }

  func committed(_ number: Int, _ result: AuditLog.AppendResult, _ coordinator: isolated Coordinator) {
    guard number > failedStep else { return }
    switch result {
    case .recorded(let seq):
      let step = takePending(number)
      coordinator.follow(step.events, through: seq, at: step.time, fact: step.held?.fact)
      for reply in step.replies { reply(coordinator, .success(())) }
    case .refused(let error):
      for reply in takePending(number).replies { reply(coordinator, .failure(.rejected(error.rejection ?? .notOpen))) }
    case .failed(let error) where coordinator.isShuttingDown:
      _ = goBack(error, coordinator)
      return coordinator.stop()
    case .failed(let error): return fail(error, coordinator)
    }
    if case .recovering = state, pending.isEmpty { resume(coordinator) }
    coordinator.finishShutDownIfDone()
  }

  private func takePending(_ number: Int) -> Step {
    guard let step = pending.popFirst() else { preconditionFailure("the log recorded what nobody sent") }
    precondition(step.number == number, "the log recorded \(number) before \(step.number)")
    return step
  }

  // MARK: Failing

  /// Drops the decisions that are not recorded, and returns their inputs that cannot be refused.
  func goBack(_ error: RouterError, _ coordinator: isolated Coordinator) -> [Held] {
    let failed = pending
    pending = []
    failedStep = coordinator.lastStep
    coordinator.lost(failed.flatMap(\.events), error)
    surfaces = PresentationSurfaces(
      policy, coordinator.committed, presenters: coordinator.screens.presenters, isPaused: true,
      overtakingFrom: surfaces.overtakingFrom)
    for step in failed {
      for reply in step.replies { reply(coordinator, .failure(.failed(error))) }
    }
    return failed.compactMap(\.held)
  }

  /// Tries to write again, starting with the held inputs.
  func recover(_ coordinator: isolated Coordinator) {
    state = .recovering
    log.retry()
    replay(coordinator)
    // With nothing to record, an empty append checks whether the log is writable.
    if pending.isEmpty { append([], at: coordinator.now.boot, coordinator) }
  }

  private func replay(_ coordinator: isolated Coordinator) {
    let items = held
    held = []
    for item in items {
      switch item {
      case .fact(let fact, let moment): accept(fact, at: moment, coordinator)
      case .record(let event): record(event, isKept: true, coordinator)
      }
    }
  }

  /// Shows prompts again, once all held inputs are recorded.
  private func resume(_ coordinator: isolated Coordinator) {
    coordinator.logger.notice("the audit log can be written again")
    state = .writable
    let moment = coordinator.now
    expire(at: moment, coordinator)
    submit(surfaces.resume(at: moment), at: moment.boot, coordinator)
  }

  /// Tries to record the held inputs, since the coordinator does not wait for the log to recover.
  func resumeForShutDown(_ coordinator: isolated Coordinator) {
    guard case .unwritable = state else { return state = .writable }
    state = .writable
    log.retry()
    replay(coordinator)
  }
}

extension LocalDecider.Held {
  var fact: PresentationInput? { if case .fact(let fact, _) = self { fact } else { nil } }

  /// Whether it attaches or detaches a presenter.
  fileprivate var isAttachment: Bool {
    switch self {
    case .fact(.presenterAttached, _), .fact(.presenterDetached, _): true
    case .fact, .record: false
    }
  }
}
