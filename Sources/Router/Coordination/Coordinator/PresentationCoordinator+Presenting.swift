import Synchronization

extension PresentationCoordinator {
  /// Attaches a presenter of this process. See ``PresentationBroker/attach(presenter:to:)``.
  public nonisolated func attach(presenter name: String, to surface: String) -> PresenterAttachment {
    attach(presenter: name, to: surface, PresenterScope())
  }

  /// Attaches a presenter of this process that shows only some prompts of the surface.
  package nonisolated func attach(
    presenter name: String, to surface: String, _ scope: PresenterScope
  ) -> PresenterAttachment {
    let by = Presentation.Responder(process: process, presenter: name)
    return PresenterAttachment(
      events: events(for: name, on: surface, scope),
      respond: { id, generation, response in
        try await self.change(id) { PresentationInput($0, generation: generation, response, by: by) }
      },
      fail: { id, generation, detail in
        try await self.change(id) { .change($0, Verbs.Fail(detail), generation: generation, by: by) }
      })
  }

  /// Attaches a presenter for as long as the returned events are read. They end at shutdown, and throw ``RouterError`` for
  /// an invalid name or too many unread events.
  private nonisolated func events(
    for name: String, on surface: String, _ scope: PresenterScope
  ) -> AsyncThrowingStream<PresenterEvent, any Error> {
    let (stream, continuation) = AsyncThrowingStream<PresenterEvent, any Error>.makeStream(
      bufferingPolicy: .bufferingOldest(Self.maximumUnread))
    let tell: @Sendable (PresenterEvent) -> Void = { event in
      // Disconnects a presenter that does not read.
      guard case .dropped = continuation.yield(event) else { return }
      continuation.finish(
        throwing: RouterError(.full, "disconnected: the presenter left \(Self.maximumUnread) events unread"))
    }
    do {
      let seat = try seat(for: name, process: process, on: surface, scope: scope, tell: tell) {
        continuation.finish(throwing: $0)
      }
      send { $0.arrive(seat) }
      continuation.onTermination = { [weak self] _ in self?.send { $0.leave(seat.id) } }
    } catch {
      continuation.finish(throwing: error)
    }
    return stream
  }

  /// The maximum number of unread events of a presenter in this process.
  private static let maximumUnread = 256

  /// Attaches a presenter on behalf of a process, on the coordinator's executor, until ``leave(_:)``.
  ///
  /// - Parameter scope: The prompts of the surface to show (default: all, immediately).
  /// - Throws: ``RouterError`` for an invalid name, for a presentation that belongs to another user or that the user may not
  ///   answer, and for a user whose presenters attach too often.
  package func attach(
    _ name: String, process: ProcessIdentity, on surface: String, scope: PresenterScope = PresenterScope(),
    tell: @escaping @Sendable (PresenterEvent) -> Void, end: @escaping @Sendable (RouterError?) -> Void
  ) throws -> PresenterID {
    let seat = try seat(for: name, process: process, on: surface, scope: scope, tell: tell, end: end)
    do {
      try seat.identity.check(on: surface, decider.policy) { committed[$0]?.presentation }
    } catch {
      throw RouterError(error, id: scope.only)
    }
    try countAttachment(by: process)
    arrive(seat)
    return seat.id
  }

  /// Counts an attachment or a raise by a user. Throws beyond the limit.
  package func countAttachment(by process: ProcessIdentity) throws(RouterError) {
    if let wait = attachments.take(for: process.owner, at: clock.now()) { throw RouterError(.attachedTooOften(wait)) }
  }

  private nonisolated func seat(
    for name: String, process: ProcessIdentity, on surface: String, scope: PresenterScope,
    tell: @escaping @Sendable (PresenterEvent) -> Void, end: @escaping @Sendable (RouterError?) -> Void
  ) throws -> PresenterSeat {
    do {
      try TextRule.checkName(surface, at: "/surface")
      try TextRule.label.check(name, at: "/name")
    } catch {
      throw RouterError(error)
    }
    let identity = PresenterIdentity(name: name, process: process, since: clock.wall(), scope: scope)
    return PresenterSeat(
      id: PresenterID(nextNumber()).stamped(host: host), surface: surface, identity: identity.stamped(host: host), tell: tell,
      end: end)
  }

  private func arrive(_ seat: PresenterSeat) {
    if isShuttingDown { return seat.end(RouterError(.shuttingDown, "cannot attach: shutting down")) }
    if let error = contradiction ?? decider.unavailableToPresenters { return seat.end(error) }
    // Otherwise the next leader would refuse some of this host's presenters.
    if decider.policy.limitsHosts, screens.count(on: seat.surface) >= PresentationSurfaces.mostPresentersOfHost {
      return seat.end(RouterError(.full(.presenters)))
    }
    screens.arrive(seat)
    decide(.fact(.presenterAttached(seat.id, seat.identity, surface: seat.surface), now))
  }

  package func leave(_ id: PresenterID) {
    guard let seat = screens.seat(id), !isStopped else { return }
    // The presenter attached and detached while the log was unwritable, so there is nothing to record.
    if decider.cancelAttachment(of: id) { return screens.detached(id, from: seat.surface) }
    decide(.fact(.presenterDetached(id, surface: seat.surface), now))
  }

  /// Returns the identity of a process that acts on a presentation, including the name of its presenter on the surface, if any.
  package func resolver(for process: ProcessIdentity, on id: PresentationID) -> Presentation.Responder {
    let seats = committed[id].map { screens.seats(on: $0.request.surface) } ?? []
    let seat = seats.first { $0.identity.process.pid == process.pid && $0.identity.process.uid == process.uid }
    return Presentation.Responder(process: process, presenter: seat?.identity.name)
  }
}
