import HeapModule
import OrderedCollections

/// The rules of one surface: who is shown, who waits, and what each event makes of it.
///
/// A value without I/O, clock or tasks. Its inputs are the mutating functions below; each returns the changes in the order
/// in which they are to be recorded and carried out, or throws a rejection and leaves everything as it was. Times are
/// durations on one boot clock and never go back.
///
/// The entries are the only truth. The stack, the lines and the deadlines follow from them, and are made anew from them
/// when decisions that could not be recorded are taken back.
public struct PresentationQueue: Sendable {
  /// How many presentations may be stacked on another; 1 means an alert on a sheet, and nothing on the alert.
  let stackDepth: Int

  private(set) var entries: [PresentationID: Entry] = [:]
  /// What is shown, the bottom first. Only the last is before the person; the others are covered.
  private(set) var stack: [PresentationID] = []
  /// Who waits for the surface.
  private(set) var line = PresentationLine()
  /// Who waits to be stacked on a presentation.
  private(set) var linesOver: [PresentationID: PresentationLine] = [:]
  /// Who shows, in the order in which they attached.
  private(set) var presenters: OrderedSet<PresenterID> = []
  /// Whether nothing new may be shown, because the log cannot be written.
  private(set) var isPaused = false

  private var deadlines: Heap<Deadline> = []
  private var nextRank = 0
  private var frontRank = -1
  /// The changes of the decision under way.
  private var changes: [PresentationChange] = []
  /// The entries that the decision under way has changed, as they were before it.
  private var before: OrderedDictionary<PresentationID, Entry?> = [:]

  /// An empty surface.
  public init(stackDepth: Int = 1) {
    self.stackDepth = stackDepth
  }

  // MARK: What it knows

  /// How many are open.
  public var count: Int { entries.count }
  /// How many are in line, for the surface or for a place on something.
  public var waitingCount: Int { entries.count - stack.count }
  /// The next time at which ``expire(at:)`` has something to do; `nil` if there is none.
  ///
  /// It may be early (a deadline that no longer counts), never late.
  public var nextDeadline: Duration? { deadlines.min?.time }

  /// How a presentation stands; `nil` if it is not open.
  public func entry(_ id: PresentationID) -> Entry? { entries[id] }

  // MARK: Inputs

  /// Somebody asks.
  public mutating func request(
    _ ticket: PresentationTicket, at now: Duration
  ) throws(PresentationRejection) -> Decision {
    precondition(entries[ticket.id] == nil, "\(ticket.id) was asked for twice")
    if let parent = ticket.over {
      guard let entry = entries[parent], entry.ticket.uid == ticket.uid else { throw .unknownParent }
      if ticket.flow {
        guard entry.ticket.flow else { throw .parentIsNoFlow }
      } else {
        guard depth(of: parent) < stackDepth else { throw .stackedTooDeep }
      }
    }
    return decide(at: now) { queue in
      let rival = queue.rival(of: ticket)
      let maySupersede = rival.map { ticket.isAdmin || queue.entries[$0]!.ticket.uid == ticket.uid } ?? true
      let supersedes = ticket.conflictPolicy == .cancelPrevious && rival != nil && maySupersede
      let place = supersedes ? queue.takeFrontPlace() : queue.takePlace(for: ticket.priority)
      let level = ticket.over.map { queue.entries[$0]!.level + 1 } ?? 0
      queue.enter(Entry(ticket: ticket, phase: .waiting(place), level: level, now: now), at: place)
      queue.changes.append(.requested(ticket.id, place: place))
      switch ticket.conflictPolicy {
      case .enqueue: break
      case .cancelNew: if rival != nil { queue.resolve(ticket.id, .cancelled(.busy), by: nil) }
      case .cancelPrevious:
        guard let rival else { break }
        if maySupersede {
          queue.resolve(rival, .cancelled(.superseded), by: nil)
        } else {
          queue.resolve(ticket.id, .cancelled(.busy), by: nil)
        }
      }
    }
  }

