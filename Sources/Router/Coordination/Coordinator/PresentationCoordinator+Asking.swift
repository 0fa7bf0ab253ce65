import Synchronization

extension PresentationCoordinator: PresentationBroker {
  /// Sends a request on behalf of this process. See ``PresentationBroker/submit(_:onDismiss:)``.
  public nonisolated func submit(_ request: PresentationRequest, onDismiss: (@Sendable () async -> Void)?) -> PresentationHandle
  {
    let requester = Presentation.Requester(app: request.app ?? app, process: process)
    return ask(
      request, from: requester, isAdmin: true, goneReason: .requester, onDismiss: onDismiss, reportsDelivery: true)
  }

  /// Sends a request on behalf of a program. The request is enqueued when this returns.
  ///
  /// - Parameters:
  ///   - isAdmin: Whether it may supersede other users' presentations.
  ///   - attached: Whether it ends when the handle's waiter is canceled; otherwise it outlives this process.
  ///   - key: Joins an open request with the same key, user and app; see ``ended(_:of:)``.
  ///   - goneReason: The cancellation reason when the requester cancels it through the handle.
  ///   - onDismiss: Called once when the presentation has ended, unless the request was refused.
  ///   - reportsDelivery: Whether resuming the handle's waiter delivers the outcome; otherwise call ``delivered(_:)``.
  package nonisolated func ask(
    _ request: PresentationRequest, from requester: Presentation.Requester, isAdmin: Bool = false, attached: Bool = true,
    key: IdempotencyKey? = nil, goneReason: PresentationOutcome.CancellationReason = .requesterGone,
    onDismiss: DismissCallback? = nil,
    reportsDelivery: Bool = false
  ) -> PresentationHandle {
    let id = ids.next(at: clock.wall())
    // Weak: the coordinator retains the handle.
    let handle = PresentationHandle(
      reportsDelivery: reportsDelivery,
      withdraw: { [weak self] in
        if attached { self?.send { $0.withdraw(id, goneReason) } }
      },
      finish: { [weak self] in
        guard let self else { throw RouterError(.shuttingDown, "cannot finish \(id): shutting down") }
        let by = Presentation.Responder(process: requester.process)
        return try await self.change(id) { .change($0, Verbs.Finish(), by: by, isAdmin: isAdmin) }
      })
    do {
      let ask = PresentationAsk(
        id: id, valid: try ValidRequest(request), requester: requester, isAdmin: isAdmin, attached: attached, key: key,
        hasCallback: onDismiss != nil)
      send { $0.accept(ask, for: handle, onDismiss) }
    } catch {
      send { $0.refuse(Waiters.Asker(id: id, target: handle), RouterError(error)) }
    }
    return handle
  }

  /// Sends a valid request on behalf of a program, on the coordinator's executor. Returns the request's id, for
  /// ``withdraw(_:_:)``.
  ///
  /// - Parameter readsAnswers: Whether the requester receives each answer to a flow.
  @discardableResult
  package func ask(
    _ valid: ValidRequest, from requester: Presentation.Requester, isAdmin: Bool, mayBeCritical: Bool = true, attached: Bool,
    readsAnswers: Bool = true, key: IdempotencyKey?, for asker: any PresentationAsker
  ) -> PresentationID {
    let id = ids.next(at: clock.wall())
    let ask = PresentationAsk(
      id: id, valid: valid, requester: requester, isAdmin: isAdmin, mayBeCritical: mayBeCritical, attached: attached,
      readsAnswers: readsAnswers, key: key)
    accept(ask, for: asker, nil)
    return id
  }

  private func accept(_ ask: PresentationAsk, for target: any PresentationAsker, _ onDismiss: DismissCallback?) {
    let asker = Waiters.Asker(id: ask.id, target: target)
    if let unavailable { return refuse(asker, unavailable) }
    waiters.add(asker, to: ask.id, onDismiss: onDismiss, isUndecided: true)
    var ask = ask
    (ask.boot, ask.dayTime) = (boot, DayTime(clock.wall()))
    if policy.grants.checksPrograms, ask.request.remember != nil {
      ask.program = ask.request.act.flatMap { ProgramFile(of: $0, for: ask.requester.process) }
    }
    decide(.ask(ask)) { [id = ask.id] coordinator, result in
      let left = coordinator.waiters.decided(id)
      switch result {
      case .success(.accepted): break
      case .success(.joined(let other)):
        _ = coordinator.waiters.take(id)
        coordinator.join(asker, other)
      case .success(.ended(let other)):
        _ = coordinator.waiters.take(id)
        coordinator.tellEnd(of: other, to: asker)
      case .failure(let error): coordinator.waiters.take(id)?.fail(error)
      }
      if let left { coordinator.withdraw(id, left) }
    }
  }

  func refuse(_ asker: Waiters.Asker, _ error: RouterError) { _ = asker.target.end(.failure(error)) }

