import OrderedCollections

/// Shows and ends presentations.
extension PresentationSurfaces {
  /// The maximum number of a host's presenters on a shared surface.
  package static let mostPresentersOfHost = 256
  /// The maximum number of each host's presenters in the record of a showing.
  private static let mostListedOfHost = 32

  /// Shows the next presentations, including the top of the stack.
  mutating func showNext() {
    guard !isSuspended else { return }
    while let entry = next() { show(entry) }
    if let top = open.stack.last.flatMap({ open[$0] }), top.isCovered { uncover(top, level: open.stack.count - 1) }
  }

  /// Returns the next presentation to show. Held presentations, and those without a suitable presenter, keep their positions,
  /// and are overtaken only after ``overtakingFrom``.
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
    // Skips lanes of a priority that no presenter shows, and the few presentations that the other presenters failed to show.
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

  /// Whether an attached presenter may show it.
  func mayBeShown(_ entry: OpenPresentation) -> Bool { presenters.values.contains { $0.mayShow(entry.presentation) } }

  /// Throws unless a change applies to the current showing, and it can be answered.
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

  /// The presenters to list in the record of a showing: the first of each host, so that one host cannot fill the list.
  private func listed(showing presentation: Presentation) -> [AttachedPresenter] {
    var counts: [String: Int] = [:]
    return presenters.compactMap { id, identity in
      guard counts[id.host, default: 0] < Self.mostListedOfHost, identity.mayShow(presentation) else { return nil }
      counts[id.host, default: 0] += 1
      return identity.attached
    }
  }

  /// Returns the part of the stack above a level to the head of the queue. Each of its presentations then waits over the one
  /// below.
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

  /// Returns a shown presentation to its position, until its next turn or until a time.
  mutating func takeDown(_ entry: OpenPresentation, until: Timestamp?, by resolver: Presentation.Responder?) {
    let withdrawn = Event.Withdrawn(
      reason: .snoozed, generation: entry.presentation.generation, place: entry.presentation.place,
      shownFor: entry.shownFor(at: now.boot), until: until, by: resolver)
    record(.withdrawn(withdrawn), of: entry.id)
  }

  /// Returns a presentation to the head of the queue if no presenter may show it any longer.
  mutating func withdrawIfUnwatched(_ id: PresentationID) {
    if !mayBeShown(open[id]!), let level = open.stack.firstIndex(of: id) { withdrawStack(.approved, from: level) }
  }

  /// Records an answer to a presentation of a flow, or to one with several approvers. It stays open, and cannot be answered
  /// again until its next showing.
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

  /// Removes a presentation with nothing stacked on it.
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
