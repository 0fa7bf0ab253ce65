@testable import Router

/// What the record says is open, from the changes alone; and the promises that hold whatever the model thinks.
struct Ledger {
  enum Standing: Equatable {
    case waiting(PresentationPlace)
    case top
    case covered
  }

  struct Line {
    let ticket: PresentationTicket
    let surface: String
    let askedAt: Duration
    let arrival: Int
    var standing: Standing
    var generation = 0
    /// What a flow was answered last.
    var lastAnswer: PresentationAnswer?
    /// Until when it waits for its requester to come back.
    var heldUntil: Duration?
    /// Whether it took the place of another.
    var jumped = false

    var id: PresentationID { ticket.id }
    var isShown: Bool { standing == .top || standing == .covered }
  }

  var open: [Line] = []
  var requested = 0
  var resolved: Set<PresentationID> = []

  func line(_ id: PresentationID) -> Line? {
    open.first { $0.id == id }
  }

  /// Takes in what a decision changed.
  mutating func take(
    _ changes: [PresentationChange], from event: PresentationEvent?, at now: Duration
  ) throws(Violation) {
    if case .claim(let id)? = event, let index = open.firstIndex(where: { $0.id == id }) { open[index].heldUntil = nil }
    for change in changes {
      if case .requested(let id, let place) = change {
        try take(requested: id, at: place, from: event, in: changes, now: now)
        continue
      }
      guard let index = open.firstIndex(where: { $0.id == change.id }) else {
        throw Violation("something that is not open changed", change)
      }
      switch change {
      case .requested: break
      case .presented(_, let generation, let level): try take(presented: index, generation, level, change)
      case .withdrawn(_, let generation, let reason, let place):
        try take(withdrawn: index, generation, reason, place, change)
      case .answered(_, let answer, _, let generation):
        let line = open[index]
        try Violation.unless(
          line.ticket.flow && line.standing == .top && generation == line.generation, "kept an answer to what is not shown",
          change)
        open[index].standing = .covered
        open[index].lastAnswer = answer
      case .resolved(let id, let outcome, _, let generation):
        let line = open[index]
        try check(outcome, of: line, from: event, change)
        try Violation.unless(generation == (line.standing == .top ? line.generation : nil), "ended on another showing", change)
        try Violation.unless(!open.contains { $0.ticket.over == id }, "a parent ended before its children", change)
        open.remove(at: index)
        try Violation.unless(resolved.insert(id).inserted, "ended twice", change)
      }
    }
  }

  private mutating func take(
    requested id: PresentationID, at place: PresentationPlace, from event: PresentationEvent?,
    in changes: [PresentationChange], now: Duration
  ) throws(Violation) {
    guard case .request(let ticket, let surface)? = event, ticket.id == id, line(id) == nil, !resolved.contains(id) else {
      throw Violation("a request that nobody made", changes[0])
    }
    requested += 1
    let jumped = changes.contains { change in
      if case .resolved(_, .cancelled(.superseded), _, _) = change { true } else { false }
    }
    open.append(
      Line(
        ticket: ticket, surface: surface, askedAt: now, arrival: requested, standing: .waiting(place), jumped: jumped))
  }

  /// A flow ends as answered when it is finished, with what it was answered last; all else when it is answered.
  private func check(
    _ outcome: PresentationOutcome, of line: Line, from event: PresentationEvent?, _ change: PresentationChange
  ) throws(Violation) {
    if outcome == .cancelled(.interrupted) {
      try Violation.unless(line.heldUntil != nil, "given up, and was not held", change)
    }
    guard case .answered(let answer) = outcome else { return }
    switch event {
    case .finish(line.id, _):
      try Violation.unless(line.ticket.flow && line.lastAnswer == answer, "finished with another answer than the last", change)
    case .answer(line.id, _, answer, _):
      try Violation.unless(!line.ticket.flow, "a flow ended with an answer", change)
    default: throw Violation("answered by nobody", change)
    }
  }

  private mutating func take(
    presented index: Int, _ generation: Int, _ level: Int, _ change: PresentationChange
  ) throws(Violation) {
    let line = open[index]
    try Violation.unless(line.standing != .top, "presented what is on top already", change)
    try Violation.unless(generation > line.generation, "the generation did not rise", change)
    let others = open.filter { $0.surface == line.surface && $0.id != line.id && $0.isShown }
    try Violation.unless(!others.contains { $0.standing == .top }, "a second one is before the person", change)
    if line.standing == .covered {
      try Violation.unless(!others.contains { $0.ticket.over == line.id }, "uncovered below something", change)
      try Violation.unless(level == others.count, "shown on another level", change)
    } else {
      try Violation.unless(line.heldUntil == nil, "shown, and nobody is there for it", change)
      try Violation.unless(level == others.count, "shown on another level", change)
      try Violation.unless(
        line.ticket.over == nil ? others.isEmpty : others.contains { $0.id == line.ticket.over && $0.standing == .covered },
        "shown on something that it is not stacked on", change)
      try checkTurn(of: line, change)
    }
    open[index].standing = .top
    open[index].generation = generation
  }

  /// Nobody who waits for the same place has more right to it: not one that was shown there before, and for a first
  /// showing none of a higher priority, or of the same that came earlier.
  private func checkTurn(of line: Line, _ change: PresentationChange) throws(Violation) {
    guard line.generation == 0, !line.jumped else { return }
    for rival in open where rival.surface == line.surface && rival.ticket.over == line.ticket.over && !rival.isShown {
      if rival.heldUntil != nil { continue }
      try Violation.unless(rival.generation == 0, "shown before one that goes back to its place", change)
      let hasMoreRight =
        rival.ticket.priority.urgency > line.ticket.priority.urgency
        || (rival.ticket.priority == line.ticket.priority && rival.arrival < line.arrival)
      try Violation.unless(!hasMoreRight, "shown out of order", change)
    }
  }

  private mutating func take(
    withdrawn index: Int, _ generation: Int, _ reason: WithdrawalReason, _ place: PresentationPlace?,
    _ change: PresentationChange
  ) throws(Violation) {
    let line = open[index]
    try Violation.unless(line.isShown && line.generation == generation, "withdrew what is not shown", change)
    if reason == .covered {
      try Violation.unless(line.standing == .top && place == nil, "covered what is not on top", change)
      open[index].standing = .covered
    } else {
      let isLowest = open.contains { $0.ticket.over == line.id && $0.isShown }
      guard let place, !isLowest else { throw Violation("withdrawn below something", change) }
      open[index].standing = .waiting(place)
    }
  }
}

extension PresentationPriority {
  fileprivate var urgency: Int {
    switch self {
    case .low: 0
    case .normal: 1
    case .high: 2
    case .critical: 3
    }
  }
}