  /// A presenter brings an answer. It ends what is shown, unless that is part of a flow: then it is put up again.
  ///
  /// The generation is that of the showing that it was given on; `nil` is the present one.
  public mutating func answer(
    _ id: PresentationID, generation: Int?, with answer: PresentationAnswer, by resolver: Resolver?, at now: Duration
  ) throws(PresentationRejection) -> Decision {
    guard entries[id]?.ticket.flow == true else {
      return try end(id, generation: generation, .answered(answer), by: resolver, at: now)
    }
    try checkShown(id, generation: generation)
    return decide(at: now) { $0.keep(Entry.Answer(content: answer, resolver: resolver), of: id) }
  }

  /// The requester ends its flow, or a screen of it: it ends as answered with its last answer, whatever its state.
  public mutating func finish(_ id: PresentationID, at now: Duration) throws(PresentationRejection) -> Decision {
    guard let entry = entries[id] else { throw .notOpen }
    guard entry.ticket.flow else { throw .notFlow }
    guard let last = entry.lastAnswer else { throw .notAnswered }
    return decide(at: now) { $0.resolve(id, .answered(last.content), by: last.resolver) }
  }

  /// A presenter closes what is shown without an answer.
  public mutating func dismiss(
    _ id: PresentationID, generation: Int?, by resolver: Resolver?, at now: Duration
  ) throws(PresentationRejection) -> Decision {
    try end(id, generation: generation, .dismissed, by: resolver, at: now)
  }

  /// A presenter cannot show what it should.
  public mutating func fail(
    _ id: PresentationID, generation: Int?, detail: String, by resolver: Resolver?, at now: Duration
  ) throws(PresentationRejection) -> Decision {
    try end(id, generation: generation, .failed(detail), by: resolver, at: now)
  }

  /// It is taken away, whatever its state.
  public mutating func cancel(
    _ id: PresentationID, reason: CancellationReason, by resolver: Resolver?, at now: Duration
  ) throws(PresentationRejection) -> Decision {
    guard entries[id] != nil else { throw .notOpen }
    return decide(at: now) { $0.resolve(id, .cancelled(reason), by: resolver) }
  }

  /// The requester of what is held is there again; it may be shown from now on.
  public mutating func claim(_ id: PresentationID, at now: Duration) throws(PresentationRejection) -> Decision {
    guard entries[id] != nil else { throw .notOpen }
    return decide(at: now) { queue in queue.update(id) { $0.heldUntil = nil } }
  }

  /// A presenter attaches. What is shown already stays as it is, and is shown by it too.
  public mutating func attach(_ presenter: PresenterID, at now: Duration) -> Decision {
    decide(at: now) { $0.presenters.append(presenter) }
  }

  /// A presenter goes away. With the last one, what was shown goes back to the head of the line, its stack kept.
  public mutating func detach(_ presenter: PresenterID, at now: Duration) -> Decision {
    decide(at: now) { queue in
      guard queue.presenters.remove(presenter) != nil, queue.presenters.isEmpty else { return }
      queue.withdrawStack(.presenterGone, at: now)
    }
  }

  /// The coordinator went down, and this is the next one's first act: what was shown goes back to the head of the line.
  public mutating func interrupt(at now: Duration) -> Decision {
    decide(at: now) { $0.withdrawStack(.interrupted, at: now) }
  }

  /// Ends what is due at `now`, the earliest first.
  public mutating func expire(at now: Duration) -> Decision {
    decide(at: now) { queue in
      while let deadline = queue.deadlines.min, deadline.time <= now {
        queue.deadlines.removeMin()
        guard let entry = queue.entries[deadline.id], entry.nextDeadline == deadline.time else { continue }
        let expiry = PresentationOutcome.expired(entry.isShown ? .presented : .queued)
        queue.resolve(deadline.id, entry.heldUntil == deadline.time ? .cancelled(.interrupted) : expiry, by: nil)
      }
    }
  }

  /// Stops showing anything new: the log cannot be written.
  public mutating func pause() {
    isPaused = true
  }

