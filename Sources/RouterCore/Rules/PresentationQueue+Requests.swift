import OrderedCollections

extension PresentationQueue {
  /// Applies an input for this surface. Requests are checked first, and use ``request(_:number:offer:pause:at:)``.
  mutating func handle(_ input: PresentationInput, at now: Moment) throws(PresentationRejection) -> [Event] {
    switch input {
    case .request(let ask): preconditionFailure("\(ask.id) has no number")
    case .revoke, .loadRules, .endPause: preconditionFailure("grants, rules and pauses belong to no queue")
    case .answer(let id, let generation, let answer, let extra, let resolver):
      try self.answer(id, generation: generation, with: answer, extra, by: resolver, at: now)
    case .dismiss(let id, let generation, let extra, let resolver):
      try dismiss(id, generation: generation, extra, by: resolver, at: now)
    case .fail(let id, let generation, let detail, let resolver):
      try fail(id, generation: generation, detail, by: resolver, at: now)
    case .cancel(let id, let resolver, let isAdmin): try cancel(id, by: resolver, isAdmin: isAdmin, at: now)
    case .finish(let id, let resolver, let isAdmin): try finish(id, by: resolver, isAdmin: isAdmin, at: now)
    case .snooze(let id, let generation, let duration, let resolver):
      try snooze(id, generation: generation, for: duration, by: resolver, at: now)
    case .wake(let id, let resolver): try wake(id, by: resolver, at: now)
    case .pauseSession(let id, let duration, let resolver):
      try pauseSession(of: id, for: duration, by: resolver, at: now)
    case .raise(let id, let resolver): try raise(id, by: resolver, at: now)
    case .detach(let id): try detach(id, at: now)
    case .requesterGone(let id, let reason): try requesterGone(id, reason, at: now)
    case .claim(let id): try claim(id, at: now)
    case .presenterAttached(let presenter, let identity, let surface):
      attach(presenter, identity, to: surface, at: now)
    case .presenterDetached(let presenter, let surface): detach(presenter, from: surface, at: now)
    }
  }

  /// Adds a valid request that is within the limits.
  package mutating func request(
    _ ask: PresentationAsk, number: Int, offer: GrantOffer? = nil, pause: SessionPause? = nil, at now: Moment
  ) throws(PresentationRejection) -> [Event] {
    precondition(open[ask.id] == nil, "\(ask.id) was asked for twice")
    try checkParent(of: ask)
    let owner = ask.requester.process.owner
    return decide(at: now) { queue in
      let rival = queue.open.rival(of: ask.request)
      let maySupersede = rival.map { queue.maySupersede($0, with: ask) } ?? true
      let supersedes = ask.request.conflictPolicy == .cancelPrevious && rival != nil && maySupersede
      queue.enter(
        ask, number: number, place: supersedes ? queue.takeFrontPlace() : queue.takePlace(for: ask.request, of: owner),
        offer: offer)
      switch ask.request.conflictPolicy {
      case .enqueue: break
      case .cancelNew: if rival != nil { queue.resolve(ask.id, .cancelled(.busy), by: nil) }
      case .cancelPrevious:
        guard let rival else { break }
        if maySupersede {
          queue.resolve(rival, .cancelled(.superseded), by: nil)
        } else {
          queue.resolve(ask.id, .cancelled(.busy), by: nil)
        }
      }
      if let pause { queue.postpone(ask.id, during: pause) }
    }
  }

  /// Checks that a request may be stacked on the presentation that it names.
  func checkParent(of ask: PresentationAsk) throws(PresentationRejection) {
    guard let parent = ask.request.over else { return }
    guard let entry = open[parent], entry.owner == ask.requester.process.owner else { throw .unknownParent }
    if ask.request.flow {
      guard entry.request.flow else { throw .parentIsNoFlow }
    } else {
      guard open.depth(of: parent) < stackDepth else { throw .stackedTooDeep }
    }
  }

  /// Whether a request may end an earlier one: its user's own, unless that would let an agent end its own prompt.
  private func maySupersede(_ id: PresentationID, with ask: PresentationAsk) -> Bool {
    let (rival, process) = (open[id]!, ask.requester.process)
    let requester = rival.presentation.requester.process
    if rival.presentation.isGuarded(from: process), !process.isSameProcess(as: requester) { return false }
    return ask.isAdmin || rival.owner == process.owner
  }

  /// Answers a generation (`nil`: the current one). Ends the presentation, unless it is part of a flow, which is shown
  /// again.
  mutating func answer(
    _ id: PresentationID, generation: Int?, with answer: PresentationAnswer, _ extra: AnswerExtra = AnswerExtra(),
    by resolver: Presentation.Responder?, at now: Moment
  ) throws(PresentationRejection) -> [Event] {
    // Report a stale answer as stale even if it is invalid.
    try open.checkShown(id, generation: generation)
    let request = open[id]!.request
    do {
      try request.check(answer)
      try request.check(extra)
    } catch {
      throw .answerDoesNotFit(error)
    }
    return decide(at: now) { queue in
      if request.flow {
        queue.keep(answer, extra, of: id, by: resolver)
      } else if let resolver, queue.needsOthers(after: answer, by: resolver, to: id) {
        queue.keep(answer, extra, of: id, by: resolver)
        queue.withdrawIfUnwatched(id)
      } else {
        queue.resolve(id, .answered(answer), extra, by: resolver)
      }
    }
  }

