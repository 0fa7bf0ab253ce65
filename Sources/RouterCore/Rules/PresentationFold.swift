/// The state that decisions are based on, computed from the events. There are two copies: the decider's, after its last
/// decision, and the coordinator's, of the recorded events. After a failed commit, the decider continues from the recorded
/// copy.
@usableFromInline package struct PresentationFold: Sendable {
  @usableFromInline package private(set) var surfaces: [String: OpenPresentations] = [:]
  @usableFromInline package private(set) var surfaceOf: [PresentationID: String] = [:]
  /// The ids of the open presentations in ascending order, for pages.
  package private(set) var ids: [PresentationID] = []
  package private(set) var keys = IdempotencyIndex()
  private(set) var lastNumber = 0
  /// The grants, rules and pauses in force.
  package private(set) var standing = Standing()
  package private(set) var agents = RecentAgents()
  package private(set) var answers = RecentAnswers()
  private var useOf: [Owner: Use] = [:]
  /// The size of each host's open requests.
  private var bytesOf: [String: Int] = [:]

  /// The number of a user's open presentations, and the size of their encoded requests.
  struct Use {
    fileprivate(set) var count = 0
    fileprivate(set) var bytes = 0
  }

  package init() {}

  /// Restores the state from a log.
  package init(
    _ entries: [OpenPresentation], lastNumber: Int, usedKeys: UsedKeys = UsedKeys(), standing: Standing = Standing(),
    agents: RecentAgents = RecentAgents(), answers: RecentAnswers = RecentAnswers()
  ) {
    self.lastNumber = lastNumber
    (self.standing, self.agents, self.answers) = (standing, agents, answers)
    keys.add(usedKeys)
    for (surface, entries) in Dictionary(grouping: entries, by: \.request.surface) {
      surfaces[surface] = OpenPresentations(entries)
    }
    for entry in entries { opened(entry.presentation) }
    ids = entries.map(\.id).sorted()
  }

  /// Creates the state after pruning.
  package init(_ start: Event.Pruned, at now: Moment) {
    self.init(
      start.carried.filter { $0.state != .resolved }.map { OpenPresentation($0, at: now) }, lastNumber: start.lastNumber,
      standing: Standing(start.grants, rules: start.rules, pauses: start.pauses, at: now))
  }

  package var count: Int { surfaceOf.count }
  func use(of owner: Owner) -> Use { useOf[owner] ?? Use() }
  func bytes(of host: String) -> Int { bytesOf[host] ?? 0 }

  // Inlinable, because a call from another module would copy the entire state.
  @inlinable package func surface(of id: PresentationID) -> String? { surfaceOf[id] }

  @inlinable package subscript(id: PresentationID) -> OpenPresentation? {
    surfaceOf[id].flatMap { surfaces[$0]?.entries[id] }
  }

  package func position(of id: PresentationID) -> Int { surfaceOf[id].flatMap { surfaces[$0]?.position(of: id) } ?? 0 }

  /// Applies the next recorded event. Returns its presentation after the event; `nil` if it does not concern an open
  /// presentation.
  ///
  /// - Throws: ``FoldError``, with nothing changed, for an event that is invalid in this state.
  @discardableResult
  package mutating func apply(_ event: Event, at now: Moment) throws(FoldError) -> Presentation? {
    let presentation = try applyToOpen(event, at: now)
    switch event.detail {
    case .requested(let asked):
      lastNumber = max(lastNumber, asked.number)
      agents.note(asked.requester, agent: asked.request.agent, at: now.boot)
    case .pruned(let pruned): lastNumber = max(lastNumber, pruned.lastNumber)
    default: standing.apply(event, at: now)
    }
    return presentation
  }

  private mutating func applyToOpen(_ event: Event, at now: Moment) throws(FoldError) -> Presentation? {
    guard let id = event.presentation else { return nil }
    let surface: String
    if case .requested(let asked) = event.detail {
      guard surfaceOf[id] == nil else { throw FoldError("it is requested twice") }
      surface = asked.request.surface
    } else {
      guard let found = surfaceOf[id] else { return nil }
      surface = found
    }
    defer { if surfaces[surface]?.count == 0 { surfaces[surface] = nil } }
    guard let presentation = try surfaces[surface, default: OpenPresentations()].apply(event, at: now.boot) else { return nil }
    if case .requested = event.detail {
      opened(presentation)
      ids.insert(id, at: ids.partitioningIndex { $0 >= id })
    }
    if case .resolved(let end) = event.detail {
      ended(presentation, end.outcome)
      answers.note(presentation, at: event.at)
    }
    return presentation
  }

  private mutating func opened(_ presentation: Presentation) {
    surfaceOf[presentation.id] = presentation.request.surface
    keys.opened(presentation)
    count(presentation, 1)
  }

  private mutating func ended(_ presentation: Presentation, _ outcome: PresentationOutcome) {
    surfaceOf[presentation.id] = nil
    ids.remove(at: ids.partitioningIndex { $0 >= presentation.id })
    keys.ended(presentation.id, outcome)
    count(presentation, -1)
  }

  private mutating func count(_ presentation: Presentation, _ sign: Int) {
    let (owner, bytes) = (presentation.requester.process.owner, sign * presentation.requestText.bytes.count)
    useOf[owner, default: Use()].count += sign
    useOf[owner]!.bytes += bytes
    if useOf[owner]!.count == 0 { useOf[owner] = nil }
    bytesOf[owner.host, default: 0] += bytes
    if bytesOf[owner.host] == 0 { bytesOf[owner.host] = nil }
  }

  /// Applies the events of a restart, and holds the presentations that wait for their requesters.
  package mutating func restart(holding held: [PresentationID: Duration], with events: [Event], at now: Moment) {
    for event in events { _ = try? apply(event, at: now) }
    for (id, time) in held { hold(id, until: time) }
  }

  /// Recomputes all deadlines from the recorded times. A follower may have read an event long after it was recorded, or while
  /// its clock was wrong.
  package mutating func setDeadlines(at now: Moment) {
    for surface in surfaces.keys { surfaces[surface]!.setDeadlines(at: now) }
    standing = standing.restored(at: now)
  }

  /// Holds a presentation at its position for its requester until a time; `nil` releases it.
  mutating func hold(_ id: PresentationID, until time: Duration?) {
    guard let surface = surfaceOf[id] else { return }
    surfaces[surface]!.hold(id, until: time)
  }

  /// Releases a held presentation.
  package mutating func release(_ id: PresentationID) { hold(id, until: nil) }

  /// Prevents the reuse of numbers and generations of events that could not be recorded.
  package mutating func skip(_ lost: some Sequence<Event>) {
    for event in lost {
      if case .requested(let asked) = event.detail { lastNumber = max(lastNumber, asked.number) }
      if case .presented(let shown) = event.detail, let id = event.presentation, let surface = surfaceOf[id] {
        surfaces[surface]!.skipGeneration(shown.generation, of: id)
      }
    }
  }
}
