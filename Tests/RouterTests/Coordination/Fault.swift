@testable import Router

/// Bugs that the machine might have. The random test must find each.
enum Fault: String, CaseIterable {
  // The machine does not heed what it is told.
  case ignoresPriority, ignoresPolicy, ignoresOwner, ignoresOver, ignoresNoPresenter
  case acceptsStaleGeneration, admitsOneTooMany, showsWhilePaused, takesBackTooLittle
  // It gets a clock wrong.
  case queueClockRunsOn, shownClockRunsWhileCovered, expiresLate, wakesLate
  // It loses, repeats or mixes up.
  case dropsParentEnded, coversSilently, resolvesTwice, repeatsGeneration, losesStackWithPresenter
  case swapsTwoWaiting, swapsTwoRestored
  // It gets flows wrong.
  case endsFlowWithAnswer, answersSilently, finishesWithFirstAnswer, finishesOnlyWhatIsOnTop, countsScreens
  case endsFlowWithBack, shownClockRunsOnAfterAnswer
  // It gets wrong who has to come back after a restart.
  case showsWhatIsHeld, ignoresClaims

  /// Those that break a promise which the record alone shows, without a model to compare with.
  static let againstInvariants: [Fault] = [
    .ignoresPriority, .admitsOneTooMany, .dropsParentEnded, .coversSilently, .resolvesTwice, .repeatsGeneration,
    .losesStackWithPresenter, .swapsTwoWaiting, .swapsTwoRestored, .endsFlowWithAnswer, .answersSilently,
    .finishesWithFirstAnswer, .showsWhatIsHeld,
  ]

  /// What a fault has to know of what happened before.
  struct Memory {
    var tickets: [PresentationTicket] = []
    var firstShown: [PresentationID: Duration] = [:]
    var swapped: (PresentationID, PresentationID)?
    var firstAnswers: [PresentationID: PresentationAnswer] = [:]
  }

  // MARK: On the way in

  func corrupted(_ limits: PresentationSurfaces.Limits) -> PresentationSurfaces.Limits {
    guard self == .admitsOneTooMany else { return limits }
    var limits = limits
    limits.perSurface += 1
    limits.perUser += 1
    limits.total += 1
    return limits
  }

  func corrupted(_ event: PresentationEvent, with memory: inout Memory) -> PresentationEvent {
    switch event {
    case .request(let ticket, let surface):
      memory.tickets.append(ticket)
      return .request(corrupted(ticket), surface: surface)
    case .answer(let id, _, let answer, let resolver) where self == .acceptsStaleGeneration:
      return .answer(id, generation: nil, answer, by: resolver)
    case .claim where self == .ignoresClaims:
      return .attach(PresenterID(1), surface: "nowhere")
    case .answer, .dismiss, .fail, .cancel, .finish, .claim, .attach, .detach:
      return event
    }
  }

  private func corrupted(_ ticket: PresentationTicket) -> PresentationTicket {
    var ticket = ticket
    switch self {
    case .ignoresPriority: ticket.priority = .normal
    case .ignoresPolicy: ticket.conflictPolicy = .enqueue
    case .ignoresOwner: ticket.isAdmin = true
    case .ignoresOver: ticket.over = nil
    case .ignoresNoPresenter: ticket.noPresenter = .wait
    case .endsFlowWithAnswer: ticket.flow = false
    case .queueClockRunsOn: ticket.timeout = ticket.timeout ?? ticket.queueTimeout
    default: break
    }
    return ticket
  }

  /// What a machine that gets flows wrong would not let happen.
  func refusal(of event: PresentationEvent, by surfaces: PresentationSurfaces) -> PresentationRejection? {
    switch event {
    case .finish(let id, _) where self == .finishesOnlyWhatIsOnTop:
      let entry = surfaces.surface(of: id).flatMap { surfaces.queue($0)?.entry(id) }
      return entry?.lastAnswer != nil && entry?.isCovered == true ? .covered : nil
    case .request(let ticket, let surface) where self == .countsScreens:
      guard ticket.flow, let parent = ticket.over, let entry = surfaces.queue(surface)?.entry(parent) else { return nil }
      return entry.ticket.flow && entry.ticket.uid == ticket.uid && entry.level >= surfaces.limits.stackDepth
        ? .stackedTooDeep : nil
    default: return nil
    }
  }

