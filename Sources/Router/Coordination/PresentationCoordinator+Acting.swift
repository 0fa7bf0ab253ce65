import OrderedCollections

extension PresentationCoordinator {
  /// Carries out what is on record now.
  func act(on decision: PendingDecision) {
    for entry in decision.entries {
      if let row = entry.row { open[row.presentation.id]?.recorded = row }
    }
    let surface = decision.decision?.surface
    seat(decision.cause)
    // What is resolved leaves `open`; whoever waits for the decision hears of it as it was recorded.
    let subject = decision.subject.flatMap { open[$0] }
    if let surface, let changes = decision.decision?.changes {
      let last = Dictionary(changes.enumerated().map { ($1.id, $0) }) { $1 }
      for (index, change) in changes.enumerated() {
        if let ahead = decision.ahead, case .presented(ahead.shown, let generation, _) = change {
          tell(ahead.shown, .presented(ahead.shown, generation: generation))
        } else {
          carryOut(change, on: surface, isLast: last[change.id] == index)
        }
      }
      moved.insert(surface)
    }
    if let handle = decision.handle {
      let result = subject.flatMap { $0.recorded }.map { snapshot($0.presentation) }
      handle.end(result.map(Result.success) ?? .failure(RouterError(.notFound, "cannot find the presentation")))
    }
  }

  private func carryOut(_ change: PresentationChange, on surface: String, isLast: Bool) {
    switch change {
    case .requested(let id, _):
      guard let presentation = open[id]?.recorded?.presentation else { return }
      for asker in open[id]?.askers ?? [] { asker.handle.accept(snapshot(presentation)) }
      if isLast { tell(id, .queued(id, position: surfaces.position(of: id))) }
    case .presented(let id, let generation, _):
      // What is covered or ended by the same decision never comes before the person.
      guard isLast, let presentation = open[id]?.recorded?.presentation else { return }
      put(presentation, on: surface)
      tell(id, .presented(id, generation: generation))
    case .withdrawn(let id, let generation, let reason, _):
      withdraw(id, generation: generation, on: surface, because: reason == .covered ? .covered : .cancelled)
    case .answered(let id, let answer, _, let generation):
      withdraw(id, generation: generation, on: surface, because: .answered)
      for asker in open[id]?.askers ?? [] { asker.handle.answer(answer) }
      tell(id, .answered(id, generation: generation, answer))
    case .resolved(let id, let outcome, _, let generation):
      withdraw(id, generation: generation ?? 0, on: surface, because: PresenterEvent.Withdrawal(outcome.name))
      if let presentation = open[id]?.recorded?.presentation { countRefusal(presentation, outcome: outcome) }
      finish(id)
    }
  }

  /// Tells askers who follow their request what becomes of it.
  private func tell(_ id: PresentationID, _ update: PresentationUpdate) {
    for index in open[id]?.askers.indices ?? 0..<0 {
      switch update {
      case .queued(_, let position): open[id]!.askers[index].toldPosition = position
      case .presented: open[id]!.askers[index].toldPosition = 0
      case .answered, .resolved: break
      }
      open[id]!.askers[index].progress?(update)
    }
  }

  /// Puts a presentation before the person.
  private func put(_ presentation: Presentation, on surface: String) {
    tops[surface] = presentation.id
    let waiting = surfaces.queue(surface)?.waitingCount ?? 0
    toldWaiting[surface] = waiting
    for seat in seated(on: surface) { seat.tell(.present(presentation, waiting: waiting)) }
  }

  /// Takes a presentation down, if it is before the person.
  private func withdraw(
    _ id: PresentationID, generation: Int, on surface: String, because reason: PresenterEvent.Withdrawal
  ) {
    guard tops[surface] == id else { return }
    tops[surface] = nil
    for seat in seated(on: surface) { seat.tell(.withdraw(id, generation: generation, reason: reason)) }
  }

  // MARK: Ahead of the record

  /// Shows what comes next to the presenter whose word on what was shown is on its way to the record. Its request is on record, and
  /// nobody else hears of that word before it is: there is no other presenter.
  func showAhead(of decision: PendingDecision) -> ShownAhead? {
    guard case .running = phase, !log.isInMemory, let surface = decision.decision?.surface,
      let changes = decision.decision?.changes, changes.count == 2,
      case .resolved(let ended, let outcome, let resolver?, let endedGeneration?) = changes[0],
      case .presented(let next, let generation, _) = changes[1], tops[surface] == ended,
      let presenters = surfaces.queue(surface)?.presenters, presenters.count == 1, let seat = seats[presenters[0]],
      seat.process.pid == resolver.process.pid, seat.process.uid == resolver.process.uid,
      let presentation = open[next], presentation.recorded != nil
    else { return nil }
    withdraw(ended, generation: endedGeneration, on: surface, because: PresenterEvent.Withdrawal(outcome.name))
    put(presentation.row.presentation, on: surface)
    return ShownAhead(surface: surface, before: ended, shown: next, generation: generation)
  }