  /// Shows what should be shown by now.
  public mutating func resume(at now: Duration) -> Decision {
    isPaused = false
    return decide(at: now) { _ in }
  }

  // MARK: Taking back, and coming back

  /// Takes back decisions that could not be recorded, given from the first to the last that was made.
  public mutating func revert(_ decisions: [Decision]) {
    for decision in decisions.reversed() {
      for (id, entry) in decision.before { entries[id] = entry }
      presenters = decision.presenters
    }
    rebuild()
  }

  /// Takes in what was on record when the coordinator started.
  public mutating func restore(_ entries: [Entry]) {
    for entry in entries { self.entries[entry.ticket.id] = entry }
    setLevels()
    rebuild()
  }

  private mutating func rebuild() {
    stack = entries.values.filter(\.isShown).map(\.ticket.id).sorted { entries[$0]!.level < entries[$1]!.level }
    line = PresentationLine()
    linesOver = [:]
    deadlines = Heap(entries.values.compactMap { entry in entry.nextDeadline.map { Deadline($0, entry.ticket.id) } })
    for (id, entry) in entries {
      guard case .waiting(let place) = entry.phase else { continue }
      insert(id, at: place, over: entry.ticket.over)
      nextRank = max(nextRank, place.rank + 1)
      frontRank = min(frontRank, place.rank - 1)
    }
  }

  // MARK: Rules

  /// Makes a decision, then shows what should be shown after it.
  private mutating func decide(at now: Duration, _ body: (inout PresentationQueue) -> Void) -> Decision {
    let presentersBefore = presenters
    changes = []
    before = [:]
    body(&self)
    settle(at: now)
    dropStaleDeadlines()
    return Decision(changes: changes, before: before, presenters: presentersBefore)
  }

  private mutating func end(
    _ id: PresentationID, generation: Int?, _ outcome: PresentationOutcome, by resolver: Resolver?, at now: Duration
  ) throws(PresentationRejection) -> Decision {
    try checkShown(id, generation: generation)
    return decide(at: now) { $0.resolve(id, outcome, by: resolver) }
  }

  /// Shows whoever's turn it is, and uncovers what nothing is stacked on any more.
  private mutating func settle(at now: Duration) {
    guard !isPaused else { return }
    while let id = next {
      if !presenters.isEmpty {
        show(id, at: now)
      } else if entries[id]!.ticket.noPresenter == .fail {
        resolve(id, .cancelled(.noPresenter), by: nil)
      } else {
        return
      }
    }
    if let top = stack.last, entries[top]!.isCovered {
      raise(top, at: now)
    }
  }

  private mutating func show(_ id: PresentationID, at now: Duration) {
    if let top = stack.last, !entries[top]!.isCovered {
      update(top) { entry in
        entry.stopShownClock(at: now)
        entry.isCovered = true
      }
      changes.append(.withdrawn(top, generation: entries[top]!.generation, reason: .covered, place: nil))
    }
    leaveLine(id)
    stack.append(id)
    raise(id, at: now)
  }

  /// Puts what is last on the stack before the person: a new showing.
  private mutating func raise(_ id: PresentationID, at now: Duration) {
    update(id) { entry in
      entry.phase = .shown
      entry.isCovered = false
      entry.generation += 1
      entry.queueDeadline = nil
      entry.startShownClock(at: now)
    }
    changes.append(.presented(id, generation: entries[id]!.generation, level: stack.count - 1))
  }

  /// Nobody shows any more: the stack goes back to the head of the line, each level in the line over the one below.
  private mutating func withdrawStack(_ reason: WithdrawalReason, at now: Duration) {
    while let id = stack.popLast() {
      let place = takeFrontPlace()
      let generation = entries[id]!.generation
      update(id) { entry in
        entry.stopShownClock(at: now)
        entry.phase = .waiting(place)
        entry.isCovered = false
      }
      insert(id, at: place, over: entries[id]!.ticket.over)
      changes.append(.withdrawn(id, generation: generation, reason: reason, place: place))
    }
  }

