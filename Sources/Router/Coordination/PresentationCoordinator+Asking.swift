import Synchronization

extension PresentationCoordinator: PresentationBroker {
  /// Asks on behalf of this process. See ``PresentationBroker/submit(_:onDismiss:)``.
  public nonisolated func submit(_ request: PresentationRequest, onDismiss: DismissCallback?) -> PresentationHandle {
    let requester = Requester(app: request.app ?? app, process: process)
    return ask(
      request, from: requester, isAdmin: true, goneReason: .requester, onDismiss: onDismiss, isDeliveredByHandle: true)
  }

  /// Asks on behalf of somebody. The request stands in the mailbox when this returns.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - requester: Who asks.
  ///   - isAdmin: Whether it may supersede what belongs to others.
  ///   - attached: Whether it ends when the handle's waiter is cancelled; else it outlives this process.
  ///   - key: A request of the same user and app with the same key that is open is joined; see ``ended(_:of:)``.
  ///   - goneReason: What it means when the asker takes it back through the handle.
  ///   - onDismiss: Called once when it has ended, however it ended; not if it was refused.
  ///   - progress: Told of the request's life, in order, from the coordinator: it must return at once.
  ///   - isDeliveredByHandle: Whether the outcome has reached its requester when the handle's waiter is resumed; else
  ///     whoever carries it further calls ``delivered(_:)``.
  public nonisolated func ask(
    _ request: PresentationRequest, from requester: Requester, isAdmin: Bool = false, attached: Bool = true,
    key: IdempotencyKey? = nil, goneReason: CancellationReason = .requesterGone, onDismiss: DismissCallback? = nil,
    progress: (@Sendable (PresentationUpdate) -> Void)? = nil, isDeliveredByHandle: Bool = false
  ) -> PresentationHandle {
    let id = ids.next(at: clock.wall())
    let handle = PresentationHandle(
      takeBack: { [mailbox] in
        if attached { mailbox.send(.takeBack(id, goneReason)) }
      },
      // The coordinator keeps the handle, which must not keep the coordinator.
      finish: { [weak self] in
        guard let self else { throw RouterError(.shuttingDown, "cannot finish \(id): shutting down") }
        return try await self.finish(id, by: Resolver(process: requester.process), isAdmin: isAdmin)
      })
    send(
      .ask(
        CoordinatorMessage.Ask(
          id: id, request: request, requester: requester, isAdmin: isAdmin, attached: attached, key: key, handle: handle,
          onDismiss: onDismiss, progress: progress, isDeliveredByHandle: isDeliveredByHandle)), for: handle)
    return handle
  }

  /// Lets an attached request go on without its connection, for good.
  ///
  /// - Returns: The presentation, when that is on record.
  public nonisolated func detach(_ id: PresentationID) async throws -> Presentation {
    try await sent { .detach(id, $0) }
  }

  /// Takes a presentation back, for its requester (the same uid) or an administrator.
  public nonisolated func cancel(
    _ id: PresentationID, by resolver: Resolver, isAdmin: Bool = false
  ) async throws -> Presentation {
    try await act(.cancel(isAdmin: isAdmin), on: id, generation: nil, by: resolver)
  }

  /// Ends a flow, or a screen of it, as answered with its last answer, for its requester (the same uid) or an administrator.
  /// What is stacked on it ends first.
  ///
  /// - Returns: The presentation, when that is on record; a sensitive answer is left out.
  /// - Throws: ``RouterError``: `notAnswered` if it has no answer yet, `impossible` if it is not part of a flow.
  public nonisolated func finish(
    _ id: PresentationID, by resolver: Resolver, isAdmin: Bool = false
  ) async throws -> Presentation {
    try await act(.finish(isAdmin: isAdmin), on: id, generation: nil, by: resolver)
  }

