import HeapModule
package import OrderedCollections

/// The rules that decide each input.
///
/// A value without I/O, clock or tasks. Each input returns the resulting events, already applied to ``state``, or throws a
/// rejection and changes nothing.
package struct PresentationSurfaces: Sendable {
  package var policy: Policy {
    didSet {
      guard policy.grants.perMinute != oldValue.grants.perMinute else { return }
      settled = RateLimit(perMinute: policy.grants.perMinute)
    }
  }
  /// The state after the last decision. Only events and ``hold(_:until:)`` change it.
  package private(set) var state: PresentationFold
  /// The attached presenters of each surface, in the order in which they attached. Not derived from events, which do not
  /// identify connections.
  package private(set) var seats: [String: OrderedDictionary<PresenterID, PresenterIdentity>]
  /// Whether nothing new may be shown, because the log is unwritable.
  package private(set) var isSuspended: Bool
  /// The end of the time in which presentations held after a restart are not overtaken, so that reconnecting requesters keep
  /// their order.
  package internal(set) var overtakingFrom: Duration?
  /// The time at which Router switches on by itself, until the prompts that waited are shown; `nil` if it is on.
  var onAt: Duration?
  /// Limits the number of a user's requests that grants and rules decide, so that an unattended loop cannot fill the disk.
  private var settled: RateLimit<Owner>
  private var ruleBudget = RuleBudget()
  private var deadlines: Heap<Deadline> = []

  // The time of the current decision.
  var now = Moment(boot: .zero, wall: Timestamp(milliseconds: 0))
  private var surface = ""
  private var events: [Event] = []

  package init(_ policy: Policy = Policy()) { self.init(policy, PresentationFold(), isSuspended: false) }

  /// Continues from the recorded state with the attached presenters.
  ///
  /// - Parameters:
  ///   - isSuspended: Whether to show nothing until ``resume(at:)``.
  ///   - overtakingFrom: The time until which presentations held after a restart are not overtaken.
  package init(
    _ policy: Policy, _ state: PresentationFold,
    presenters: [String: OrderedDictionary<PresenterID, PresenterIdentity>] = [:], isSuspended: Bool,
    overtakingFrom: Duration? = nil
  ) {
    (self.policy, self.state, seats) = (policy, state, presenters)
    (self.isSuspended, self.overtakingFrom) = (isSuspended, overtakingFrom)
    settled = RateLimit(perMinute: policy.grants.perMinute)
    onAt = state.standing.switched.deadline
    deadlines = Heap(allDeadlines)
  }

  // MARK: State

  package var limits: Presentation.Limits { policy.limits }
  package var count: Int { state.count }
  var standing: Standing { state.standing }
  /// The rules in force.
  package var rules: RuleSet? { state.standing.rules }
  /// The surfaces that have an open presentation or a presenter, by name.
  package var names: [String] { Set(state.surfaces.keys).union(seats.keys).sorted() }
  /// The next time to call ``expire(at:)``. May be early, because of a stale deadline, but never late.
  package var nextDeadline: Duration? { .earlier(.earlier(deadlines.min?.time, overtakingFrom), onAt) }
  package func entry(_ id: PresentationID) -> OpenPresentation? { state[id] }

  /// The held presentations, each with the end of its grace period.
  package var held: [PresentationID: Duration] {
    let all = state.surfaces.values.flatMap { $0.entries.values.compactMap { entry in entry.heldUntil.map { (entry.id, $0) } } }
    return Dictionary(uniqueKeysWithValues: all)
  }

  // The open presentations of the current surface.
  var open: OpenPresentations { state.surfaces[surface] ?? OpenPresentations() }
  /// Nobody counts as attached while Router is off.
  var presenters: OrderedDictionary<PresenterID, PresenterIdentity> { isOff ? [:] : seats[surface] ?? [:] }

  // MARK: Inputs

  package mutating func handle(_ input: PresentationInput, at now: Moment) throws(PresentationRejection) -> [Event] {
    switch input {
    case .request(let ask):
      switch try self.ask(ask, at: now) {
      case .accepted(let events), .joined(_, let events): return events
      case .ended: return []
      }
    case .change(let change): return try handle(change, at: now)
    case .revoke(let id, let by, let reason, let isAdmin):
      return try revoke(id, by: by, because: reason, isAdmin: isAdmin, at: now)
    case .loadRules(let loaded): return decide(at: now) { $0.record(.rulesLoaded(loaded)) }
    case .turn(let isOff, let duration, let by): return try turn(isOff: isOff, for: duration, by: by, at: now)
    case .endPause(let id, let by): return try endPause(id, by: by, at: now)
    case .presenterAttached(let id, let identity, let name):
      try identity.check(on: name, policy) { entry($0)?.presentation }
      return decide(on: name, at: now) { $0.attach(id, identity) }
    case .presenterDetached(let id, let name): return decide(on: name, at: now) { $0.remove(presenters: [id]) }
    }
  }

  private mutating func handle(_ change: Change, at now: Moment) throws(PresentationRejection) -> [Event] {
    guard let entry = entry(change.id) else { throw .notOpen }
    try entry.presentation.check(change, policy)
    return try decide(on: entry.request.surface, at: now) { surfaces throws(PresentationRejection) in
      if type(of: change.verb).guarded != .connection { try surfaces.checkOwn(entry.presentation, by: change.by) }
      if change.generation != nil { try surfaces.checkShown(change) }
      try change.verb.decide(change, on: entry, in: &surfaces)
    }
  }

  /// Checks that no agent with a recent request answers or ends one of the daemon's own prompts. Ending a prompt also counts as
  /// "no".
  func checkOwn(_ presentation: Presentation, by resolver: Presentation.Responder?) throws(PresentationRejection) {
    guard let own = policy.own, let resolver, presentation.requester.process.isSameProcess(as: own),
      state.agents.mayInclude(resolver.process, besides: own, at: now.boot)
    else { return }
    throw .agentAnswer
  }

  /// Expires presentations that are due at `now`, on each surface earliest first.
  package mutating func expire(at now: Moment) -> [Event] {
    guard let next = nextDeadline, next <= now.boot else { return [] }
    var due: [String: Heap<Deadline>] = [:]
    if let time = overtakingFrom, time <= now.boot {
      overtakingFrom = nil
      for name in names { due[name] = [] }
    }
    if let time = onAt, time <= now.boot {
      onAt = nil
      for name in names { due[name] = [] }
    }
    while let deadline = deadlines.min, deadline.time <= now.boot {
      deadlines.removeMin()
      if let surface = state.surface(of: deadline.id) { due[surface, default: []].insert(deadline) }
    }
    return due.sorted { $0.key < $1.key }.flatMap { surface, deadlines in
      decide(on: surface, at: now) { surfaces in
        var deadlines = deadlines
        while let deadline = deadlines.popMin() {
          surfaces.expire(deadline)
          // A presentation may be due to wake and to expire.
          if let time = surfaces.open[deadline.id]?.nextDeadline, time <= now.boot {
            deadlines.insert(Deadline(time, deadline.id))
          }
        }
      }
    }
  }

  private mutating func expire(_ deadline: Deadline) {
    guard let entry = open[deadline.id], entry.nextDeadline == deadline.time else { return }
    if entry.heldUntil == deadline.time {
      resolve(entry.id, .cancelled(.interrupted), by: nil)
    } else if entry.expiry == deadline.time {
      resolve(entry.id, .expired(entry.isShown ? .presented : .queued), by: nil)
    } else {
      record(.woken(Event.Woken(by: nil)), of: entry.id)
    }
  }

  /// Stops showing new presentations while the log is unwritable.
  package mutating func suspend() { isSuspended = true }

  package mutating func resume(at now: Moment) -> [Event] {
    isSuspended = false
    return onEach(names, at: now) { _ in }
  }

  // MARK: Deciding

  /// Decides an input for one surface: makes a change, and then updates what is shown.
  mutating func decide<Failure>(
    on surface: String = "", at now: Moment, _ body: (inout PresentationSurfaces) throws(Failure) -> Void
  ) throws(Failure) -> [Event] {
    (self.surface, self.now, events) = (surface, now, [])
    defer { events = [] }
    try body(&self)
    showNext()
    dropStaleDeadlines()
    return events
  }

  mutating func onEach(_ names: [String], at now: Moment, _ body: (inout PresentationSurfaces) -> Void) -> [Event] {
    names.flatMap { decide(on: $0, at: now, body) }
  }

  /// Records an event of a presentation, or of the surface. The state changes only here.
  mutating func record(_ detail: Event.Detail, of id: PresentationID? = nil) {
    let event = Event(at: now.wall, presentation: id, detail)
    events.append(event)
    do { try state.apply(event, at: now) } catch { preconditionFailure("the rules decided \(event.kind): \(error)") }
    if let id, let entry = state[id] { schedule(entry) }
  }

  /// Holds a presentation at its position for its requester until a time.
  mutating func hold(_ id: PresentationID, until time: Duration) {
    state.hold(id, until: time)
    schedule(state[id]!)
  }

  /// Releases a held presentation whose requester has reconnected.
  mutating func release(_ id: PresentationID) {
    state.release(id)
    schedule(state[id]!)
  }

  /// Attaches a presenter, which also shows the current stack. The generation stays the same.
  mutating func attach(_ id: PresenterID, _ identity: PresenterIdentity) {
    seats[surface, default: [:]][id] = identity
    record(.presenterAttached(Event.PresenterAttached(surface: surface, by: identity.resolver, identity.scope)))
  }

  /// Removes presenters. A presentation that no other presenter may show returns to the head of the queue, with the
  /// presentations stacked on it.
  mutating func remove(presenters ids: [PresenterID]) {
    for id in ids {
      guard let identity = seats[surface]?.removeValue(forKey: id) else { continue }
      if seats[surface]!.isEmpty { seats[surface] = nil }
      record(.presenterDetached(Event.PresenterDetached(surface: surface, by: identity.resolver)))
    }
    let open = open
    if let level = open.stack.firstIndex(where: { !mayBeShown(open[$0]!) }) { withdrawStack(.presenterGone, from: level) }
  }

  // MARK: Limits

  /// Returns the verdict of remembered answers and rules on a request, and charges the work to the user.
  mutating func verdict(on ask: PresentationAsk) throws(PresentationRejection) -> Verdict {
    try ruleBudget.spend(for: ask.requester.process.owner, at: now) { [standing, policy, now] steps in
      standing.verdict(on: ask, policy, at: now.boot, counting: &steps)
    }
  }

  /// Counts a request decided without a person. Returns false over the limit.
  mutating func takeSettled(of owner: Owner) -> Bool { settled.take(for: owner, at: now.boot) == nil }

  // MARK: Deadlines

  private mutating func schedule(_ entry: OpenPresentation) {
    if let time = entry.nextDeadline { deadlines.insert(Deadline(time, entry.id)) }
  }

  /// Drops stale deadlines, which otherwise stay in the heap until they are due.
  private mutating func dropStaleDeadlines() {
    if deadlines.count > 2 * state.count + 64 { deadlines = Heap(allDeadlines) }
  }

  private var allDeadlines: [Deadline] {
    state.surfaces.values.flatMap {
      $0.entries.values.compactMap { entry in entry.nextDeadline.map { Deadline($0, entry.id) } }
    }
  }

  /// A time at which a presentation is due. Ties are broken by the order of request.
  private struct Deadline: Comparable, Sendable {
    let time: Duration
    let id: PresentationID

    init(_ time: Duration, _ id: PresentationID) { (self.time, self.id) = (time, id) }

    static func < (left: Deadline, right: Deadline) -> Bool { (left.time, left.id) < (right.time, right.id) }
  }
}