  /// A flow's presentation was answered and stays. It is not before the person until it is put up again.
  private mutating func keep(_ answer: Entry.Answer, of id: PresentationID) {
    update(id) { entry in
      entry.lastAnswer = answer
      entry.isCovered = true
      entry.resetShownClock()
    }
    changes.append(.answered(id, answer.content, by: answer.resolver, generation: entries[id]!.generation))
  }

  /// Ends a presentation, what is stacked on it first: the top of the stack, and down.
  private mutating func resolve(_ id: PresentationID, _ outcome: PresentationOutcome, by resolver: Resolver?) {
    for child in descendants(of: id) { remove(child, .cancelled(.parentEnded), by: nil) }
    remove(id, outcome, by: resolver)
  }

  /// Takes out what nothing is stacked on.
  private mutating func remove(_ id: PresentationID, _ outcome: PresentationOutcome, by resolver: Resolver?) {
    let entry = entries[id]!
    if entry.isShown {
      precondition(stack.last == id, "\(id) ends below something that is shown")
      stack.removeLast()
    } else {
      leaveLine(id)
    }
    remember(id)
    entries[id] = nil
    let generation = entry.isShown && !entry.isCovered ? entry.generation : nil
    changes.append(.resolved(id, outcome, by: resolver, generation: generation))
  }

  // MARK: Bookkeeping

  /// Works out how many each is stacked on, after they came in any order.
  private mutating func setLevels() {
    for id in entries.keys {
      var chain: [PresentationID] = []
      var next: PresentationID? = id
      while let current = next, let entry = entries[current], entry.level < 0 {
        chain.append(current)
        next = entry.ticket.over
      }
      var level = next.flatMap { entries[$0]?.level } ?? -1
      for id in chain.reversed() {
        level += 1
        entries[id]!.level = level
      }
    }
  }

  private mutating func enter(_ entry: Entry, at place: PresentationPlace) {
    remember(entry.ticket.id)
    entries[entry.ticket.id] = entry
    insert(entry.ticket.id, at: place, over: entry.ticket.over)
    schedule(entry)
  }

  private mutating func update(_ id: PresentationID, _ body: (inout Entry) -> Void) {
    remember(id)
    body(&entries[id]!)
    schedule(entries[id]!)
  }

  private mutating func remember(_ id: PresentationID) {
    if before[id] == nil { before.updateValue(entries[id], forKey: id) }
  }

  private mutating func insert(_ id: PresentationID, at place: PresentationPlace, over parent: PresentationID?) {
    if let parent {
      linesOver[parent, default: PresentationLine()].insert(id, at: place)
    } else {
      line.insert(id, at: place)
    }
  }

  private mutating func leaveLine(_ id: PresentationID) {
    guard let entry = entries[id], case .waiting(let place) = entry.phase else {
      preconditionFailure("\(id) leaves a line in which it does not stand")
    }
    if let parent = entry.ticket.over {
      linesOver[parent]!.remove(id, at: place)
      if linesOver[parent]!.isEmpty { linesOver[parent] = nil }
    } else {
      line.remove(id, at: place)
    }
  }

  private mutating func takePlace(for priority: PresentationPriority) -> PresentationPlace {
    defer { nextRank += 1 }
    return PresentationPlace(lane: PresentationPlace.lane(of: priority), rank: nextRank)
  }

  private mutating func takeFrontPlace() -> PresentationPlace {
    defer { frontRank -= 1 }
    return PresentationPlace(lane: PresentationPlace.front, rank: frontRank)
  }

  private mutating func schedule(_ entry: Entry) {
    if let time = entry.nextDeadline { deadlines.insert(Deadline(time, entry.ticket.id)) }
  }

  /// Deadlines that no longer count stay in the heap until they are due; this bounds how many.
  private mutating func dropStaleDeadlines() {
    guard deadlines.count > 2 * entries.count + 64 else { return }
    deadlines = Heap(entries.values.compactMap { entry in entry.nextDeadline.map { Deadline($0, entry.ticket.id) } })
  }
}
