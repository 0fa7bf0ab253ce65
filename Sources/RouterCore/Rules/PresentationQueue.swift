import HeapModule
package import OrderedCollections

/// The rules of one surface: the shown and waiting presentations, and the effect of each input.
///
/// A value without I/O, clock or tasks. Its inputs are the mutating functions below. Each returns the resulting events,
/// already applied to the open presentations, or throws a rejection and changes nothing.
package struct PresentationQueue: Sendable {
  /// How many presenters a host may have on a shared surface.
  package static let mostPresentersOfHost = 256
  /// How many presenters of each host the record of a showing lists.
  static let mostListedOfHost = 32

  /// The maximum number of presentations stacked on another; 1 allows an alert on a sheet, but nothing on the alert.
  let stackDepth: Int

  package private(set) var open: OpenPresentations
  /// The attached presenters, in the order in which they attached.
  private(set) var presenters: OrderedDictionary<PresenterID, PresenterIdentity> = [:]
  /// Whether nothing new may be shown, because the log is unwritable.
  private(set) var isPaused = false
  /// Until then, held presentations are not overtaken after a restart, so that reconnecting requesters keep their
  /// order.
  private(set) var overtakingFrom: Duration?

  private var deadlines: Heap<Deadline> = []
  private var nextRank = 0
  private var frontRank = -1
  private var events: [Event] = []
  private(set) var now = Moment(boot: .zero, wall: Timestamp(milliseconds: 0))

  package init(stackDepth: Int = 1) { self.init(stackDepth: stackDepth, open: OpenPresentations(), isPaused: false) }

  /// Continues from open presentations, as recorded.
  package init(
    stackDepth: Int, open: OpenPresentations, presenters: OrderedDictionary<PresenterID, PresenterIdentity> = [:],
    isPaused: Bool, overtakingFrom: Duration? = nil
  ) {
    self.stackDepth = stackDepth
    self.open = open
    self.presenters = presenters
    self.isPaused = isPaused
    self.overtakingFrom = overtakingFrom
    for entry in open.entries.values {
      schedule(entry)
      nextRank = max(nextRank, entry.presentation.place.rank + 1)
      frontRank = min(frontRank, entry.presentation.place.rank - 1)
    }
  }

  // MARK: State

  package var entries: [PresentationID: OpenPresentation] { open.entries }
  package var stack: [PresentationID] { open.stack }
  package var count: Int { open.count }
  package var top: OpenPresentation? { open.top }
  /// When to call ``expire(at:)`` next. May be early, because of a stale deadline, but never late.
  package var nextDeadline: Duration? { .earlier(deadlines.min?.time, overtakingFrom) }

  package func entry(_ id: PresentationID) -> OpenPresentation? { open[id] }

  func presenterCount(of host: String) -> Int { presenters.keys.count { $0.host == host } }

  // MARK: Inputs

  /// Releases a held presentation whose requester has reconnected.
  mutating func claim(_ id: PresentationID, at now: Moment) throws(PresentationRejection) -> [Event] {
    guard open[id] != nil else { throw .notOpen }
    open.hold(id, until: nil)
    schedule(open[id]!)
    return decide(at: now) { _ in }
  }

  /// Attaches a presenter, which also shows the current stack. The generation stays the same.
  package mutating func attach(
    _ presenter: PresenterID, _ identity: PresenterIdentity, to surface: String, at now: Moment
  ) -> [Event] {
    decide(at: now) { queue in
      queue.presenters[presenter] = identity
      queue.events.append(
        Event(
          at: now.wall, .presenterAttached(Event.PresenterAttached(surface: surface, by: identity.resolver, identity.scope))))
    }
  }

  /// A presenter goes away. What no other may show goes back to the head of the line with what is stacked on it.
  mutating func detach(_ presenter: PresenterID, from surface: String, at now: Moment) -> [Event] {
    decide(at: now) { $0.remove(presenters: [presenter], from: surface) }
  }

  private mutating func remove(presenters ids: [PresenterID], from surface: String) {
    for id in ids {
      guard let identity = presenters.removeValue(forKey: id) else { continue }
      events.append(Event(at: now.wall, .presenterDetached(Event.PresenterDetached(surface: surface, by: identity.resolver))))
    }
    if let level = stack.firstIndex(where: { !mayBeShown($0) }) { withdrawStack(.presenterGone, from: level) }
  }

  /// Ends the attached requests of a host that is gone, and detaches its presenters.
  mutating func hostGone(_ host: String, from surface: String, at now: Moment) -> [Event] {
    decide(at: now) { queue in
      for id in queue.open.topsFirst {
        guard let entry = queue.open[id], entry.presentation.attached, entry.owner.host == host else { continue }
        queue.resolve(id, .cancelled(.interrupted), by: nil)
      }
      queue.remove(presenters: queue.presenters.keys.filter { $0.host == host }, from: surface)
    }
  }

  /// Attaches and detaches presenters of a host, so that it has these.
  mutating func replacePresenters(
    of host: String, with attached: [PresenterID: PresenterIdentity], surface: String, at now: Moment
  ) -> [Event] {
    decide(at: now) { queue in
      queue.remove(presenters: queue.presenters.keys.filter { $0.host == host && attached[$0] == nil }, from: surface)
      var count = queue.presenterCount(of: host)
      for (id, identity) in attached.sorted(by: { $0.key.number < $1.key.number })
      where queue.presenters[id] == nil && count < Self.mostPresentersOfHost {
        count += 1
        queue.presenters[id] = identity
        queue.events.append(
          Event(
            at: now.wall, .presenterAttached(Event.PresenterAttached(surface: surface, by: identity.resolver, identity.scope))))
      }
    }
  }

  /// Puts everything back in line, for a new leader that does not know the presenters of other hosts yet.
  mutating func takeOver(at now: Moment) -> [Event] {
    decide(at: now) { $0.withdrawStack(.interrupted) }
  }

  /// Withdraws what was shown, ends what does not survive a restart, and holds the rest for its requesters.
  mutating func restart(graceEnd: Duration, at now: Moment) -> [Event] {
    decide(at: now) { queue in
      queue.withdrawStack(.interrupted)
      // A screen ends before the one below it: each has lost its own requester.
      for id in queue.open.topsFirst {
        guard let entry = queue.open[id] else { continue }
        if !entry.survivesRestart {
          queue.resolve(id, .cancelled(.interrupted), by: nil)
        } else if entry.hasUsedShownTime(at: now.boot) {
          queue.resolve(id, .expired(.presented), by: nil)
        } else if entry.presentation.attached {
          queue.open.hold(id, until: graceEnd)
          queue.schedule(queue.open[id]!)
        }
      }
    }
  }

  /// Ends what does not survive the coordinator's shutdown.
  mutating func shutDown(at now: Moment) -> [Event] {
    decide(at: now) { queue in
      for id in queue.open.topsFirst where queue.open[id]?.survivesRestart == false {
        queue.resolve(id, .cancelled(.interrupted), by: nil)
      }
    }
  }

  /// Expires presentations that are due at `now`, earliest first.
  package mutating func expire(at now: Moment) -> [Event] {
    decide(at: now) { queue in
      if let time = queue.overtakingFrom, time <= now.boot { queue.overtakingFrom = nil }
      while let deadline = queue.deadlines.min, deadline.time <= now.boot {
        queue.deadlines.removeMin()
        guard let entry = queue.open[deadline.id], entry.nextDeadline == deadline.time else { continue }
        if entry.heldUntil == deadline.time {
          queue.resolve(deadline.id, .cancelled(.interrupted), by: nil)
        } else if entry.expiry == deadline.time {
          queue.resolve(deadline.id, .expired(entry.isShown ? .presented : .queued), by: nil)
        } else {
          queue.record(.woken(Event.Woken(by: nil)), of: deadline.id)
        }
      }
    }
  }

  /// Stops showing new presentations while the log is unwritable.
  package mutating func pause() {
    isPaused = true
  }

  package mutating func resume(at now: Moment) -> [Event] {
    isPaused = false
    return decide(at: now) { _ in }
  }

  // MARK: Rules

  /// Applies a change, and then updates what is shown.
  mutating func decide(at now: Moment, _ body: (inout PresentationQueue) -> Void) -> [Event] {
    self.now = now
    events = []
    body(&self)
    settle()
    dropStaleDeadlines()
    defer { events = [] }
    return events
  }

  /// Shows the next presentations, and uncovers the top of the stack.
  private mutating func settle() {
    guard !isPaused else { return }
    while let id = next(at: now.boot) {
      if mayBeShown(id) {
        show(id)
      } else if open[id]!.request.noPresenter == .fail {
        resolve(id, .cancelled(.noPresenter), by: nil)
      } else {
        return
      }
    }
    if let top = stack.last, open[top]!.isCovered { uncover(top, level: stack.count - 1) }
  }

  /// Returns the next presentation to show. Held presentations keep their place and are overtaken only after
  /// ``overtakingFrom``, and so are those that no attached presenter may show.
  func next(at now: Duration) -> PresentationID? {
    let line = stack.last.map { open.linesOver[$0] } ?? open.line
    let keepsOrder = overtakingFrom.map { now < $0 } ?? false
    guard let first = keepsOrder ? line?.first : line?.first(where: { open[$0]!.heldUntil == nil }),
      open[first]!.heldUntil == nil
    else { return nil }
    if mayBeShown(first) || open[first]!.request.noPresenter == .fail { return first }
    var others = presenters.values.compactMap { $0.scope.only.flatMap { open[$0] } }
      .filter { !$0.isShown && !$0.isSnoozed && $0.heldUntil == nil && $0.request.over == stack.last && mayBeShown($0.id) }
    // Passes over those of a priority that nobody shows, and the few that the other presenters have failed to show.
    if let lane = presenters.values.lazy.filter({ $0.scope.only == nil }).map(\.scope.lane).max(),
      let other = line?.first(through: lane, where: { open[$0]!.heldUntil == nil && mayBeShown($0) })
    {
      others.append(open[other]!)
    }
    if keepsOrder, let held = line?.first(where: { open[$0]!.heldUntil != nil }).flatMap({ open[$0] }) {
      others.removeAll { held.presentation.place < $0.presentation.place }
    }
    return others.min { ($0.presentation.place, $0.id) < ($1.presentation.place, $1.id) }?.id
  }

  /// Whether a presenter is attached that may show it.
  func mayBeShown(_ id: PresentationID) -> Bool {
    let presentation = open[id]!.presentation
    return presenters.values.contains { $0.mayShow(presentation) }
  }

  mutating func show(_ id: PresentationID) {
    if let top, let shownFor = top.shownFor(at: now.boot) {
      let withdrawn = Event.Withdrawn(
        reason: .covered, generation: top.presentation.generation, place: nil, shownFor: shownFor)
      record(.withdrawn(withdrawn), of: top.id)
    }
    uncover(id, level: stack.count)
  }

  /// Shows the top of the stack in a new generation.
  private mutating func uncover(_ id: PresentationID, level: Int) {
    let entry = open[id]!
    let presented = Event.Presented(
      surface: entry.request.surface, generation: entry.lastGeneration + 1, level: level,
      presenters: listed(showing: entry.presentation))
    record(.presented(presented), of: id)
  }

  /// The presenters that the record of a showing lists: the first of each host, so that no host fills it.
  private func listed(showing presentation: Presentation) -> [AttachedPresenter] {
    var counts: [String: Int] = [:]
    return presenters.compactMap { id, identity in
      guard counts[id.host, default: 0] < Self.mostListedOfHost, identity.mayShow(presentation) else { return nil }
      counts[id.host, default: 0] += 1
      return identity.attached
    }
  }

  /// Puts the stack back at the head of the line down to a level, each level in the line over the one below.
  mutating func withdrawStack(
    _ reason: WithdrawalReason, from level: Int = 0, by resolver: Presentation.Responder? = nil
  ) {
    while stack.count > level, let id = stack.last {
      let entry = open[id]!
      let withdrawn = Event.Withdrawn(
        reason: reason, generation: entry.presentation.generation, place: takeFrontPlace(),
        shownFor: entry.shownFor(at: now.boot), by: resolver)
      record(.withdrawn(withdrawn), of: id)
    }
  }

  /// Puts a presentation back at the head of the line if no presenter may show it any more.
  mutating func withdrawIfUnwatched(_ id: PresentationID) {
    if !mayBeShown(id), let level = stack.firstIndex(of: id) { withdrawStack(.approved, from: level) }
  }

  /// Records an answer to a presentation of a flow, or to one that needs several people. It stays open, and cannot be answered until
  /// it is shown again.
  mutating func keep(
    _ answer: PresentationAnswer, _ extra: AnswerExtra, of id: PresentationID, by resolver: Presentation.Responder?
  ) {
    let entry = open[id]!
    let isSensitive = entry.request.sensitive
    let answered = Event.Answered(
      answer: isSensitive ? .redacted : answer, extra: extra, by: resolver, generation: entry.presentation.generation,
      shownFor: entry.shownFor(at: now.boot), secret: isSensitive ? answer : nil)
    record(.answered(answered), of: id)
  }

  /// Ends a presentation, after everything stacked on it from the top down.
  mutating func resolve(
    _ id: PresentationID, _ outcome: PresentationOutcome, _ extra: AnswerExtra = AnswerExtra(),
    by resolver: Presentation.Responder?, because authority: Presentation.Authority? = nil,
    finishedBy finisher: Presentation.Responder? = nil
  ) {
    for child in open.descendants(of: id) { remove(child, .cancelled(.parentEnded), by: nil) }
    remove(id, outcome, extra, by: resolver, because: authority, finishedBy: finisher)
  }

  /// Removes a presentation that nothing is stacked on.
  private mutating func remove(
    _ id: PresentationID, _ outcome: PresentationOutcome, _ extra: AnswerExtra = AnswerExtra(),
    by resolver: Presentation.Responder?, because authority: Presentation.Authority? = nil,
    finishedBy finisher: Presentation.Responder? = nil
  ) {
    let entry = open[id]!
    let recorded = outcome.redacted(if: entry.request.sensitive)
    var secret: PresentationAnswer?
    if recorded != outcome, case .answered(let answer) = outcome { secret = answer }
    let end = Event.Resolved(
      outcome: recorded, extra: extra, by: resolver, because: authority, finishedBy: finisher,
      generation: entry.isOnTop ? entry.presentation.generation : nil, shownFor: entry.shownFor(at: now.boot),
      secret: secret)
    record(.resolved(end), of: id)
  }

  // MARK: Bookkeeping

  mutating func record(_ detail: Event.Detail, of id: PresentationID) {
    let event = Event(at: now.wall, presentation: id, detail)
    events.append(event)
    do { try open.apply(event, at: now.boot) } catch {
      preconditionFailure("the rules decided \(event.kind) for \(id): \(error)")
    }
    if let entry = open[id] { schedule(entry) }
  }

  mutating func enter(_ ask: PresentationAsk, number: Int, place: PresentationPlace, offer: GrantOffer?) {
    let level = ask.request.over.flatMap { open[$0] }.map { $0.presentation.level + 1 } ?? 0
    let asked = Asked(
      requester: ask.requester, valid: ask.valid, ruling: ask.ruling, at: now.wall, number: number, key: ask.key)
    record(
      .requested(
        Event.Requested(
          asked: asked, attached: ask.attached, place: place, level: level, hasCallback: ask.hasCallback, offer: offer)),
      of: ask.id)
  }

  mutating func takePlace(for request: PresentationRequest, of owner: Owner) -> PresentationPlace {
    defer { nextRank += 1 }
    let lane = request.priority.lane
    // Stacked presentations belong to the same user, so they need no rounds.
    let round = request.over == nil ? open.line.nextRound(in: lane, of: owner) { open[$0]!.heldUntil != nil } : 0
    return PresentationPlace(lane: lane, round: round, rank: nextRank)
  }

  mutating func takeFrontPlace() -> PresentationPlace {
    defer { frontRank -= 1 }
    return PresentationPlace(lane: PresentationPlace.front, rank: frontRank)
  }

  private mutating func schedule(_ entry: OpenPresentation) {
    if let time = entry.nextDeadline { deadlines.insert(Deadline(time, entry.id)) }
  }

  /// Stale deadlines stay in the heap until they are due; this bounds their number.
  private mutating func dropStaleDeadlines() {
    guard deadlines.count > 2 * entries.count + 64 else { return }
    deadlines = Heap(entries.values.compactMap { entry in entry.nextDeadline.map { Deadline($0, entry.id) } })
  }
}
