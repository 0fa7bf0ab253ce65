import OrderedCollections

/// What is shown, and how presentations end.
extension PresentationSurfaces {
  /// How many presenters a host may have on a shared surface.
  package static let mostPresentersOfHost = 256
  /// How many presenters of each host the record of a showing lists.
  private static let mostListedOfHost = 32

  /// Shows the next presentations, and uncovers the top of the stack.
  mutating func showNext() {
    guard !isSuspended else { return }
    while let entry = next() { show(entry) }
    if let top = open.stack.last.flatMap({ open[$0] }), top.isCovered { uncover(top, level: open.stack.count - 1) }
  }

  /// Returns the next presentation to show. Held presentations keep their place and are overtaken only after
  /// ``overtakingFrom``, and so are those that no attached presenter may show.
  private func next() -> OpenPresentation? {
    let open = open
    let line = open.stack.last.map { open.linesOver[$0] } ?? open.line
    let keepsOrder = overtakingFrom.map { now.boot < $0 } ?? false
    guard let line, let id = keepsOrder ? line.first : line.first(where: { open[$0]!.heldUntil == nil }),
      let first = open[id], first.heldUntil == nil
    else { return nil }
    if mayBeShown(first) { return first }
    var others = presenters.values.compactMap { $0.scope.only.flatMap { open[$0] } }
      .filter { !$0.isShown && !$0.isSnoozed && $0.heldUntil == nil && $0.request.over == open.stack.last && mayBeShown($0) }
    // Passes over those of a priority that nobody shows, and the few that the other presenters have failed to show.
    if let lane = presenters.values.lazy.filter({ $0.scope.only == nil }).map(\.scope.lane).max(),
      let other = line.first(through: lane, where: { open[$0]!.heldUntil == nil && mayBeShown(open[$0]!) })
    {
      others.append(open[other]!)
    }
    if keepsOrder, let held = line.first(where: { open[$0]!.heldUntil != nil }).flatMap({ open[$0] }) {
      others.removeAll { held.presentation.place < $0.presentation.place }
    }
    return others.min { ($0.presentation.place, $0.id) < ($1.presentation.place, $1.id) }
  }

  /// Whether a presenter is attached that may show it.
  func mayBeShown(_ entry: OpenPresentation) -> Bool { presenters.values.contains { $0.mayShow(entry.presentation) } }

  /// Throws unless a change is for what is shown now, and can be answered.
  func checkShown(_ change: Change) throws(PresentationRejection) {
    try open.checkShown(change.id, generation: change.generation)
  }

  mutating func show(_ entry: OpenPresentation) {
    if let top = open.top, let shownFor = top.shownFor(at: now.boot) {
      let withdrawn = Event.Withdrawn(
        reason: .covered, generation: top.presentation.generation, place: nil, shownFor: shownFor)
      record(.withdrawn(withdrawn), of: top.id)
    }
    uncover(entry, level: open.stack.count)
  }

  /// Shows the top of the stack in a new generation.
  private mutating func uncover(_ entry: OpenPresentation, level: Int) {
    let presented = Event.Presented(
      surface: entry.request.surface, generation: entry.lastGeneration + 1, level: level,
      presenters: listed(showing: entry.presentation))
    record(.presented(presented), of: entry.id)
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
    for id in open.stack.dropFirst(level).reversed() {
      let entry = open[id]!
      let withdrawn = Event.Withdrawn(
        reason: reason, generation: entry.presentation.generation, place: open.frontPlace,
        shownFor: entry.shownFor(at: now.boot), by: resolver)
      record(.withdrawn(withdrawn), of: id)
    }
  }

  /// Puts a shown presentation back in its place, for as long as it is not its turn, or until a time.
  mutating func takeDown(_ entry: OpenPresentation, until: Timestamp?, by resolver: Presentation.Responder?) {
    let withdrawn = Event.Withdrawn(
      reason: .snoozed, generation: entry.presentation.generation, place: entry.presentation.place,
      shownFor: entry.shownFor(at: now.boot), until: until, by: resolver)
    record(.withdrawn(withdrawn), of: entry.id)
  }

  /// Puts a presentation back at the head of the line if no presenter may show it any more.
  mutating func withdrawIfUnwatched(_ id: PresentationID) {
    if !mayBeShown(open[id]!), let level = open.stack.firstIndex(of: id) { withdrawStack(.approved, from: level) }
  }

  /// Records an answer to a presentation of a flow, or to one that needs several people. It stays open, and cannot be answered until
  /// it is shown again.
  mutating func keep(
    _ answer: PresentationAnswer, _ extra: AnswerExtra, of entry: OpenPresentation, by resolver: Presentation.Responder?
  ) {
    let isSensitive = entry.request.sensitive
    let answered = Event.Answered(
      answer: isSensitive ? .redacted : answer, extra: extra, by: resolver, generation: entry.presentation.generation,
      shownFor: entry.shownFor(at: now.boot), secret: isSensitive ? answer : nil)
    record(.answered(answered), of: entry.id)
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
}
