package import OrderedCollections

/// The rules of all surfaces: one ``PresentationQueue`` each, the limits, and the idempotency keys.
package struct PresentationSurfaces: Sendable {
  package enum RequestResult: Sendable {
    /// It is a new presentation, which may already have ended.
    case accepted([Event])
    /// Its key belongs to an open presentation, which it joins.
    case joined(PresentationID, [Event])
    /// Its key belongs to a presentation that has just ended.
    case ended(PresentationID)
  }

  /// The settings that decisions depend on.
  package struct Policy: Sendable, Hashable {
    package var limits = Presentation.Limits()
    /// Whether programs can be called back.
    package var callsBack = true
    package var selfAnswer = SelfAnswerRule.off
    /// Whether a request may ask for a sensitive answer, which must not leave this machine.
    package var allowsSensitive = true
    /// Whether the last quarter of `perSurface` is reserved for hosts that have at most as many presentations open there as are
    /// then free, and a host's requests may have the bytes of four users. A host names its users itself, so `perUser` and
    /// `bytesPerUser` do not limit it.
    package var limitsHosts = false
    package var grants = GrantPolicy()
    /// The daemon, whose own prompts agents may not answer; `nil` in a program, all of whose prompts are its own.
    package var own: ProcessIdentity?
    /// This host's rules on a shared surface: a leader puts them in force, and other hosts send nothing that they deny.
    package var rules: RuleSet?
    /// The people who may give answers that need several, and the host whose users they are.
    package var approvers = Approvers()
    package var home = ""
    /// People with accounts on several hosts, who must not approve or answer their own requests from another.
    package var people = People()

    package init(
      limits: Presentation.Limits = Presentation.Limits(), callsBack: Bool = true,
      selfAnswer: SelfAnswerRule = SelfAnswerRule.off, limitsHosts: Bool = false,
      grants: GrantPolicy = GrantPolicy()
    ) {
      (self.limits, self.callsBack, self.selfAnswer) = (limits, callsBack, selfAnswer)
      (self.limitsHosts, self.grants) = (limitsHosts, grants)
    }
  }

  package var policy: Policy {
    didSet {
      guard policy.grants.perMinute != oldValue.grants.perMinute else { return }
      settled = RateLimit(perMinute: policy.grants.perMinute)
    }
  }
  package private(set) var queues: [String: PresentationQueue] = [:]
  /// The next deadlines of the surfaces that have one.
  private var deadlines: [String: Duration] = [:]
  /// A time before which no deadline is due; `nil` if there is none.
  private var earliest: Duration?
  private var surfaceOf: [PresentationID: String] = [:]
  private var ownerOf: [PresentationID: (owner: Owner, bytes: Int)] = [:]
  private var useOf: [Owner: Use] = [:]
  /// The size of the open requests of each host.
  private var bytesOfHost: [String: Int] = [:]
  private var keys = IdempotencyIndex()
  var standing = Standing()
  private var agents = RecentAgents()
  /// Limits how many requests of a user grants and rules settle, so that a loop that nobody sees cannot fill the disk.
  private var settled: RateLimit<Owner>
  private var ruleBudget = RuleBudget()
  private var nextNumber = 1
  package private(set) var isPaused = false
  /// Until then, presentations held after a restart are not overtaken.
  package private(set) var overtakingFrom: Duration?

  /// The number and size of a user's open presentations.
  private struct Use: Sendable {
    var count = 0
    /// The size of the encoded requests.
    var bytes = 0
  }

  package init(_ policy: Policy = Policy()) {
    self.policy = policy
    settled = RateLimit(perMinute: policy.grants.perMinute)
  }

  /// Continues from the record, with the presenters that are attached.
  ///
  /// - Parameters:
  ///   - isPaused: Whether nothing is shown until ``resume(at:)``.
  ///   - overtakingFrom: Until when presentations held after a restart are not overtaken.
  package init(
    _ policy: Policy, _ fold: PresentationFold, presenters: [String: OrderedDictionary<PresenterID, PresenterIdentity>] = [:],
    isPaused: Bool, overtakingFrom: Duration? = nil
  ) {
    self.init(policy)
    self.isPaused = isPaused
    self.overtakingFrom = overtakingFrom
    nextNumber = fold.lastNumber + 1
    keys = fold.keys
    (standing, agents) = (fold.standing, fold.agents)
    for surface in Set(fold.surfaces.keys).union(presenters.keys) {
      queues[surface] = PresentationQueue(
        stackDepth: limits.stackDepth, open: fold.surfaces[surface] ?? OpenPresentations(),
        presenters: presenters[surface] ?? [:], isPaused: isPaused, overtakingFrom: overtakingFrom)
      changed(surface)
    }
    for entry in fold.surfaces.values.lazy.flatMap(\.entries.values) { count(entry.presentation) }
  }

  // MARK: State

  package var limits: Presentation.Limits { policy.limits }
  package var count: Int { surfaceOf.count }
  /// The surfaces that have an open presentation or a presenter, by name.
  package var names: [String] { queues.keys.sorted() }
  package var nextDeadline: Duration? { deadlines.values.min() }

  /// The presentations that wait for their requesters after a restart, and until when.
  package var held: [PresentationID: Duration] {
    Dictionary(
      queues.values.flatMap { $0.entries.values.compactMap { entry in entry.heldUntil.map { (entry.id, $0) } } }
    ) { $1 }
  }

  package func entry(_ id: PresentationID) -> OpenPresentation? {
    surfaceOf[id].flatMap { queues[$0]?.entry(id) }
  }

  /// The rules in force.
  package var rules: RuleSet? { standing.rules }

  // MARK: Inputs

  package mutating func handle(_ input: PresentationInput, at now: Moment) throws(PresentationRejection) -> [Event] {
    try input.checkSelfAnswer(policy) { entry($0)?.presentation }
    switch input.act {
    case .answer(let id, let resolver), .dismissal(let id, let resolver): try checkOwn(id, by: resolver, at: now)
    case .withdrawal(let id, let resolver): try checkOwn(id, by: resolver, at: now)
    case .none: break
    }
    if case .answer(let id, _, let answer, _, let resolver) = input {
      try entry(id)?.presentation.checkApproval(answer, by: resolver, policy)
    }
    let surface: String?
    switch input {
    case .request(let ask):
      switch try self.ask(ask, at: now) {
      case .accepted(let events), .joined(_, let events): return events
      case .ended: return []
      }
    case .answer(let id, let generation, let answer, let extra, let resolver) where extra.remember != nil:
      let terms = GrantTerms(selfAnswer: policy.selfAnswer, commands: policy.grants.commands) { [standing, policy] grant in
        let owner = grant.condition.owner
        return standing.count(of: owner, at: now.boot) < policy.grants.perUser
          && standing.bytes(of: owner) + grant.bytes <= policy.limits.bytesPerUser
      }
      return try change(surfaceOf[id], at: now) { queue throws(PresentationRejection) in
        try queue.answer(id, generation: generation, with: answer, extra, by: resolver, granting: terms, at: now)
      }
    case .answer(let id, let generation, let answer, let extra, let resolver) where !extra.also.isEmpty:
      for other in extra.also.keys {
        try entry(other)?.presentation.checkAnswer(by: resolver, policy)
        try checkOwn(other, by: resolver, at: now)
      }
      return try change(surfaceOf[id], at: now) { queue throws(PresentationRejection) in
        try queue.answerAll(id, generation: generation, with: answer, extra, by: resolver, at: now)
      }
    case .revoke(let id, let resolver, let isAdmin): return try revoke(id, by: resolver, isAdmin: isAdmin, at: now)
    case .loadRules(let loaded): return load(loaded, at: now)
    case .endPause(let id, let resolver): return try endPause(id, by: resolver, at: now)
    case .answer(let id, _, _, _, _), .dismiss(let id, _, _, _), .snooze(let id, _, _, _), .wake(let id, _), .raise(let id, _),
      .pauseSession(let id, _, _), .fail(let id, _, _, _), .cancel(let id, _, _), .finish(let id, _, _), .detach(let id),
      .requesterGone(let id, _),
      .claim(let id):
      surface = surfaceOf[id]
    case .presenterAttached(_, let identity, let name):
      try identity.check(on: name, policy) { entry($0)?.presentation }
      surface = name
    case .presenterDetached(_, let name): surface = name
    }
    return try change(surface, at: now) { queue throws(PresentationRejection) in try queue.handle(input, at: now) }
  }

  /// Checks that no agent that has asked lately answers or ends a prompt of the daemon itself. Ending it means no, too.
  private func checkOwn(
    _ id: PresentationID, by resolver: Presentation.Responder?, at now: Moment
  ) throws(PresentationRejection) {
    guard let own = policy.own, let resolver,
      let presentation = entry(id)?.presentation, presentation.requester.process.isSameProcess(as: own),
      agents.mayInclude(resolver.process, besides: own, at: now.boot)
    else { return }
    throw .agentAnswer
  }

  /// - Parameter throttle: Called once if a person is to be asked. Returns the pause of a rate limited requester.
  package mutating func ask(
    _ ask: PresentationAsk, at now: Moment, throttle: (PresentationAsk) -> DismissalBackoff.Pause? = { $0.throttled }
  ) throws(PresentationRejection) -> RequestResult {
    if !ask.attached { try PresentationQueue.checkDetachable(ask.request) }
    if ask.request.flow, !ask.readsAnswers { throw .flowWithoutStream }
    if ask.request.sensitive, !policy.allowsSensitive { throw .sensitiveShared }
    try Self.checkAgent(of: ask)
    if let act = ask.request.act, !act.isConsistent { throw .actDiffers(act) }
    switch try keys.find(ask.key, of: ask.requester) {
    case .open(let id)?:
      return .joined(id, try handle(.claim(id), at: now))
    case .ended(let id)?: return .ended(id)
    case nil: break
    }
    if ask.request.priority == .critical, !ask.mayBeCritical { throw .criticalForbidden }
    if ask.request.onDismiss != nil, !policy.callsBack { throw .noCallbacks }
    if ask.request.conflictPolicy == .cancelPrevious, let rival = queues[ask.request.surface]?.open.rival(of: ask.request) {
      try checkOwn(rival, by: Presentation.Responder(process: ask.requester.process), at: now)
    }
    let (shown, offer): (PresentationAsk, GrantOffer?)
    // Rules cannot keep people from changing rules.
    let isOwn = policy.own.map(ask.requester.process.isSameProcess) ?? false
    switch isOwn ? .person(ask, nil) : try verdict(on: ask, at: now) {
    case .settled(let settlement): return .accepted(try settle(ask, settlement, at: now))
    case .person(let ask, let found): (shown, offer) = (ask, found)
    }
    if let requirement = shown.request.require {
      try policy.approvers.check(requirement, for: ask.requester.process, home: policy.home)
    }
    if let pause = throttle(ask) { throw .throttled(pause, app: ask.requester.app) }
    let (surface, owner) = (ask.request.surface, ask.requester.process.owner)
    // Checked before the limits, so that a full queue does not reveal whether another user's id exists.
    if let parent = ask.request.over, surfaceOf[parent] != surface || ownerOf[parent]?.owner != owner { throw .unknownParent }
    let own = useOf[owner, default: Use()]
    if isFull(limits.total, count, hasOwn: own.count > 0) { throw .full(.total) }
    if own.count >= limits.perUser { throw .full(.user) }
    let kept = own.bytes + standing.bytes(of: owner)
    if kept + ask.valid.text.bytes.count > limits.bytesPerUser { throw .full(.bytes) }
    if policy.limitsHosts, bytesOfHost[owner.host, default: 0] + ask.valid.text.bytes.count > 4 * limits.bytesPerUser {
      throw .full(.hostBytes)
    }
    if let queue = queues[surface] {
      if isFull(limits.perSurface, queue.count, hasOwn: queue.open.hasOpen(of: owner)) { throw .full(.surface) }
      let free = limits.perSurface - queue.count
      if policy.limitsHosts, free <= limits.perSurface / 4, queue.open.count(of: owner.host) > free { throw .full(.host) }
    }
    let (number, pause) = (nextNumber, standing.pauses.pause(of: shown, at: now))
    let events = try change(surface, at: now) { queue throws(PresentationRejection) in
      try queue.request(shown, number: number, offer: offer, pause: pause, at: now)
    }
    nextNumber += 1
    return .accepted(events)
  }

  /// Returns what remembered answers and rules say of a request, and counts the work.
  mutating func verdict(on ask: PresentationAsk, at now: Moment) throws(PresentationRejection) -> Verdict {
    try ruleBudget.spend(for: ask.requester.process.owner, at: now) { [standing, policy] steps in
      standing.verdict(on: ask, policy, at: now.boot, counting: &steps)
    }
  }

  mutating func takeNumber() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// Counts a request that no person is asked about; returns false over the limit.
  mutating func takeSettled(of owner: Owner, at now: Moment) -> Bool { settled.take(for: owner, at: now.boot) == nil }

  /// Whether a limit is reached. Its last tenth is reserved for users with nothing there.
  private func isFull(_ limit: Int, _ count: Int, hasOwn: @autoclosure () -> Bool) -> Bool {
    count >= limit || (count >= limit - limit / 10 && hasOwn())
  }

  package mutating func expire(at now: Moment) -> [Event] {
    if let time = overtakingFrom, time <= now.boot { overtakingFrom = nil }
    guard let earliest, earliest <= now.boot else { return [] }
    let due = deadlines.filter { $0.value <= now.boot }.keys.sorted()
    defer { self.earliest = nextDeadline }
    return onEach(due, at: now) { $0.expire(at: now) }
  }

  /// Stops showing new presentations while the log is unwritable.
  package mutating func pause() {
    isPaused = true
    for name in queues.keys { queues[name]!.pause() }
  }

  package mutating func resume(at now: Moment) -> [Event] {
    isPaused = false
    return onEach(names, at: now) { $0.resume(at: now) }
  }

  /// Ends what does not survive the coordinator's shutdown, and shows nothing new.
  package mutating func shutDown(at now: Moment) -> [Event] {
    pause()
    return onEach(names, at: now) { $0.shutDown(at: now) }
  }

  // MARK: Restoring

  /// How long after a restart held presentations are not overtaken, so that reconnecting requesters keep their order.
  static let orderGrace = Duration.seconds(1)

  /// Restores the open presentations after a restart. ``PresentationFold`` has them with the time left of their deadlines.
  ///
  /// - Parameter grace: How long a requester with a key may take to reconnect.
  package init(_ policy: Policy, restarting fold: PresentationFold, at now: Moment, grace: Duration, events: inout [Event]) {
    self.init(policy, fold, isPaused: true, overtakingFrom: now.boot + min(grace, Self.orderGrace))
    events += onEach(names, at: now) { $0.restart(graceEnd: now.boot + grace, at: now) }
    events += resume(at: now)
  }

  // MARK: Bookkeeping

  /// Updates the deadline of a changed queue, or drops the queue if nothing is left on it.
  private mutating func changed(_ surface: String) {
    if let queue = queues[surface], queue.count == 0, queue.presenters.isEmpty { queues[surface] = nil }
    guard let time = queues[surface]?.nextDeadline else { return deadlines[surface] = nil }
    deadlines[surface] = time
    earliest = .earlier(earliest, time)
  }

  /// Applies an input to one queue in place. Throws `notOpen` if `surface` is `nil`.
  mutating func change(
    _ surface: String?, at now: Moment, _ body: (inout PresentationQueue) throws(PresentationRejection) -> [Event]
  ) throws(PresentationRejection) -> [Event] {
    guard let surface else { throw .notOpen }
    if queues[surface] == nil {
      queues[surface] = PresentationQueue(stackDepth: limits.stackDepth, open: OpenPresentations(), isPaused: isPaused)
    }
    defer { changed(surface) }
    let events = try body(&queues[surface]!)
    for event in events { index(event, at: now) }
    return events
  }

  mutating func onEach(_ names: [String], at now: Moment, _ body: (inout PresentationQueue) -> [Event]) -> [Event] {
    names.flatMap { name in
      let events = body(&queues[name]!)
      for event in events { index(event, at: now) }
      changed(name)
      return events
    }
  }

  /// Updates the indexes and counts for an event.
  private mutating func index(_ event: Event, at now: Moment) {
    guard let id = event.presentation else { return }
    switch event.detail {
    case .granted, .paused: standing.apply(event, at: now)
    case .requested(let asked):
      let presentation = Presentation(id, asked)
      count(presentation)
      keys.opened(presentation)
      agents.note(asked.requester, agent: asked.request.agent, at: now.boot)
    case .resolved(let end):
      surfaceOf[id] = nil
      guard let (owner, bytes) = ownerOf.removeValue(forKey: id) else { return }
      useOf[owner]!.count -= 1
      useOf[owner]!.bytes -= bytes
      bytesOfHost[owner.host]! -= bytes
      if useOf[owner]!.count == 0 { useOf[owner] = nil }
      keys.ended(id, end.outcome)
    case .presented, .withdrawn, .deferred, .woken, .answered, .presenterFailed, .detached, .delivered, .ran,
      .callbackDelivered, .callbackFailed, .presenterAttached, .presenterDetached, .daemonStarted, .daemonStopped, .throttled,
      .accessDenied, .pageLinkIssued, .revoked, .resumed, .rulesLoaded, .pruned:
      break
    }
  }

  private mutating func count(_ presentation: Presentation) {
    let owner = presentation.requester.process.owner
    surfaceOf[presentation.id] = presentation.request.surface
    let bytes = presentation.requestText.bytes.count
    ownerOf[presentation.id] = (owner, bytes)
    useOf[owner, default: Use()].count += 1
    useOf[owner]!.bytes += bytes
    bytesOfHost[owner.host, default: 0] += bytes
  }
}
