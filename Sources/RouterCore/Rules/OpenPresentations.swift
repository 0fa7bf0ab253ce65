/// The open presentations of one surface: the shown stack, and the queues. Only events change them, so that decisions and the
/// record have the same order.
@usableFromInline package struct OpenPresentations: Sendable {
  @usableFromInline package private(set) var entries: [PresentationID: OpenPresentation] = [:]
  /// The shown presentations, bottom first. Only the last can be answered; the others are covered.
  package private(set) var stack: [PresentationID] = []
  private(set) var line = PresentationLine()
  private(set) var linesOver: [PresentationID: PresentationLine] = [:]
  /// The rank of the next presentation at the end of a queue.
  private(set) var nextRank = 0
  private var frontRank = -1

  package init() {}

  package init(_ entries: some Sequence<OpenPresentation>) {
    for entry in entries {
      self.entries[entry.id] = entry
      use(entry.presentation.place)
      if !entry.isShown { insert(entry) }
    }
    stack = self.entries.values.filter(\.isShown)
      .sorted { ($0.presentation.level, $0.id) < ($1.presentation.level, $1.id) }.map(\.id)
  }

  package var count: Int { entries.count }
  /// The number of queued presentations, on the surface or on top of others.
  package var waitingCount: Int { entries.count - stack.count }
  /// The presentation that can be answered now, if any.
  package var top: OpenPresentation? { stack.last.flatMap { entries[$0] }.flatMap { $0.isCovered ? nil : $0 } }

  package subscript(id: PresentationID) -> OpenPresentation? { entries[id] }

  /// Applies the next event of a presentation. Returns the presentation after the event; `nil` if it is not open.
  ///
  /// - Throws: ``FoldError``, with nothing changed, for an event that is invalid in this state.
  @discardableResult
  mutating func apply(_ event: Event, at now: Duration) throws(FoldError) -> Presentation? {
    guard let id = event.presentation else { return nil }
    if case .requested(let asked) = event.detail {
      guard entries[id] == nil else { throw FoldError("it is requested twice") }
      if let parent = asked.request.over, entries[parent] == nil { throw FoldError("it is stacked on what is not open") }
      let entry = OpenPresentation(Presentation(id, asked), now: now)
      entries[id] = entry
      use(entry.presentation.place)
      insert(entry)
      return entry.presentation
    }
    guard let before = entries[id] else { return nil }
    let entry = try before.applying(event, at: now)
    let hasEnded = entry.presentation.state == .resolved
    // Hosts of a shared surface may record events in any order. Without these checks, a presentation could end below another
    // one, and a later one with the same id could form a cycle.
    let (appears, disappears) = (entry.isShown && !before.isShown, before.isShown && !entry.isShown)
    if appears, entry.request.over != stack.last { throw FoldError("it is shown on another than it is stacked on") }
    if disappears, stack.last != id { throw FoldError("it leaves the stack before what is stacked on it") }
    if hasEnded, linesOver[id] != nil { throw FoldError("it ends before what is stacked on it") }
    if before.isQueued != entry.isQueued || before.presentation.place != entry.presentation.place
      || before.isSnoozed != entry.isSnoozed
    {
      use(entry.presentation.place)
      if before.isQueued { leaveLine(before) }
      if entry.isQueued { insert(entry) }
    }
    if disappears { stack.removeLast() }
    if appears { stack.append(id) }
    entries[id] = hasEnded ? nil : entry
    return entry.presentation
  }

  /// Holds a presentation at its position, without showing it, until a time; `nil` releases it.
  mutating func hold(_ id: PresentationID, until time: Duration?) { entries[id] = entries[id]?.held(until: time) }

  /// Recomputes all deadlines from the recorded times.
  mutating func setDeadlines(at now: Moment) {
    entries = entries.mapValues { $0.settingDeadlines(at: now) }
  }

  /// Prevents the reuse of a generation that was shown but could not be recorded.
  mutating func skipGeneration(_ generation: Int, of id: PresentationID) {
    entries[id] = entries[id]?.skipping(generation)
  }

  /// The next position at the head of a queue.
  var frontPlace: PresentationPlace { PresentationPlace(lane: PresentationPlace.front, rank: frontRank) }

  private mutating func use(_ place: PresentationPlace) {
    nextRank = max(nextRank, place.rank + 1)
    frontRank = min(frontRank, place.rank - 1)
  }

  private mutating func insert(_ entry: OpenPresentation) {
    if let parent = entry.request.over {
      linesOver[parent, default: PresentationLine()].insert(entry)
    } else {
      line.insert(entry)
    }
  }

  private mutating func leaveLine(_ entry: OpenPresentation) {
    guard let parent = entry.request.over else { return line.remove(entry) }
    linesOver[parent]?.remove(entry)
    if linesOver[parent]?.isEmpty == true { linesOver[parent] = nil }
  }
}