  func corrupted(_ entries: [PresentationQueue.Entry]) -> [PresentationQueue.Entry] {
    var entries = entries
    if self == .showsWhatIsHeld {
      for index in entries.indices { entries[index].heldUntil = nil }
    }
    guard self == .swapsTwoRestored, entries.count > 1 else { return entries }
    (entries[0].phase, entries[1].phase) = (entries[1].phase, entries[0].phase)
    return entries
  }

  // MARK: On the way out

  func corrupted(
    _ changes: [PresentationChange], by event: PresentationEvent?, with memory: inout Memory,
    in surfaces: inout PresentationSurfaces, at now: Duration
  ) -> [PresentationChange] {
    switch self {
    case .dropsParentEnded: return changes.without { $0.isResolved(as: .cancelled(.parentEnded)) }
    case .coversSilently: return changes.without { $0.isWithdrawn(because: .covered) }
    case .resolvesTwice: return changes.flatMap { $0.isResolved(as: .dismissed) ? [$0, $0] : [$0] }
    case .repeatsGeneration:
      return changes.map { change in
        guard case .presented(let id, 2..., let level) = change else { return change }
        return .presented(id, generation: 1, level: level)
      }
    case .losesStackWithPresenter:
      // The bottom is withdrawn last, and takes with it what was stacked on it.
      if let bottom = changes.last(where: { $0.isWithdrawn(because: .presenterGone) }) {
        _ = try? surfaces.handle(.cancel(bottom.id, reason: .requester, by: nil), at: now)
      }
      return changes.without { $0.isWithdrawn(because: .presenterGone) }
    case .answersSilently:
      return changes.without { if case .answered = $0 { true } else { false } }
    case .finishesWithFirstAnswer:
      return changes.map { $0.answeredFirst(in: &memory.firstAnswers) }
    case .endsFlowWithBack:
      guard case .dismiss(let id, _, _)? = event, let root = memory.root(of: id) else { return changes }
      let ended = try? surfaces.handle(.cancel(root, reason: .requester, by: nil), at: now)
      return changes + (ended?.changes ?? [])
    case .shownClockRunsWhileCovered, .shownClockRunsOnAfterAnswer:
      for case .presented(let id, 1, _) in changes { memory.firstShown[id] = now }
      return changes
    case .swapsTwoWaiting:
      let renamed = changes.map { $0.renamed(by: memory.swapped) }
      if case .request(let ticket, _)? = event { swap(ticket, with: &memory, in: surfaces) }
      return renamed
    default: return changes
    }
  }

  private func swap(_ ticket: PresentationTicket, with memory: inout Memory, in surfaces: PresentationSurfaces) {
    func waits(_ other: PresentationTicket) -> Bool {
      guard let surface = surfaces.surface(of: other.id), surface == surfaces.surface(of: ticket.id) else { return false }
      return surfaces.queue(surface)?.entry(other.id)?.isShown == false
    }
    guard memory.swapped == nil, waits(ticket) else { return }
    let twin = memory.tickets.first {
      $0.id != ticket.id && $0.over == ticket.over && $0.priority == ticket.priority && waits($0)
    }
    memory.swapped = twin.map { ($0.id, ticket.id) }
  }

  func corrupted(_ view: SurfaceView, with memory: Memory) -> SurfaceView {
    var view = view
    switch self {
    case .repeatsGeneration:
      for index in view.items.indices { view.items[index].generation = min(1, view.items[index].generation) }
    case .swapsTwoWaiting:
      for index in view.items.indices { view.items[index].id = view.items[index].id.renamed(by: memory.swapped) }
      view.stack = view.stack.map { $0.renamed(by: memory.swapped) }
    default: break
    }
    return view
  }

