/// Requests.
extension PresentationSurfaces {
  package enum RequestResult: Sendable {
    /// The request is a new presentation, which may already have ended.
    case accepted([Event])
    /// The key belongs to an open presentation, which the request joins.
    case joined(PresentationID, [Event])
    /// The key belongs to a presentation that has just ended.
    case ended(PresentationID)
  }

  /// - Parameter throttle: Called once if a person is to be asked. Returns the delay of a rate limited requester.
  package mutating func ask(
    _ ask: PresentationAsk, at now: Moment, throttle: (PresentationAsk) -> DismissalBackoff.Delay? = { $0.throttled }
  ) throws(PresentationRejection) -> RequestResult {
    self.now = now
    if !ask.attached { try ask.request.checkDetachable() }
    if ask.request.flow, !ask.readsAnswers { throw .flowWithoutStream }
    if ask.request.sensitive, !policy.allowsSensitive { throw .sensitiveShared }
    try Self.checkAgent(of: ask)
    if let act = ask.request.act, !act.isConsistent { throw .actDiffers(act) }
    switch try state.keys.find(ask.key, of: ask.requester) {
    case .open(let id)?:
      return .joined(id, try handle(.change(id, Verbs.Claim()), at: now))
    case .ended(let id)?: return .ended(id)
    case nil: break
    }
    if ask.request.priority == .critical, !ask.mayBeCritical { throw .criticalForbidden }
    if ask.request.onDismiss != nil, !policy.callsBack { throw .noCallbacks }
    if ask.request.conflictPolicy == .cancelPrevious,
      let rival = state.surfaces[ask.request.surface]?.rival(of: ask.request).flatMap({ state[$0] })
    {
      try checkOwn(rival.presentation, by: Presentation.Responder(process: ask.requester.process))
    }
    if isOff, ask.request.noPresenter.endsWhenOff { return .accepted(try settle(ask, .off)) }
    let (shown, offer): (PresentationAsk, GrantOffer?)
    // Rules must not keep people from changing the rules.
    let isOwn = policy.own.map(ask.requester.process.isSameProcess) ?? false
    switch isOwn ? .person(ask, nil) : try verdict(on: ask) {
    case .settled(let settlement): return .accepted(try settle(ask, settlement))
    case .person(let ask, let found):
      shown = ask
      offer = found?.with(habit: state.answers.habit(ask.request, by: ask.requester, at: now.wall))
    }
    if let requirement = shown.request.require {
      try policy.approvers.check(requirement, for: ask.requester.process, home: policy.home)
    }
    if let pause = throttle(ask) { throw .throttled(pause, app: ask.requester.app) }
    try checkLimits(ask)
    try checkParent(of: shown)
    return .accepted(decide(on: ask.request.surface, at: now) { $0.enter(shown, offer: offer) })
  }

  private func checkLimits(_ ask: PresentationAsk) throws(PresentationRejection) {
    let (surface, owner, bytes) = (ask.request.surface, ask.requester.process.owner, ask.valid.text.bytes.count)
    // Checked before the limits, so that a full queue does not reveal whether another user's id exists.
    if let parent = ask.request.over, state.surface(of: parent) != surface || state[parent]?.owner != owner {
      throw .unknownParent
    }
    let own = state.use(of: owner)
    if isFull(limits.total, count, hasOwn: own.count > 0) { throw .full(.total) }
    if own.count >= limits.perUser { throw .full(.user) }
    if own.bytes + standing.bytes(of: owner) + bytes > limits.bytesPerUser { throw .full(.bytes) }
    if policy.limitsHosts, state.bytes(of: owner.host) + bytes > 4 * limits.bytesPerUser { throw .full(.hostBytes) }
    guard let open = state.surfaces[surface] else { return }
    if isFull(limits.perSurface, open.count, hasOwn: open.hasOpen(of: owner)) { throw .full(.surface) }
    let free = limits.perSurface - open.count
    if policy.limitsHosts, free <= limits.perSurface / 4, open.count(of: owner.host) > free { throw .full(.host) }
  }

  /// Whether a limit is reached. The last tenth is reserved for users who have nothing open.
  private func isFull(_ limit: Int, _ count: Int, hasOwn: @autoclosure () -> Bool) -> Bool {
    count >= limit || (count >= limit - limit / 10 && hasOwn())
  }