  func join(_ asker: Waiters.Asker, _ id: PresentationID) {
    committed.release(id)
    waiters.add(asker, to: id)
    guard let presentation = committed[id].map({ snapshot($0.presentation) }) else { return }
    asker.target.accept(presentation)
    if presentation.state == .presented, !presentation.covered {
      asker.target.tell(.presented(id, generation: presentation.generation))
    } else {
      asker.target.tell(.queued(id, position: presentation.position))
    }
  }

  /// Reports the outcome of a presentation with the same key that has just ended.
  private func tellEnd(of id: PresentationID, to asker: Waiters.Asker) {
    decide(.flush) { coordinator, result in
      guard case .success = result else { return coordinator.refuse(asker, .logUnavailable) }
      coordinator.read(id) { coordinator, result in
        switch result {
        case .success(let presentation?):
          asker.target.accept(presentation)
          _ = asker.target.end(.success(presentation))
        case .success(nil): coordinator.refuse(asker, RouterError(.notFound, "cannot find the prompt \(id)"))
        case .failure(let error): coordinator.refuse(asker, error)
        }
      }
    }
  }

  /// Removes a requester that is gone. Its presentation is canceled with the last requester, unless it was detached.
  package func withdraw(_ askerID: PresentationID, _ reason: PresentationOutcome.CancellationReason) {
    let id = waiters.resolve(askerID)
    let presentation = committed[id]?.presentation
    if let presentation, !presentation.attached || waiters.askers(of: id).count > 1 {
      _ = waiters.remove(askerID)?.target.end(.success(snapshot(presentation)))
    } else if presentation != nil || !waiters.leave(askerID, reason), !isStopped {
      decide(.fact(.change(id, Verbs.RequesterGone(reason)), now))
      if let presentation { takeDownGone(on: presentation.request.surface) }
    }
  }

  /// Whether an ended presentation may have used a key. If so, call ``ended(_:of:)`` before `ask`, which finds only open and
  /// recently ended presentations.
  package func mayBeUsed(_ key: IdempotencyKey, by requester: Presentation.Requester) -> Bool {
    var requester = requester
    requester.process.host = host
    return committed.keys.mayBeInLog(key.scope(of: requester))
  }

  /// Returns the ended presentation of an idempotency key, without a sensitive answer; `nil` if there is none or the key may be
  /// used again.
  ///
  /// - Throws: ``RouterError`` with the code `impossible` if the key was used with another request.
  package nonisolated func ended(_ key: IdempotencyKey, of requester: Presentation.Requester) async throws -> Presentation? {
    var requester = requester
    requester.process.host = host
    return try await ended(key, in: key.scope(of: requester))
  }

  nonisolated func ended(_ key: IdempotencyKey, in scope: IdempotencyKey.Scope) async throws -> Presentation? {
    guard let presentation = try await reader.ended(scope), let earlier = presentation.key,
      presentation.outcome?.freesKey == false
    else { return nil }
    guard earlier.requestHash == key.requestHash else { throw RouterError(.keyReused) }
    return presentation
  }

  package func delivered(_ id: PresentationID) {
    record(Event(at: clock.wall(), presentation: id, .delivered))
  }

  // MARK: Waiting for other requesters' presentations

  /// Waits until a presentation has ended. See ``PresentationBroker/resolved(_:)``.
  public nonisolated func resolved(_ id: PresentationID) async throws -> Presentation {
    try Task.checkCancellation()
    let number = nextNumber()
    do {
      let presentation = try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          send { $0.watch(id, number) { continuation.resume(with: $0.mapError { $0 }) } }
          // The cancellation handler may have run before the watch was added.
          if Task.isCancelled { send { $0.unwatch(id, number) } }
        }
      } onCancel: { [weak self] in
        self?.send { $0.unwatch(id, number) }
      }
      try Task.checkCancellation()
      return presentation
    } catch let error as RouterError where error.code == .resolved {
      guard let presentation = try await reader.presentation(id) else { throw error }
      return presentation
    }
  }

  package nonisolated func nextNumber() -> Int { numbers.add(1, ordering: .relaxed).newValue }

  /// Calls `completion` when an open presentation has ended, or immediately with the error `resolved`.
  package func watch(_ id: PresentationID, _ number: Int, then completion: @escaping Completion) {
    if case .stopped = phase {
      return completion(.failure(RouterError(.shuttingDown, "cannot wait: shutting down")))
    }
    guard committed[id] != nil || waiters.isAsked(id) else { return reportEnd(of: id, completion) }
    waiters.watch(id, number, completion)
  }

  /// Ends a watch: calls its completion with the current state.
  package func unwatch(_ id: PresentationID, _ number: Int) {
    guard let watcher = waiters.unwatch(id, number) else { return }
    guard let entry = committed[id] else { return reportEnd(of: id, watcher) }
    watcher(.success(snapshot(entry.presentation)))
  }
}

extension RouterError {
  init(reading error: any Error) {
    self = error as? RouterError ?? RouterError(.database, "cannot read the audit log", cause: error)
  }
}
