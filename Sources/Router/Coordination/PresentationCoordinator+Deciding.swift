import DequeModule
import Logging

extension PresentationCoordinator {
  // MARK: What comes in

  /// Somebody asks.
  func accept(_ ask: CoordinatorMessage.Ask) {
    guard let handle = writable(ask.handle) else { return }
    expire()
    let request: PresentationRequest
    do {
      request = try ask.request.normalized()
    } catch {
      return handle.end(.failure(RouterError(error)))
    }
    if request.sensitive, !ask.attached {
      let message = "cannot detach a sensitive request: its answer is only for the asker's own connection"
      return handle.end(.failure(RouterError(.impossible, message, field: "/sensitive")))
    }
    if request.flow, !ask.attached {
      let message = "cannot detach a flow: it lives as long as its asker is there"
      return handle.end(.failure(RouterError(.impossible, message, field: "/flow")))
    }
    guard !join(ask) else { return }
    if request.onDismiss != nil, callbackSender == nil {
      let message = "cannot accept /onDismiss: nothing here calls programs back"
      return handle.end(.failure(RouterError(.impossible, message, field: "/onDismiss")))
    }
    if let error = backoffError(for: ask.requester) { return handle.end(.failure(error)) }
    let ticket = PresentationTicket(request, id: ask.id, uid: ask.requester.process.uid, isAdmin: ask.isAdmin)
    let presentation = Presentation(
      id: ask.id, attached: ask.attached, requester: ask.requester, request: request, requestedAt: clock.wall(),
      callback: ask.onDismiss != nil || request.onDismiss != nil ? CallbackState() : nil)
    let row = AuditRow(
      presentation: presentation, place: PresentationPlace(lane: 0, rank: 0), level: 0, key: ask.key)
    open[ask.id] = OpenPresentation(row: row, askers: [OpenPresentation.Asker(ask)], onDismiss: ask.onDismiss)
    remember(ask.key, of: ask.requester, for: ask.id)
    if ask.progress != nil { followers += 1 }
    let isDecided = decide(.request(ticket, surface: request.surface)) { error in
      handle.end(.failure(RouterError(error)))
    }
    if !isDecided { forget(ask.id) }
  }

  /// A presenter or a requester does something to what is open.
  func carryOut(_ action: CoordinatorMessage.Action, for handle: PresentationHandle) {
    var action = action
    action.id = joined[action.id] ?? action.id
    guard let handle = writable(handle) else { return }
    expire()
    guard let presentation = open[action.id]?.row.presentation else { return refuse(handle, action.id) }
    do {
      let event = try event(for: action, on: presentation)
      decide(event, on: action.id, for: handle) { error in self.refuse(handle, action.id, error) }
    } catch let error as PresentationRejection {
      refuse(handle, action.id, error)
    } catch let error as JSONError {
      handle.end(.failure(RouterError(error, code: .impossible)))
    } catch {
      refuse(handle, action.id)
    }
  }

  private func event(
    for action: CoordinatorMessage.Action, on presentation: Presentation
  ) throws -> PresentationEvent {
    let id = action.id
    switch action.verb {
    case .answer(let answer):
      // A stale answer is stale whatever it says.
      try surfaces.queue(presentation.request.surface)?.checkShown(id, generation: action.generation)
      try presentation.request.check(answer)
      return .answer(id, generation: action.generation, answer, by: action.by)
    case .dismiss: return .dismiss(id, generation: action.generation, by: action.by)
    case .fail(let detail): return .fail(id, generation: action.generation, detail: detail, by: action.by)
    case .cancel(let isAdmin):
      let isOwner = try checkRight(to: presentation, of: action.by, isAdmin: isAdmin)
      return .cancel(id, reason: isOwner ? .requester : .admin, by: action.by)
    case .finish(let isAdmin):
      _ = try checkRight(to: presentation, of: action.by, isAdmin: isAdmin)
      return .finish(id, by: action.by)
    }
  }

  /// Whether it is somebody's own. What is neither theirs nor in their charge is not there for them.
  private func checkRight(
    to presentation: Presentation, of resolver: Resolver, isAdmin: Bool
  ) throws(PresentationRejection) -> Bool {
    let isOwner = presentation.requester.process.uid == resolver.process.uid
    guard isOwner || isAdmin else { throw .notOpen }
    return isOwner
  }

