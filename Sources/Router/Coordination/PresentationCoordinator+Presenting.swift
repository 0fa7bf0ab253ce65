import Synchronization

extension PresentationCoordinator {
  /// Attaches a presenter of this process. See ``PresentationBroker/attach(presenter:to:)``.
  public nonisolated func attach(presenter name: String, to surface: String) -> PresenterAttachment {
    let by = Resolver(process: process, presenter: name)
    return PresenterAttachment(
      events: events(for: name, process: process, on: surface),
      respond: { try await self.respond(to: $0, generation: $1, with: $2, by: by) },
      fail: { try await self.fail($0, generation: $1, detail: $2, by: by) })
  }

  /// Attaches a presenter on behalf of a process, for as long as the events are read.
  ///
  /// - Returns: What to show. It throws a ``RouterError`` if the presenter leaves too much unread, and ends when the
  ///   coordinator shuts down.
  public nonisolated func events(
    for name: String, process: ProcessIdentity, on surface: String
  ) -> AsyncThrowingStream<PresenterEvent, any Error> {
    let id = PresenterID(numbers.add(1, ordering: .relaxed).newValue)
    let (stream, continuation) = AsyncThrowingStream<PresenterEvent, any Error>.makeStream(
      bufferingPolicy: .bufferingOldest(PresenterSeat.maximumUnread))
    let seat = PresenterSeat(
      id: id, name: name, surface: surface, process: process, since: clock.wall(), events: continuation)
    do {
      try TextRule.checkName(surface, at: "/surface")
      try TextRule.label.check(name, at: "/name")
    } catch {
      continuation.finish(throwing: RouterError(error))
      return stream
    }
    guard mailbox.send(.attachPresenter(seat)) else {
      continuation.finish(throwing: RouterError(.shuttingDown, "cannot attach: shutting down"))
      return stream
    }
    continuation.onTermination = { [mailbox] _ in mailbox.send(.detachPresenter(id)) }
    return stream
  }
}

extension PresentationCoordinator {
  /// How many presenters may come while the log cannot be written: each is held for the record, gone or not.
  static let maximumHeldArrivals = 1024

  /// A presenter wants its place. While the log cannot be written only so many are taken: what else is held then is no more
  /// than what is open and who is attached.
  func arrive(_ seat: PresenterSeat) {
    guard heldCount < Self.maximumHeldArrivals + open.count else {
      let message = "cannot attach: the audit log cannot be written"
      return seat.events.finish(throwing: RouterError(.logUnavailable, message, retryAfter: .seconds(1)))
    }
    arriving[seat.id] = seat
    decideOfItself(.attach(seat.id, surface: seat.surface))
  }

  /// How many decisions wait for a log that cannot be written.
  var heldCount: Int {
    switch phase {
    case .unwritable(let held, _): held.count
    case .recovering: pending.count
    case .running, .shuttingDown, .stopped: 0
    }
  }
}

extension PresentationCoordinator {
  /// The same as ``events(for:process:on:)``, for whoever wants to know at once that the names are wrong.
  ///
  /// - Throws: ``RouterError`` that says which.
  public nonisolated func checkedEvents(
    for name: String, process: ProcessIdentity, on surface: String
  ) throws -> AsyncThrowingStream<PresenterEvent, any Error> {
    do {
      try TextRule.checkName(surface, at: "/surface")
      try TextRule.label.check(name, at: "/name")
    } catch {
      throw RouterError(error)
    }
    return events(for: name, process: process, on: surface)
  }

  /// Who a process is when it acts on a presentation: with the name of the presenter that it has on the surface, if any.
  public func resolver(for process: ProcessIdentity, on id: PresentationID) -> Resolver {
    let surface = open[id]?.row.presentation.request.surface
    let seat = surface.flatMap { presenters(on: $0).first { $0.process.pid == process.pid && $0.process.uid == process.uid } }
    return Resolver(process: process, presenter: seat?.name)
  }
}
