import OrderedCollections

/// The rules of all surfaces: one ``PresentationQueue`` each, the limits, and the idempotency keys.
package struct PresentationSurfaces: Sendable {
  /// Limits on open and stacked presentations. The last tenth of `perSurface` and of `total`, rounded down, is reserved
  /// for users with nothing open on the surface, or nothing open at all.
  package typealias Limits = PresentationCoordinator.Limits

  enum RequestResult: Sendable {
    /// It is a new presentation, which may already have ended.
    case accepted([Event])
    /// Its key belongs to an open presentation, which it joins.
    case joined(PresentationID, [Event])
    /// Its key belongs to a presentation that has just ended.
    case ended(PresentationID)
  }

  package let limits: Limits
  let callsBack: Bool
  var selfAnswer = SelfAnswerRule.off
  private(set) var queues: [String: PresentationQueue] = [:]
  /// The next deadlines of the surfaces that have one.
  private var deadlines: [String: Duration] = [:]
  private var surfaceOf: [PresentationID: String] = [:]
  private var ownerOf: [PresentationID: (owner: Owner, bytes: Int)] = [:]
  private var useOf: [Owner: Use] = [:]
  private var keys = IdempotencyIndex()
  private var nextNumber = 1
  private(set) var isPaused = false
  /// Until then, presentations held after a restart are not overtaken.
  private var overtakingFrom: Duration?
  private(set) var ended: [PresentationID: Presentation] = [:]

  /// What a user's open presentations take.
  private struct Use: Sendable {
    var count = 0
    /// The size of the encoded requests.
    var bytes = 0
  }

  package init(limits: Limits = Limits(), callsBack: Bool = true) {
    self.limits = limits
    self.callsBack = callsBack
  }

  // MARK: State

  package var count: Int { surfaceOf.count }
  /// The surfaces that have an open presentation or a presenter, by name.
  package var names: [String] { queues.keys.sorted() }
  package var nextDeadline: Duration? { deadlines.values.min() }

  package func surface(of id: PresentationID) -> String? { surfaceOf[id] }

  package func queue(_ surface: String) -> PresentationQueue? { queues[surface] }

  package func entry(_ id: PresentationID) -> PresentationQueue.Entry? {
    surfaceOf[id].flatMap { queues[$0]?.entry(id) }
  }

  /// Whether an ended presentation in the log may have used a key. If so, look there before ``ask(_:at:)``.
  func mayBeInLog(_ scope: IdempotencyKey.Scope) -> Bool { keys.mayBeInLog(scope) }

  package func position(of id: PresentationID) -> Int {
    surfaceOf[id].flatMap { queues[$0]?.position(of: id) } ?? 0
  }

  // MARK: Inputs

  package mutating func handle(_ input: PresentationInput, at now: Moment) throws(PresentationRejection) -> [Event] {
    try checkSelfAnswer(input)
    let surface: String?
    switch input {
    case .request(let ask):
      switch try self.ask(ask, at: now) {
      case .accepted(let events), .joined(_, let events): return events
      case .ended: return []
      }
    case .answer(let id, _, _, _, _), .dismiss(let id, _, _), .fail(let id, _, _, _), .cancel(let id, _, _),
      .finish(let id, _, _), .detach(let id), .requesterGone(let id, _), .claim(let id):
      surface = surfaceOf[id]
    case .presenterAttached(_, let identity, let name):
      try check(identity, on: name)
      surface = name
    case .presenterDetached(_, let name): surface = name
    }
    return try change(surface) { queue throws(PresentationRejection) in try queue.handle(input, at: now) }
  }

  /// A presenter of one presentation is its own user's, and may answer it.
  func check(_ presenter: PresenterIdentity, on surface: String) throws(PresentationRejection) {
    guard let id = presenter.only else { return }
    guard surfaceOf[id] == surface, ownerOf[id]?.owner == presenter.process.owner else { throw .notOpen }
    try checkAnswer(to: id, by: presenter.resolver)
  }

  mutating func ask(_ ask: PresentationAsk, at now: Moment) throws(PresentationRejection) -> RequestResult {
    let checked: CheckedRequest
    do { checked = try ask.check() } catch { throw .invalid(error) }
    let ask = ask.with(checked)
    if !ask.attached { try PresentationQueue.checkDetachable(ask.request) }
    try Self.checkAgent(of: ask)
    switch try keys.find(ask.key, of: ask.requester) {
    case .open(let id)?:
      return .joined(id, try handle(.claim(id), at: now))
    case .ended(let id)?: return .ended(id)
    case nil: break
    }
    if ask.request.priority == .critical, !ask.mayBeCritical { throw .criticalForbidden }
    if ask.request.onDismiss != nil, !callsBack { throw .noCallbacks }
    if let remaining = ask.throttledFor { throw .throttled(remaining) }
    let (surface, owner) = (ask.request.surface, ask.requester.process.owner)
    // Checked before the limits, so that a full queue does not reveal whether another user's id exists.
    if let parent = ask.request.over, surfaceOf[parent] != surface || ownerOf[parent]?.owner != owner { throw .unknownParent }
    let own = useOf[owner, default: Use()]
    if isFull(limits.total, count, hasOwn: own.count > 0) { throw .full(.total) }
    if own.count >= limits.perUser { throw .full(.user) }
    if own.bytes + checked.text.bytes.count > limits.bytesPerUser { throw .full(.bytes) }
    if let queue = queues[surface], isFull(limits.perSurface, queue.count, hasOwn: queue.hasOpen(of: owner)) {
      throw .full(.surface)
    }
    let number = nextNumber
    let events = try change(surface) { queue throws(PresentationRejection) in
      try queue.request(ask, number: number, at: now)
    }
    nextNumber += 1
    return .accepted(events)
  }

  /// Whether a limit is reached. Its last tenth is reserved for users with nothing there.
  private func isFull(_ limit: Int, _ count: Int, hasOwn: @autoclosure () -> Bool) -> Bool {
    count >= limit || (count >= limit - limit / 10 && hasOwn())
  }

  package mutating func expire(at now: Moment) -> [Event] {
    if let time = overtakingFrom, time <= now.boot { overtakingFrom = nil }
    let due = deadlines.filter { $0.value <= now.boot }.keys
    return due.isEmpty ? [] : onEach(due.sorted()) { $0.expire(at: now) }
  }

  /// Stops showing new presentations while the log is unwritable.
  package mutating func pause() {
    isPaused = true
    for name in queues.keys { queues[name]!.pause() }
  }

  package mutating func resume(at now: Moment) -> [Event] {
    isPaused = false
    return onEach(names) { $0.resume(at: now) }
  }

  /// Ends what does not survive the coordinator's shutdown, and shows nothing new.
  mutating func shutDown(at now: Moment) -> [Event] {
    pause()
    return onEach(names) { $0.shutDown(at: now) }
  }

  // MARK: Restoring

  /// Adds the idempotency keys that the log has.
  mutating func add(_ used: UsedKeys) { keys.add(used) }

  /// How long after a restart held presentations are not overtaken, so that reconnecting requesters keep their order.
  static let orderGrace = Duration.seconds(1)

  /// Restores the open presentations after a restart.
  ///
  /// - Parameters:
  ///   - today: The wall clock, or the time of the newest event if later.
  ///   - grace: How long a requester with a key may take to reconnect.
  mutating func restart(
    _ presentations: [Presentation], lastNumber: Int, at now: Moment, today: Timestamp, grace: Duration
  ) -> [Event] {
    nextNumber = lastNumber + 1
    isPaused = true
    overtakingFrom = now.boot + min(grace, Self.orderGrace)
    load(presentations.map { PresentationQueue.Entry($0, now: now.boot, today: today) })
    let events = onEach(names) { $0.restart(graceEnd: now.boot + grace, at: now) }
    let interrupted = ended
    let resumed = resume(at: now)
    ended.merge(interrupted) { $1 }
    return events + resumed
  }

  /// Returns to the recorded state. `lost` are the presentations with changes that could not be recorded.
  mutating func rebuild(
    _ entries: [PresentationQueue.Entry], presenters: [String: OrderedDictionary<PresenterID, PresenterIdentity>],
    lost: Set<PresentationID>
  ) {
    (queues, deadlines, surfaceOf, ownerOf, useOf) = ([:], [:], [:], [:], [:])
    keys.forget(lost)
    load(entries, presenters: presenters)
  }

  // MARK: Shared surfaces

  /// Loads what is on record, to follow the leader of a shared surface.
  mutating func load(_ entries: [PresentationQueue.Entry], lastNumber: Int) {
    nextNumber = lastNumber + 1
    isPaused = true
    load(entries)
  }

  /// Applies an event that another host has decided.
  mutating func follow(_ event: Event, at now: Duration) {
    var surface = event.presentation.flatMap { surfaceOf[$0] }
    switch event.detail {
    case .requested(let asked):
      surface = asked.request.surface
      nextNumber = max(nextNumber, asked.number + 1)
    case .pruned(let pruned): nextNumber = max(nextNumber, pruned.lastNumber + 1)
    default: break
    }
    guard let surface else { return }
    queues[surface, default: PresentationQueue(stackDepth: limits.stackDepth, entries: [], isPaused: true)]
      .follow(event, at: now)
    index(event)
    if queues[surface]!.count == 0 { queues[surface] = nil }
  }

  /// Goes on as the new leader of a shared surface. Nothing is shown until ``resume(at:)``, so that the presenters of
  /// other hosts can attach first.
  mutating func takeOver(_ entries: [PresentationQueue.Entry], at now: Moment) -> [Event] {
    isPaused = true
    rebuild(entries, presenters: [:], lost: [])
    return onEach(names) { $0.takeOver(at: now) }
  }

  /// Ends the attached requests of a host that is gone, and detaches its presenters.
  mutating func hostGone(_ host: String, at now: Moment) -> [Event] {
    ended = [:]
    return names.flatMap { name in
      onEach([name]) { $0.hostGone(host, from: name, at: now) }
    }
  }

  /// Attaches and detaches presenters of a host, so that it has these.
  mutating func replacePresenters(
    of host: String, with presenters: [PresenterID: PresenterIdentity], surface: String, at now: Moment
  ) -> [Event] {
    (try? change(surface) { queue in queue.replacePresenters(of: host, with: presenters, surface: surface, at: now) }) ?? []
  }

  // MARK: Loading

  private mutating func load(
    _ entries: [PresentationQueue.Entry],
    presenters: [String: OrderedDictionary<PresenterID, PresenterIdentity>] = [:]
  ) {
    let bySurface = Dictionary(grouping: entries, by: \.request.surface)
    for surface in Set(bySurface.keys).union(presenters.keys) {
      queues[surface] = PresentationQueue(
        stackDepth: limits.stackDepth, entries: bySurface[surface] ?? [], presenters: presenters[surface] ?? [:],
        isPaused: isPaused, overtakingFrom: overtakingFrom)
      changed(surface)
    }
    for entry in entries { index(entry.presentation) }
  }

  // MARK: Bookkeeping

  /// Updates the deadline of a changed queue, or drops the queue if nothing is left on it.
  private mutating func changed(_ surface: String) {
    if let queue = queues[surface], queue.count == 0, queue.presenters.isEmpty { queues[surface] = nil }
    deadlines[surface] = queues[surface]?.nextDeadline
  }

  /// Applies an input to one queue in place. Throws `notOpen` if `surface` is `nil`.
  private mutating func change(
    _ surface: String?, _ body: (inout PresentationQueue) throws(PresentationRejection) -> [Event]
  ) throws(PresentationRejection) -> [Event] {
    guard let surface else { throw .notOpen }
    if queues[surface] == nil {
      queues[surface] = PresentationQueue(stackDepth: limits.stackDepth, entries: [], isPaused: isPaused)
    }
    defer { changed(surface) }
    let events = try body(&queues[surface]!)
    for event in events { index(event) }
    ended = queues[surface]!.ended
    return events
  }

  private mutating func onEach(_ names: [String], _ body: (inout PresentationQueue) -> [Event]) -> [Event] {
    ended = [:]
    return names.flatMap { name in
      let events = body(&queues[name]!)
      for event in events { index(event) }
      ended.merge(queues[name]!.ended) { $1 }
      changed(name)
      return events
    }
  }

  /// Updates the indexes and counts for an event.
  private mutating func index(_ event: Event) {
    guard let id = event.presentation else { return }
    switch event.detail {
    case .requested(let asked): index(Presentation(id, asked))
    case .resolved(let end):
      surfaceOf[id] = nil
      guard let (owner, bytes) = ownerOf.removeValue(forKey: id) else { return }
      useOf[owner]!.count -= 1
      useOf[owner]!.bytes -= bytes
      if useOf[owner]!.count == 0 { useOf[owner] = nil }
      keys.ended(id, end.outcome)
    default: break
    }
  }

  private mutating func index(_ presentation: Presentation) {
    let owner = presentation.requester.process.owner
    surfaceOf[presentation.id] = presentation.request.surface
    let bytes = presentation.requestText.bytes.count
    ownerOf[presentation.id] = (owner, bytes)
    useOf[owner, default: Use()].count += 1
    useOf[owner]!.bytes += bytes
    keys.opened(presentation)
  }
}