  /// An asker is gone. What it asked for ends, unless it was detached or another asker is there for it: then only this one
  /// does not wait any more.
  func takeBack(_ askerID: PresentationID, _ reason: CancellationReason) {
    let id = joined[askerID] ?? askerID
    guard let presentation = open[id], let index = presentation.askers.firstIndex(where: { $0.id == askerID }) else {
      return
    }
    guard !presentation.row.presentation.attached || presentation.askers.count > 1 else {
      return decideOfItself(.cancel(id, reason: reason, by: nil))
    }
    let asker = open[id]!.askers.remove(at: index)
    if asker.progress != nil { followers -= 1 }
    joined[askerID] = nil
    asker.handle.end(.success(snapshot(presentation.row.presentation)))
  }

  /// An attached request goes on without its connection.
  func detach(_ id: PresentationID, _ handle: PresentationHandle) {
    guard let handle = writable(handle) else { return }
    guard var row = open[id]?.row, row.presentation.state != .resolved else { return refuse(handle, id) }
    guard !row.presentation.request.sensitive else {
      return handle.end(.failure(RouterError(.impossible, "cannot detach a sensitive request")))
    }
    guard !row.presentation.request.flow else {
      return handle.end(.failure(RouterError(.impossible, "cannot detach a flow")))
    }
    row.presentation.attached = false
    open[id]!.row = row
    var next = PendingDecision(
      entries: [AuditEntry(at: clock.wall(), kind: .detached, presentation: id, row: row)])
    next.handle = handle
    next.subject = id
    append(next)
  }

  /// The handle, if something can be recorded now; else it is told why not.
  func writable(_ handle: PresentationHandle) -> PresentationHandle? {
    switch phase {
    case .running: return handle
    case .unwritable, .recovering:
      let message = "cannot write the audit log; nothing was changed"
      handle.end(.failure(RouterError(.logUnavailable, message, retryAfter: .seconds(1))))
    case .shuttingDown, .stopped:
      handle.end(.failure(RouterError(.shuttingDown, "cannot take requests: shutting down")))
    }
    return nil
  }

  // MARK: Deciding

  /// Decides on an event that somebody waits for.
  @discardableResult
  private func decide(
    _ event: PresentationEvent, on subject: PresentationID? = nil, for handle: PresentationHandle? = nil,
    orElse reject: (PresentationRejection) -> Void
  ) -> Bool {
    do {
      var next = prepare(try surfaces.handle(event, at: clock.now()), after: event)
      next.handle = handle
      next.subject = subject
      append(next)
      return true
    } catch {
      reject(error)
      return false
    }
  }

  /// Decides on what happens of itself, whether or not it can be recorded now: the requester is gone, a presenter came or
  /// went.
  func decideOfItself(_ event: PresentationEvent) {
    switch phase {
    case .running, .shuttingDown:
      expire()
      record(event)
    case .unwritable(var held, let retryAt):
      guard let next = hold(event) else { return }
      // One owner, or each of them would copy what is held by then.
      phase = .unwritable(held: [], retryAt: retryAt)
      if !forgetVisit(event, next, in: &held) { held.append(next) }
      phase = .unwritable(held: held, retryAt: retryAt)
    case .recovering: record(event)
    case .stopped: break
    }
  }

  private func record(_ event: PresentationEvent) {
    if let next = decided(event) { append(next) }
  }

  /// Decides on what happens of itself while nothing can be recorded: what must not be before the person any longer is
  /// taken away now, all else waits for the record.
  private func hold(_ event: PresentationEvent) -> PendingDecision? {
    guard let next = decided(event) else { return nil }
    takeDown(next)
    return next
  }

  /// Forgets a presenter that came and went while nothing could be recorded, and was shown nothing: it may come and go as
  /// often as it likes.
  private func forgetVisit(_ event: PresentationEvent, _ next: PendingDecision, in held: inout [PendingDecision]) -> Bool {
    guard case .detach(let id, let surface) = event, next.decision?.changes.isEmpty == true, arriving[id] != nil,
      let index = held.firstIndex(where: { $0.cause == .attach(id, surface: surface) }),
      held[index].decision?.changes.isEmpty == true
    else { return false }
    held.remove(at: index)
    arriving.removeValue(forKey: id)?.events.finish()
    return true
  }

  /// The decision on what happens of itself; `nil` where there is nothing left to decide.
  private func decided(_ event: PresentationEvent) -> PendingDecision? {
    let entries = presenterEntries(for: event)
    guard let decision = try? surfaces.handle(event, at: clock.now()) else { return nil }
    var next = prepare(decision)
    next.entries.insert(contentsOf: entries, at: 0)
    next.cause = event
    return next
  }