  /// Whether further people must give an answer before it counts.
  private func needsOthers(
    after answer: PresentationAnswer, by resolver: Presentation.Responder, to id: PresentationID
  ) -> Bool {
    let presentation = open[id]!.presentation
    guard let requirement = presentation.request.require, requirement.concerns(answer, to: presentation.request),
      case .button(let button) = answer
    else { return false }
    let approvals = presentation.approvals.filter { $0.button == button }
    return !requirement.isMet(by: approvals + [Presentation.Approval(by: resolver, at: now.wall, button: button)])
  }

  /// Ends a shown presentation that a person closed, unless its request forbids that.
  private mutating func dismiss(
    _ id: PresentationID, generation: Int?, _ extra: AnswerExtra, by resolver: Presentation.Responder?, at now: Moment
  ) throws(PresentationRejection) -> [Event] {
    // Report a stale dismissal as stale.
    try open.checkShown(id, generation: generation)
    let request = open[id]!.request
    if request.dismissDisabled { throw .dismissDisabled }
    do { try request.check(extra) } catch { throw .answerDoesNotFit(error) }
    return decide(at: now) { $0.resolve(id, .dismissed, extra, by: resolver) }
  }

  /// Ends a shown presentation that cannot be shown.
  package mutating func end(
    _ id: PresentationID, generation: Int?, _ outcome: PresentationOutcome, by resolver: Presentation.Responder?, at now: Moment
  ) throws(PresentationRejection) -> [Event] {
    try open.checkShown(id, generation: generation)
    return decide(at: now) { $0.resolve(id, outcome, by: resolver) }
  }

  /// A presenter cannot show it, so it is withdrawn from that presenter. It ends as failed if no other presenter may show it, or
  /// if it is not known which presenter failed.
  private mutating func fail(
    _ id: PresentationID, generation: Int?, _ detail: String, by resolver: Presentation.Responder?, at now: Moment
  ) throws(PresentationRejection) -> [Event] {
    try open.checkShown(id, generation: generation)
    let presentation = open[id]!.presentation
    guard let resolver, let own = presenters.values.first(where: { $0.isFor(id) && $0.isSame(as: resolver) }),
      presenters.values.contains(where: { $0.mayShow(presentation) && !$0.isSame(as: resolver) })
    else { return try end(id, generation: generation, .failed(detail), by: resolver, at: now) }
    // The report was repeated after a lost reply.
    guard own.mayShow(presentation) else { return [] }
    return decide(at: now) {
      $0.record(
        .presenterFailed(Event.PresenterFailed(by: resolver, generation: presentation.generation, detail: detail)), of: id)
    }
  }

  /// Finishes a flow, or a screen of it, with its last answer, on behalf of its requester or an administrator.
  mutating func finish(
    _ id: PresentationID, by finisher: Presentation.Responder, isAdmin: Bool, at now: Moment
  ) throws(PresentationRejection) -> [Event] {
    let entry = try entry(id, of: finisher, isAdmin: isAdmin)
    guard entry.request.flow else { throw .notFlow }
    guard let last = entry.lastAnswer else { throw .notAnswered }
    return decide(at: now) { $0.resolve(id, .answered(last.content), last.extra, by: last.resolver, finishedBy: finisher) }
  }

  /// Cancels a presentation in any state, on behalf of its requester or an administrator.
  mutating func cancel(
    _ id: PresentationID, by resolver: Presentation.Responder, isAdmin: Bool, at now: Moment
  ) throws(PresentationRejection) -> [Event] {
    let isOwner = try entry(id, of: resolver, isAdmin: isAdmin).owner == resolver.process.owner
    return decide(at: now) { $0.resolve(id, .cancelled(isOwner ? .requester : .admin), by: resolver) }
  }

  /// Handles the loss of the last requester: an attached presentation ends.
  package mutating func requesterGone(
    _ id: PresentationID, _ reason: PresentationOutcome.CancellationReason, at now: Moment
  ) throws(PresentationRejection) -> [Event] {
    guard let entry = open[id] else { throw .notOpen }
    guard entry.presentation.attached else { return [] }
    return decide(at: now) { $0.resolve(id, .cancelled(reason), by: nil) }
  }

  mutating func detach(_ id: PresentationID, at now: Moment) throws(PresentationRejection) -> [Event] {
    guard let entry = open[id] else { throw .notOpen }
    try Self.checkDetachable(entry.request)
    guard entry.presentation.attached else { return [] }
    return decide(at: now) { $0.record(.detached, of: id) }
  }

  static func checkDetachable(_ request: PresentationRequest) throws(PresentationRejection) {
    if request.sensitive { throw .sensitiveDetached }
    if request.flow { throw .flowDetached }
  }

  /// Returns an entry that the caller owns or administers. Throws `notOpen` for any other.
  private func entry(
    _ id: PresentationID, of caller: Presentation.Responder, isAdmin: Bool
  ) throws(PresentationRejection) -> OpenPresentation {
    guard let entry = open[id], isAdmin || entry.owner == caller.process.owner else { throw .notOpen }
    return entry
  }
}