  /// Ends what would be over had the clock not stood while it was covered, or not begun anew with an answer.
  func endsEarly(
    with memory: Memory, in surfaces: inout PresentationSurfaces, at now: Duration
  ) -> [[PresentationChange]] {
    guard self == .shownClockRunsWhileCovered || self == .shownClockRunsOnAfterAnswer else { return [] }
    for ticket in memory.tickets {
      guard let timeout = ticket.shownTimeout, let since = memory.firstShown[ticket.id], since + timeout <= now,
        let surface = surfaces.surface(of: ticket.id), let entry = surfaces.queue(surface)?.entry(ticket.id),
        self == .shownClockRunsWhileCovered ? entry.isCovered : entry.isShown && entry.lastAnswer != nil,
        let decision = try? surfaces.handle(.cancel(ticket.id, reason: .requester, by: nil), at: now)
      else { continue }
      let changes = decision.changes.map { change -> PresentationChange in
        guard change.id == ticket.id, case .resolved(let id, _, _, let generation) = change else { return change }
        return .resolved(id, .expired(.presented), by: nil, generation: generation)
      }
      return [changes]
    }
    return []
  }
}

extension [PresentationChange] {
  /// Without the first that `isMeant`.
  fileprivate func without(_ isMeant: (PresentationChange) -> Bool) -> [PresentationChange] {
    var changes = self
    if let index = changes.firstIndex(where: isMeant) { changes.remove(at: index) }
    return changes
  }
}

extension PresentationChange {
  fileprivate func isResolved(as outcome: PresentationOutcome) -> Bool {
    if case .resolved(_, outcome, _, _) = self { true } else { false }
  }

  fileprivate func isWithdrawn(because reason: WithdrawalReason) -> Bool {
    if case .withdrawn(_, _, reason, _) = self { true } else { false }
  }

  /// The change of a machine that keeps the first answer of a flow, and not the last.
  fileprivate func answeredFirst(in answers: inout [PresentationID: PresentationAnswer]) -> PresentationChange {
    switch self {
    case .answered(let id, let answer, _, _): answers[id] = answers[id] ?? answer
    case .resolved(let id, .answered, let resolver, let generation):
      if let first = answers[id] { return .resolved(id, .answered(first), by: resolver, generation: generation) }
    case .requested, .presented, .withdrawn, .resolved: break
    }
    return self
  }

  fileprivate func renamed(by pair: (PresentationID, PresentationID)?) -> PresentationChange {
    switch self {
    case .requested(let id, let place): .requested(id.renamed(by: pair), place: place)
    case .presented(let id, let generation, let level):
      .presented(id.renamed(by: pair), generation: generation, level: level)
    case .withdrawn(let id, let generation, let reason, let place):
      .withdrawn(id.renamed(by: pair), generation: generation, reason: reason, place: place)
    case .answered(let id, let answer, let resolver, let generation):
      .answered(id.renamed(by: pair), answer, by: resolver, generation: generation)
    case .resolved(let id, let outcome, let resolver, let generation):
      .resolved(id.renamed(by: pair), outcome, by: resolver, generation: generation)
    }
  }
}

extension Fault.Memory {
  /// The bottom of the stack that something was stacked on; `nil` for a bottom.
  fileprivate func root(of id: PresentationID) -> PresentationID? {
    var parent = tickets.first { $0.id == id }?.over
    while let id = parent, let next = tickets.first(where: { $0.id == id })?.over { parent = next }
    return parent
  }
}

extension PresentationID {
  fileprivate func renamed(by pair: (PresentationID, PresentationID)?) -> PresentationID {
    guard let pair else { return self }
    return self == pair.0 ? pair.1 : self == pair.1 ? pair.0 : self
  }
}