  /// Ends what is due.
  func expire() {
    switch phase {
    case .running, .shuttingDown, .recovering:
      for decision in surfaces.expire(at: clock.now()) { append(prepare(decision)) }
    case .unwritable(var held, let retryAt):
      for decision in surfaces.expire(at: clock.now()) {
        let next = prepare(decision)
        takeDown(next)
        held.append(next)
      }
      phase = .unwritable(held: held, retryAt: retryAt)
    case .stopped: break
    }
  }

  // MARK: Recording

  /// Records something that decides nothing.
  ///
  /// - Parameter isKept: Whether it is held while the log cannot be written. What anybody can bring about as often as they
  ///   like is not: it is not worth the memory.
  func note(_ entry: AuditEntry, isKept: Bool = false) {
    switch phase {
    case .running, .recovering, .shuttingDown:
      append(PendingDecision(entries: [entry]), isUrgent: entry.kind != .delivered)
    case .unwritable(var held, let retryAt) where isKept:
      held.append(PendingDecision(entries: [entry]))
      phase = .unwritable(held: held, retryAt: retryAt)
    case .unwritable, .stopped: break
    }
  }

  /// Sends a decision to the record.
  ///
  /// - Parameter isUrgent: Whether somebody waits for it.
  func append(_ decision: PendingDecision, isUrgent: Bool = true) {
    guard !decision.entries.isEmpty || decision.handle != nil else { return }
    lastNumber += 1
    let number = lastNumber
    var decision = decision
    decision.number = number
    decision.ahead = showAhead(of: decision)
    pending.append(decision)
    let completion: AuditLog.Completion = { [mailbox] result in mailbox.send(.committed(number: number, result)) }
    if isUrgent {
      log.append(decision.entries, completion: completion)
    } else {
      log.appendInCompany(decision.entries, completion: completion)
    }
  }

  /// What became of an append. They come in the order in which they were made.
  func committed(_ number: Int, _ result: Result<Void, RouterError>) {
    guard number > failedNumber else { return }
    switch result {
    case .success:
      guard let decision = pending.popFirst() else { preconditionFailure("the log recorded what nobody sent") }
      precondition(decision.number == number, "the log recorded \(number) before \(decision.number)")
      act(on: decision)
      if case .recovering = phase { goOn() }
      finishShutDownIfDone()
    case .failure(let error):
      failedNumber = lastNumber
      fall(back: error)
    }
  }

  /// Goes back to what is on record.
  private func fall(back error: RouterError) {
    logger.error("cannot write the audit log", metadata: ["error": "\(error)"])
    let failed = Array(pending)
    pending = []
    surfaces.revert(failed.compactMap(\.decision))
    recounted.formUnion(failed.compactMap(\.decision?.surface))
    surfaces.pause()
    for id in Set(failed.flatMap { $0.decision?.changes.map(\.id) ?? [] } + failed.compactMap(\.subject)) {
      if let recorded = open[id]?.recorded {
        open[id]!.row = recorded
        open[id]!.answer = nil
      } else {
        for asker in forget(id)?.askers ?? [] { asker.handle.end(.failure(error)) }
      }
    }
    for decision in failed.reversed() {
      for (id, since) in decision.shownSince { open[id]?.shownSince = since }
    }
    takeBack(shownBy: failed)
    for decision in failed { decision.handle?.end(.failure(error)) }
    if case .shuttingDown(let continuations, _) = phase { return stop(continuations) }
    phase = .unwritable(held: [], retryAt: clock.now() + .seconds(1))
    for decision in failed {
      if let cause = decision.cause { decideOfItself(cause) }
    }
    expire()
  }

  /// Tries to write again: first what is held.
  func recover(_ held: [PendingDecision]) {
    phase = .recovering
    log.retry()
    if held.isEmpty {
      // Nothing to record: an empty append shows whether it would be.
      var probe = PendingDecision(entries: [])
      probe.handle = PresentationHandle(takeBack: {})
      append(probe)
    }
    for decision in held { append(decision) }
  }

  /// Goes on when all that was held is on record.
  private func goOn() {
    guard pending.isEmpty else { return }
    logger.notice("the audit log can be written again")
    phase = .running
    for decision in surfaces.resume(at: clock.now()) { append(prepare(decision)) }
  }
}
