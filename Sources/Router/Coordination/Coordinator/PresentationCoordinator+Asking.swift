import Synchronization

extension PresentationCoordinator: PresentationBroker {
  /// Asks on behalf of this process. See ``PresentationBroker/submit(_:onDismiss:)``.
  public nonisolated func submit(_ request: PresentationRequest, onDismiss: DismissCallback?) -> PresentationHandle {
    let requester = Requester(app: request.app ?? app, process: process)
    return ask(
      request, from: requester, isAdmin: true, goneReason: .requester, onDismiss: onDismiss, isDeliveredByHandle: true)
  }

  /// Asks on behalf of somebody. The request is enqueued when this returns.
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
    // The coordinator keeps the handle, which must not keep the coordinator.
    let handle = PresentationHandle(
      takeBack: { [weak self] in
        if attached { self?.send { $0.takeBack(id, goneReason) } }
      },
      finish: { [weak self] in
        guard let self else { throw RouterError(.shuttingDown, "cannot finish \(id): shutting down") }
        return try await self.finish(id, by: Resolver(process: requester.process), isAdmin: isAdmin)
      })
    let ask = PresentationAsk(
      id: id, request: request, requester: requester, isAdmin: isAdmin, attached: attached, key: key,
      hasCallback: onDismiss != nil)
    let asker = Waiters.Asker(id: id, handle: handle, progress: progress, isDeliveredByHandle: isDeliveredByHandle)
    send { $0.accept(ask, for: asker, onDismiss) }
    return handle
  }

  private func accept(_ ask: PresentationAsk, for asker: Waiters.Asker, _ onDismiss: DismissCallback?) {
    guard isWritable(for: asker.handle) else { return }
    var ask = ask
    let moment = now
    ask.throttledFor = backoff?.remaining(for: ask.requester, at: moment.boot)
    expire(at: moment)
    do {
      switch try surfaces.ask(ask, at: moment) {
      case .accepted(let events):
        waiters.add(asker, to: ask.id, onDismiss: onDismiss)
        submit(events, at: moment.boot)
      case .joined(let id, let events):
        join(asker, id)
        submit(events, at: moment.boot, held: .fact(.claim(id), moment))
      case .ended(let id): tellEnd(of: id, to: asker)
      }
    } catch {
      asker.handle.end(.failure(RouterError(error, app: ask.requester.app)))
    }
  }

  /// One more asks for what is open.
  private func join(_ asker: Waiters.Asker, _ id: PresentationID) {
    committed[id]?.heldUntil = nil
    waiters.add(asker, to: id)
    guard let presentation = committed[id].map({ snapshot($0.presentation) }) else { return }
    asker.handle.accept(presentation)
    if presentation.state == .presented, !presentation.covered {
      asker.progress?(.presented(id, generation: presentation.generation))
    } else {
      asker.progress?(.queued(id, position: presentation.position))
    }
  }

  /// What the key asked for has ended a moment ago.
  private func tellEnd(of id: PresentationID, to asker: Waiters.Asker) {
    afterRecord { coordinator, result in
      guard case .success = result else { return asker.handle.end(.failure(.logUnavailable)) }
      // Ends with one look into the record.
      Task { [reader = coordinator.reader] in
        do {
          guard let presentation = try await reader.presentation(id) else {
            throw RouterError(.notFound, "cannot find the presentation \(id)")
          }
          asker.handle.accept(presentation)
          asker.progress?(.resolved(presentation))
          asker.handle.end(.success(presentation))
        } catch {
          asker.handle.end(.failure(RouterError(reading: error)))
        }
      }
    }
  }

  /// An asker is gone. What it asked for ends with the last of them, unless it was detached.
  private func takeBack(_ askerID: PresentationID, _ reason: CancellationReason) {
    let id = waiters.resolve(askerID)
    guard let presentation = surfaces.entry(id)?.presentation else { return }
    guard !presentation.attached || waiters.askers(of: id).count > 1 else {
      return decide(.requesterGone(id, reason), at: now)
    }
    waiters.remove(askerID)?.handle.end(.success(snapshot(presentation)))
  }

  /// What a key asked for before, if it has ended and the key is not free again.
  ///
  /// To be called before ``ask(_:from:isAdmin:attached:key:goneReason:onDismiss:progress:isDeliveredByHandle:)``, which
  /// knows only what is open.
  ///
  /// - Returns: The presentation; a sensitive answer is not in it.
  /// - Throws: ``RouterError`` with the code `impossible` if the key came with another request.
  public nonisolated func ended(_ key: IdempotencyKey, of requester: Requester) async throws -> Presentation? {
    guard let presentation = try await reader.ended(key.scope(of: requester)), let earlier = presentation.key,
      presentation.outcome?.freesKey == false
    else { return nil }
    guard earlier.requestHash == key.requestHash else { throw RouterError(.keyReused) }
    return presentation
  }

  /// Notes that an outcome has reached its requester.
  public nonisolated func delivered(_ id: PresentationID) {
    send { $0.note(Event(at: $0.clock.wall(), presentation: id, .delivered)) }
  }

  // MARK: Waiting for somebody else's

  /// Waits until a presentation has ended, whoever asked for it.
  ///
  /// - Throws: ``RouterError`` with `notFound` if there is none; `CancellationError` when the task is cancelled, which
  ///   changes nothing.
  public nonisolated func outcome(of id: PresentationID) async throws -> Presentation {
    let number = numbers.add(1, ordering: .relaxed).newValue
    let handle = PresentationHandle { [weak self] in self?.send { $0.unwatch(id, number) } }
    send { $0.watch(id, number, handle) }
    do {
      let presentation = try await handle.resolved()
      try Task.checkCancellation()
      return presentation
    } catch let error as RouterError where error.code == .resolved {
      guard let presentation = try await reader.presentation(id) else { throw error }
      return presentation
    }
  }

  private func watch(_ id: PresentationID, _ number: Int, _ handle: PresentationHandle) {
    if case .stopped = phase { return handle.end(.failure(RouterError(.shuttingDown, "cannot wait: shutting down"))) }
    guard committed[id] != nil || surfaces.entry(id) != nil else { return refuse(handle, id, .notOpen) }
    waiters.watch(id, number, handle)
  }

  /// Somebody else does not wait any longer, and hears how it stands.
  private func unwatch(_ id: PresentationID, _ number: Int) {
    guard let watcher = waiters.unwatch(id, number), let entry = committed[id] ?? surfaces.entry(id) else { return }
    watcher.end(.success(snapshot(entry.presentation)))
  }
}

extension RouterError {
  init(reading error: any Error) {
    self = error as? RouterError ?? RouterError(.database, "cannot read the audit log", cause: error)
  }
}