  /// Waits until a presentation has ended, whoever asked for it.
  ///
  /// - Throws: ``RouterError`` with `notFound` if there is none; `CancellationError` when the task is cancelled, which
  ///   changes nothing.
  public func outcome(of id: PresentationID) async throws -> Presentation {
    let number = numbers.add(1, ordering: .relaxed).newValue
    let handle = PresentationHandle { [mailbox] in mailbox.send(.unwatch(id, number)) }
    send(.watch(id, number, handle), for: handle)
    do {
      let presentation = try await handle.resolved()
      try Task.checkCancellation()
      return presentation
    } catch let error as RouterError where error.code == .resolved {
      guard let presentation = try await reader.presentation(id) else { throw error }
      return presentation
    }
  }

  /// Notes that an outcome has reached its requester.
  public nonisolated func delivered(_ id: PresentationID) {
    mailbox.send(.note(AuditEntry(at: clock.wall(), kind: .delivered, presentation: id)))
  }

  /// Somebody else waits for the end of a presentation.
  func watch(_ id: PresentationID, _ number: Int, _ handle: PresentationHandle) {
    guard open[id] != nil else { return refuse(handle, id) }
    open[id]!.watchers[number] = handle
  }

  /// Somebody else does not wait any longer, and hears how it stands.
  func unwatch(_ id: PresentationID, _ number: Int) {
    guard let presentation = open[id], let watcher = open[id]?.watchers.removeValue(forKey: number) else { return }
    watcher.end(.success(snapshot((presentation.recorded ?? presentation.row).presentation)))
  }

  // MARK: Acting on what is shown

  /// A presenter brings what the person did.
  ///
  /// - Parameters:
  ///   - id: What it was done with.
  ///   - generation: The showing that it was done on; `nil` is the present one.
  ///   - response: What the person did.
  ///   - resolver: Who brings it.
  /// - Returns: The presentation, when its outcome is on record.
  /// - Throws: ``RouterError`` if it does not count, and why.
  public nonisolated func respond(
    to id: PresentationID, generation: Int?, with response: PresenterResponse, by resolver: Resolver
  ) async throws -> Presentation {
    switch response {
    case .answer(let answer): try await act(.answer(answer), on: id, generation: generation, by: resolver)
    case .dismiss: try await act(.dismiss, on: id, generation: generation, by: resolver)
    }
  }

  /// A presenter cannot show it.
  public nonisolated func fail(
    _ id: PresentationID, generation: Int?, detail: String, by resolver: Resolver
  ) async throws -> Presentation {
    try await act(.fail(detail), on: id, generation: generation, by: resolver)
  }

  private nonisolated func act(
    _ verb: CoordinatorMessage.Action.Verb, on id: PresentationID, generation: Int?, by resolver: Resolver
  ) async throws -> Presentation {
    try await sent { .act(CoordinatorMessage.Action(id: id, verb: verb, generation: generation, by: resolver), $0) }
  }

  // MARK: Sending

  private nonisolated func sent(
    _ message: (PresentationHandle) -> CoordinatorMessage
  ) async throws -> Presentation {
    let handle = PresentationHandle(takeBack: {})
    send(message(handle), for: handle)
    return try await handle.resolved()
  }

  private nonisolated func send(_ message: CoordinatorMessage, for handle: PresentationHandle) {
    guard !mailbox.send(message) else { return }
    handle.end(.failure(RouterError(.shuttingDown, "cannot take requests: shutting down")))
  }

  // MARK: Refusing

  /// Says why something cannot be done to a presentation that is not open, or not so.
  func refuse(_ handle: PresentationHandle, _ id: PresentationID, _ rejection: PresentationRejection = .notOpen) {
    guard rejection == .notOpen else { return handle.end(.failure(RouterError(rejection, id: id))) }
    // It may have ended: the record knows. Ends with the one look into it.
    Task { [reader] in
      do {
        let outcome = try await reader.presentation(id)?.outcome
        handle.end(.failure(RouterError(rejection, id: id, outcome: outcome)))
      } catch {
        handle.end(.failure(error as? RouterError ?? RouterError(.database, "cannot read the audit log", cause: error)))
      }
    }
  }
}