  /// Takes down what was shown ahead of what could not be recorded, and puts up again what was before it. To be called when all is
  /// again as it is on record.
  func takeBack(shownBy failed: [PendingDecision]) {
    var (first, last) = ([String: ShownAhead](), [String: ShownAhead]())
    for ahead in failed.lazy.compactMap(\.ahead) {
      first[ahead.surface] = first[ahead.surface] ?? ahead
      last[ahead.surface] = ahead
    }
    for (surface, ahead) in last {
      guard let before = first[surface]?.before, let presentation = open[before]?.recorded?.presentation else { continue }
      withdraw(ahead.shown, generation: ahead.generation, on: surface, because: .covered)
      put(presentation, on: surface)
    }
  }

  /// Takes down what must not be before the person any longer, of a decision that waits for its record.
  func takeDown(_ decision: PendingDecision) {
    guard let surface = decision.decision?.surface else { return }
    for case .resolved(let id, let outcome, _, let generation?) in decision.decision?.changes ?? [] {
      withdraw(id, generation: generation, on: surface, because: PresenterEvent.Withdrawal(outcome.name))
    }
  }

  /// Tells everybody who waits for a presentation that it has ended.
  private func finish(_ id: PresentationID) {
    guard let ended = forget(id), let row = ended.recorded else { return }
    var forAsker = row.presentation
    forAsker.outcome = ended.answer ?? forAsker.outcome
    for asker in ended.askers {
      let wasAwaited = asker.handle.deliver(.success(forAsker))
      asker.progress?(.resolved(forAsker))
      if wasAwaited, asker.isDeliveredByHandle { delivered(id) }
    }
    for watcher in ended.watchers.values { watcher.end(.success(row.presentation)) }
    callBack(row)
    guard let onDismiss = ended.onDismiss else { return }
    callbackCount += 1
    callbacks.run { [clock, mailbox, askers = ended.askers] in
      for asker in askers { await asker.handle.received() }
      await onDismiss()
      var row = row
      row.presentation.callback = CallbackState(state: .delivered, attempts: 1)
      let entry = AuditEntry(
        at: clock.wall(), kind: .callbackDelivered, presentation: id, detail: ["attempts": 1], row: row)
      mailbox.send(.calledBack(entry))
    }
  }

  /// Lets go of a presentation that is not open any more.
  @discardableResult
  func forget(_ id: PresentationID) -> OpenPresentation? {
    guard let presentation = open.removeValue(forKey: id) else { return nil }
    followers -= presentation.askers.count { $0.progress != nil }
    retire(presentation)
    return presentation
  }

  /// Gives a presenter its place, or takes it away, now that it is on record.
  private func seat(_ cause: PresentationEvent?) {
    switch cause {
    case .attach(let id, let surface):
      guard let seat = arriving.removeValue(forKey: id) else { return }
      seats[id] = seat
      let waiting = surfaces.queue(surface)?.waitingCount ?? 0
      if let top = tops[surface], let presentation = open[top]?.recorded?.presentation {
        seat.tell(.present(presentation, waiting: waiting))
      } else {
        seat.tell(.queue(waiting: waiting))
      }
      toldWaiting[surface] = waiting
    case .detach(let id, _):
      seats.removeValue(forKey: id)?.events.finish()
      arriving.removeValue(forKey: id)?.events.finish()
    case .request, .answer, .dismiss, .fail, .cancel, .finish, .claim, nil: break
    }
  }

  // MARK: Counts and positions

  /// Tells presenters how many wait, where that has changed.
  func tellWaitingCounts() {
    for surface in recounted {
      let waiting = surfaces.queue(surface)?.waitingCount ?? 0
      let seats = seated(on: surface)
      guard !seats.isEmpty, toldWaiting[surface] != waiting else { continue }
      toldWaiting[surface] = waiting
      for seat in seats { seat.tell(.queue(waiting: waiting)) }
    }
    recounted.removeAll(keepingCapacity: true)
  }

  /// Tells askers who follow their position where it has changed, at most once a second.
  func tellPositions() {
    guard followers > 0 else { return moved.removeAll() }
    let now = clock.now()
    guard !moved.isEmpty, lastProgress.map({ now - $0 >= .seconds(1) }) ?? true else { return }
    lastProgress = now
    for (id, position) in moved.flatMap({ surfaces.queue($0)?.positions ?? [:] }) {
      guard let presentation = open[id], presentation.recorded?.presentation.state == .queued,
        presentation.askers.contains(where: { $0.progress != nil && $0.toldPosition != position })
      else { continue }
      tell(id, .queued(id, position: position))
    }
    moved.removeAll()
  }

  /// A presentation as it is on record, with its position of now.
  func snapshot(_ presentation: Presentation) -> Presentation {
    var copy = presentation
    copy.position = copy.state == .queued ? surfaces.position(of: copy.id) : 0
    return copy
  }
}

extension PresenterEvent.Withdrawal {
  init(_ name: PresentationOutcome.Name) {
    switch name {
    case .answered: self = .answered
    case .dismissed: self = .dismissed
    case .cancelled: self = .cancelled
    case .expired: self = .expired
    case .failed: self = .failed
    }
  }
}