  /// Records a request, and ends it if it cannot wait.
  private mutating func enter(_ ask: PresentationAsk, offer: GrantOffer?) {
    let rival = open.rival(of: ask.request)
    let maySupersede = rival.map { self.maySupersede($0, with: ask) } ?? true
    let supersedes = ask.request.conflictPolicy == .cancelPrevious && rival != nil && maySupersede
    record(ask, at: supersedes ? open.frontPlace : place(for: ask), offer: offer)
    // During a takeover, presenters may be attached that are not known yet.
    if ask.request.noPresenter == .fail, !isSuspended, !mayBeShown(open[ask.id]!) {
      return resolve(ask.id, .cancelled(.noPresenter), by: nil)
    }
    switch (ask.request.conflictPolicy, rival) {
    case (.enqueue, _), (_, nil): break
    case (.cancelPrevious, let rival?) where maySupersede: resolve(rival, .cancelled(.superseded), by: nil)
    case (.cancelNew, _), (.cancelPrevious, _): resolve(ask.id, .cancelled(.busy), by: nil)
    }
    if let pause = standing.pauses.pause(of: ask, at: now) { postpone(ask.id, during: pause) }
  }

  /// Ends a request without asking a person. It is recorded like others, and never shown.
  private mutating func settle(_ ask: PresentationAsk, _ settlement: Settlement) throws(PresentationRejection) -> [Event] {
    guard takeSettled(of: ask.requester.process.owner) else { throw .full(.settled) }
    try checkParent(of: ask)
    return decide(on: ask.request.surface, at: now) { surfaces in
      surfaces.record(ask, at: surfaces.place(for: ask), offer: nil)
      surfaces.resolve(ask.id, settlement.outcome, settlement.extra, by: settlement.by, because: settlement.authority)
    }
  }

  private mutating func record(_ ask: PresentationAsk, at place: PresentationPlace, offer: GrantOffer?) {
    let level = ask.request.over.flatMap { open[$0] }.map { $0.presentation.level + 1 } ?? 0
    let asked = Asked(
      requester: ask.requester, valid: ask.valid, ruling: ask.ruling, at: now.wall, number: state.lastNumber + 1, key: ask.key)
    record(
      .requested(
        Event.Requested(
          asked: asked, attached: ask.attached, place: place, level: level, hasCallback: ask.hasCallback, offer: offer)),
      of: ask.id)
  }

  private func place(for ask: PresentationAsk) -> PresentationPlace {
    let (open, lane) = (open, ask.request.priority.lane)
    // Stacked presentations belong to the same user, so they need no rounds.
    let round =
      ask.request.over == nil
      ? open.line.nextRound(in: lane, of: ask.requester.process.owner) { open[$0]!.heldUntil != nil } : 0
    return PresentationPlace(lane: lane, round: round, rank: open.nextRank)
  }

  /// Checks that a request may be stacked on the presentation that it names.
  private func checkParent(of ask: PresentationAsk) throws(PresentationRejection) {
    guard let parent = ask.request.over else { return }
    guard let open = state.surfaces[ask.request.surface], let entry = open[parent], entry.owner == ask.requester.process.owner
    else { throw .unknownParent }
    if ask.request.flow {
      guard entry.request.flow else { throw .parentIsNoFlow }
    } else {
      guard open.depth(of: parent) < limits.stackDepth else { throw .stackedTooDeep }
    }
  }

  /// Whether a request may supersede an earlier one of the same user. An agent may not end its own prompt this way.
  private func maySupersede(_ id: PresentationID, with ask: PresentationAsk) -> Bool {
    let (rival, process) = (open[id]!, ask.requester.process)
    let requester = rival.presentation.requester.process
    if rival.presentation.isGuarded(from: process), !process.isSameProcess(as: requester) { return false }
    return ask.isAdmin || rival.owner == process.owner
  }

  /// Checks that a request's agent is one of its user's own processes. Every process descends from process 1, and many users'
  /// processes from a login service of another user: with such an agent, nobody could answer.
  private static func checkAgent(of ask: PresentationAsk) throws(PresentationRejection) {
    guard let pid = ask.request.agent else { return }
    guard let agent = ask.requester.process.ancestor(pid) else {
      throw .invalid(JSONError("must be the requester's process or one above it", at: "/agent"))
    }
    let advice = "name the agent's own process, or leave it out"
    if pid == 1 {
      throw .invalid(JSONError("must not be process 1, from which all processes descend; \(advice)", at: "/agent"))
    }
    if let uid = agent.uid, uid != ask.requester.process.uid {
      throw .invalid(JSONError("must be a process of the requester's user, not of uid \(uid); \(advice)", at: "/agent"))
    }
  }
}
