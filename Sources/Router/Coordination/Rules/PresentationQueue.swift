import HeapModule
import OrderedCollections

/// The rules of one surface: what is shown, what waits, and the effect of each input.
///
/// A value without I/O, clock or tasks. Its inputs are the mutating functions below. Each returns the resulting events,
/// already applied to the entries, or throws a rejection and changes nothing. The stack, the lines and the deadlines
/// are derived from the entries and presenters.
package struct PresentationQueue: Sendable {
  /// The maximum number of presentations stacked on another; 1 allows an alert on a sheet, but nothing on the alert.
  let stackDepth: Int

  private(set) var entries: [PresentationID: Entry] = [:]
  /// The shown presentations, bottom first. Only the last can be answered; the others are covered.
  private(set) var stack: [PresentationID] = []
  private(set) var line = PresentationLine()
  private(set) var linesOver: [PresentationID: PresentationLine] = [:]
  /// The attached presenters, in the order in which they attached.
  private(set) var presenters: OrderedDictionary<PresenterID, PresenterIdentity> = [:]
  /// Whether nothing new may be shown, because the log is unwritable.
  private(set) var isPaused = false
  /// Until then, held presentations are not overtaken after a restart, so that reconnecting requesters keep their
  /// order.
  private(set) var overtakingFrom: Duration?

  private var deadlines: Heap<Deadline> = []
  /// The presentations ended by the last decision, in their final state.
  private(set) var ended: [PresentationID: Presentation] = [:]
  private var nextRank = 0
  private var frontRank = -1
  private var events: [Event] = []
  private var now = Moment(boot: .zero, wall: Timestamp(milliseconds: 0))

  package init(stackDepth: Int = 1) { self.stackDepth = stackDepth }

  init(
    stackDepth: Int, entries: [Entry], presenters: OrderedDictionary<PresenterID, PresenterIdentity> = [:],
    isPaused: Bool, overtakingFrom: Duration? = nil
  ) {
    self.stackDepth = stackDepth
    self.presenters = presenters
    self.isPaused = isPaused
    self.overtakingFrom = overtakingFrom
    for entry in entries {
      self.entries[entry.id] = entry
      schedule(entry)
      let place = entry.presentation.place
      if !entry.isShown { insert(entry, at: place) }
      nextRank = max(nextRank, place.rank + 1)
      frontRank = min(frontRank, place.rank - 1)
    }
    stack = entries.filter(\.isShown).sorted { $0.presentation.level < $1.presentation.level }.map(\.id)
  }

  // MARK: State

  package var count: Int { entries.count }
  /// The number of queued presentations, on the surface or on top of others.
  package var waitingCount: Int { entries.count - stack.count }
  var top: Entry? { stack.last.flatMap { entries[$0] }.flatMap { $0.isCovered ? nil : $0 } }
  /// When to call ``expire(at:)`` next. May be early, because of a stale deadline, but never late.
  package var nextDeadline: Duration? { .earlier(deadlines.min?.time, overtakingFrom) }

  package func entry(_ id: PresentationID) -> Entry? { entries[id] }

  // MARK: Inputs

  /// Releases a held presentation whose requester has reconnected.
  mutating func claim(_ id: PresentationID, at now: Moment) throws(PresentationRejection) -> [Event] {
    guard entries[id] != nil else { throw .notOpen }
    entries[id]!.heldUntil = nil
    schedule(entries[id]!)
    return decide(at: now) { _ in }
  }

  /// Attaches a presenter, which also shows the current stack. The generation stays the same.
  package mutating func attach(
    _ presenter: PresenterID, _ identity: PresenterIdentity, to surface: String, at now: Moment
  ) -> [Event] {
    decide(at: now) { queue in
      queue.presenters[presenter] = identity
      queue.events.append(Event(at: now.wall, .presenterAttached(surface: surface, by: identity.resolver)))
    }
  }

  /// A presenter goes away. What no other may show goes back to the head of the line with what is stacked on it.
  mutating func detach(_ presenter: PresenterID, from surface: String, at now: Moment) -> [Event] {
    decide(at: now) { $0.remove(presenters: [presenter], from: surface) }
  }

  private mutating func remove(presenters ids: [PresenterID], from surface: String) {
    for id in ids {
      guard let identity = presenters.removeValue(forKey: id) else { continue }
      events.append(Event(at: now.wall, .presenterDetached(surface: surface, by: identity.resolver)))
    }
    if let level = stack.firstIndex(where: { !mayBeShown($0) }) { withdrawStack(.presenterGone, from: level) }
  }

  /// Ends the attached requests of a host that is gone, and detaches its presenters.
  mutating func hostGone(_ host: String, from surface: String, at now: Moment) -> [Event] {
    decide(at: now) { queue in
      for id in queue.topsFirst {
        guard let entry = queue.entries[id], entry.presentation.attached, entry.owner.host == host else { continue }
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
      for (id, identity) in attached.sorted(by: { $0.key.number < $1.key.number }) where queue.presenters[id] == nil {
        queue.presenters[id] = identity
        queue.events.append(Event(at: now.wall, .presenterAttached(surface: surface, by: identity.resolver)))
      }
    }
  }

  /// Puts everything back in line, for a new leader that does not know the presenters of other hosts yet.
  mutating func takeOver(at now: Moment) -> [Event] {
    decide(at: now) { $0.withdrawStack(.interrupted) }
  }

  /// Applies an event that another host has decided. Sets no deadlines, because only the leader acts on them.
  mutating func follow(_ event: Event, at now: Duration) {
    guard let id = event.presentation else { return }
    if case .requested(let asked) = event.detail {
      let entry = Entry(Presentation(id, asked), now: now)
      entries[id] = entry
      return insert(entry, at: asked.place)
    }
    guard let entry = entries[id] else { return }
    switch event.detail {
    case .presented where !entry.isShown:
      leaveLine(id)
      stack.append(id)
    case .resolved where !entry.isShown: leaveLine(id)
    case .resolved: stack.removeAll { $0 == id }
    case .withdrawn(let withdrawn) where withdrawn.place != nil: stack.removeAll { $0 == id }
    default: break
    }
    entries[id]!.apply(event, at: now)
    if case .withdrawn(let withdrawn) = event.detail, let place = withdrawn.place { insert(entries[id]!, at: place) }
    if case .resolved = event.detail { ended = [id: entries.removeValue(forKey: id)!.presentation] }
  }

  /// Withdraws what was shown, ends what does not survive a restart, and holds the rest for its requesters.
  mutating func restart(graceEnd: Duration, at now: Moment) -> [Event] {
    decide(at: now) { queue in
      queue.withdrawStack(.interrupted)
      // A screen ends before the one below it: each has lost its own requester.
      for id in queue.topsFirst {
        guard let entry = queue.entries[id] else { continue }
        if !entry.survivesRestart {
          queue.resolve(id, .cancelled(.interrupted), by: nil)
        } else if entry.hasUsedShownTime(at: now.boot) {
          queue.resolve(id, .expired(.presented), by: nil)
        } else if entry.presentation.attached {
          queue.entries[id]!.heldUntil = graceEnd
          queue.schedule(queue.entries[id]!)
        }
      }
    }
  }

  /// Ends what does not survive the coordinator's shutdown.
  mutating func shutDown(at now: Moment) -> [Event] {
    decide(at: now) { queue in
      for id in queue.topsFirst where queue.entries[id]?.survivesRestart == false {
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
        guard let entry = queue.entries[deadline.id], entry.nextDeadline == deadline.time else { continue }
        let expiry = PresentationOutcome.expired(entry.isShown ? .presented : .queued)
        queue.resolve(deadline.id, entry.heldUntil == deadline.time ? .cancelled(.interrupted) : expiry, by: nil)
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
    ended = [:]
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
      } else if entries[id]!.request.noPresenter == .fail {
        resolve(id, .cancelled(.noPresenter), by: nil)
      } else {
        return
      }
    }
    if let top = stack.last, entries[top]!.isCovered { raise(top) }
  }

  private mutating func show(_ id: PresentationID) {
    if let top, let shownFor = top.shownFor(at: now.boot) {
      let withdrawn = Event.Withdrawn(
        reason: .covered, generation: top.presentation.generation, place: nil, shownFor: shownFor)
      record(.withdrawn(withdrawn), of: top.id)
    }
    leaveLine(id)
    stack.append(id)
    raise(id)
  }

  /// Shows the top of the stack in a new generation.
  private mutating func raise(_ id: PresentationID) {
    let entry = entries[id]!
    let presented = Event.Presented(
      surface: entry.request.surface, generation: entry.lastGeneration + 1, level: stack.count - 1,
      presenters: presenters.values.filter { $0.mayShow(id) }.map(\.attached))
    record(.presented(presented), of: id)
  }

  /// Puts the stack back at the head of the line down to a level, each level in the line over the one below.
  private mutating func withdrawStack(_ reason: WithdrawalReason, from level: Int = 0) {
    while stack.count > level, let id = stack.popLast() {
      let entry = entries[id]!
      let place = takeFrontPlace()
      let withdrawn = Event.Withdrawn(
        reason: reason, generation: entry.presentation.generation, place: place, shownFor: entry.shownFor(at: now.boot))
      record(.withdrawn(withdrawn), of: id)
      insert(entry, at: place)
    }
  }

  /// Records an answer to a flow's presentation, which stays open. It cannot be answered until it is shown again.
  mutating func keep(_ answer: PresentationAnswer, of id: PresentationID, by resolver: Resolver?) {
    let entry = entries[id]!
    let isSensitive = entry.request.sensitive
    let answered = Event.Answered(
      answer: isSensitive ? .redacted : answer, by: resolver, generation: entry.presentation.generation,
      shownFor: entry.shownFor(at: now.boot), secret: isSensitive ? answer : nil)
    record(.answered(answered), of: id)
  }

  /// Ends a presentation, after everything stacked on it from the top down.
  mutating func resolve(
    _ id: PresentationID, _ outcome: PresentationOutcome, isSuppressed: Bool = false, by resolver: Resolver?,
    finishedBy finisher: Resolver? = nil
  ) {
    for child in descendants(of: id) { remove(child, .cancelled(.parentEnded), by: nil) }
    remove(id, outcome, isSuppressed: isSuppressed, by: resolver, finishedBy: finisher)
  }

  /// Removes a presentation that nothing is stacked on.
  private mutating func remove(
    _ id: PresentationID, _ outcome: PresentationOutcome, isSuppressed: Bool = false, by resolver: Resolver?,
    finishedBy finisher: Resolver? = nil
  ) {
    let entry = entries[id]!
    if entry.isShown {
      precondition(stack.last == id, "\(id) ends below something that is shown")
      stack.removeLast()
    } else {
      leaveLine(id)
    }
    let recorded = outcome.redacted(if: entry.request.sensitive)
    var secret: PresentationAnswer?
    if recorded != outcome, case .answered(let answer) = outcome { secret = answer }
    let end = Event.Resolved(
      outcome: recorded, isSuppressed: isSuppressed, by: resolver, finishedBy: finisher,
      generation: entry.isOnTop ? entry.presentation.generation : nil, shownFor: entry.shownFor(at: now.boot),
      secret: secret)
    record(.resolved(end), of: id)
    ended[id] = entries.removeValue(forKey: id)?.presentation
  }

  // MARK: Bookkeeping

  mutating func record(_ detail: Event.Detail, of id: PresentationID) {
    let event = Event(at: now.wall, presentation: id, detail)
    events.append(event)
    entries[id]!.apply(event, at: now.boot)
    schedule(entries[id]!)
  }

  mutating func enter(_ ask: PresentationAsk, number: Int, place: PresentationPlace) {
    let asked =
      ask.checked.map { Asked(requester: ask.requester, checked: $0, at: now.wall, number: number, key: ask.key) }
      ?? Asked(requester: ask.requester, request: ask.request, at: now.wall, number: number, key: ask.key)
    let level = ask.request.over.flatMap { entries[$0] }.map { $0.presentation.level + 1 } ?? 0
    let requested = Event.Requested(
      asked: asked, attached: ask.attached, place: place, level: level, hasCallback: ask.hasCallback)
    events.append(Event(at: now.wall, presentation: ask.id, .requested(requested)))
    let entry = Entry(Presentation(ask.id, requested), now: now.boot)
    entries[ask.id] = entry
    insert(entry, at: place)
    schedule(entry)
  }

  private mutating func insert(_ entry: Entry, at place: PresentationPlace) {
    if let parent = entry.request.over {
      linesOver[parent, default: PresentationLine()].insert(entry.id, of: entry.owner, at: place)
    } else {
      line.insert(entry.id, of: entry.owner, at: place)
    }
  }

  private mutating func leaveLine(_ id: PresentationID) {
    guard let entry = entries[id], !entry.isShown else {
      preconditionFailure("\(id) leaves a line in which it does not stand")
    }
    let place = entry.presentation.place
    if let parent = entry.request.over {
      linesOver[parent]!.remove(id, at: place)
      if linesOver[parent]!.isEmpty { linesOver[parent] = nil }
    } else {
      line.remove(id, at: place)
    }
  }

  mutating func takePlace(for request: PresentationRequest, of owner: Owner) -> PresentationPlace {
    defer { nextRank += 1 }
    let lane = PresentationPlace.lane(of: request.priority)
    // Stacked presentations belong to the same user, so they need no rounds.
    let round = request.over == nil ? line.nextRound(in: lane, of: owner) { entries[$0]!.heldUntil != nil } : 0
    return PresentationPlace(lane: lane, round: round, rank: nextRank)
  }

  mutating func takeFrontPlace() -> PresentationPlace {
    defer { frontRank -= 1 }
    return PresentationPlace(lane: PresentationPlace.front, rank: frontRank)
  }

  private mutating func schedule(_ entry: Entry) {
    if let time = entry.nextDeadline { deadlines.insert(Deadline(time, entry.id)) }
  }

  /// Stale deadlines stay in the heap until they are due; this bounds their number.
  private mutating func dropStaleDeadlines() {
    guard deadlines.count > 2 * entries.count + 64 else { return }
    deadlines = Heap(entries.values.compactMap { entry in entry.nextDeadline.map { Deadline($0, entry.id) } })
  }
}
