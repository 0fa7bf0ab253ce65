import RouterCore
import TestSupport

/// The open presentations derived from the events alone, and the invariants that hold independently of the model.
struct Ledger {
  struct Line {
    let ask: PresentationAsk
    let arrival: Int
    /// The fold of its events.
    var presentation: Presentation
    /// A flow's last answer.
    var lastAnswer: PresentationAnswer?
    /// Whether it waits for its requester to reconnect.
    var isHeld = false
    /// Whether it replaced another presentation.
    var jumped = false
    /// The presenters that could not show it.
    var failed: [String] = []
    /// Whether it was snoozed, and went back to its own place instead of the head of the line.
    var wasSnoozed = false

    var id: PresentationID { ask.id }
    var surface: String { ask.request.surface }
    var isShown: Bool { presentation.state == .presented }
    var isOnTop: Bool { isShown && !presentation.covered }
  }

  /// Whether every event is round-tripped through JSON.
  let usesJSON: Bool
  var open: [Line] = []
  var seats: [(presenter: PresenterID, surface: String, identity: PresenterIdentity)] = []
  /// The pauses that nobody ended. The time of some may be over.
  var pauses: [SessionPause] = []
  /// The last switch, and whether Router is off by it.
  var switched = Switch.on
  private(set) var isOff = false
  var requested = 0
  var resolved: Set<PresentationID> = []
  /// The highest request number so far.
  var lastNumber = 0
  /// The time from which held presentations may be overtaken.
  var overtakingFrom = Duration.zero
  /// The last generation assigned to each presentation, committed or not.
  var highest: [PresentationID: Int] = [:]

  init(usesJSON: Bool) {
    self.usesJSON = usesJSON
  }

  func line(_ id: PresentationID) -> Line? {
    open.first { $0.id == id }
  }

  /// Marks a held presentation's requester as reconnected.
  mutating func claim(_ id: PresentationID) {
    if let index = open.firstIndex(where: { $0.id == id }) { open[index].isHeld = false }
  }

  /// Whether somebody is there who may show it.
  func mayBeShown(_ line: Line) -> Bool {
    !isOff
      && seats.contains { seat in
        guard seat.surface == line.surface, seat.identity.scope.includes(line.presentation) else { return false }
        return !line.failed.contains(seat.identity.name)
      }
  }

  /// Notes the time, at which Router may switch on by itself.
  mutating func note(_ time: Timestamp) { isOff = switched.isOff && switched.until.map { time < $0 } ?? true }

  /// Applies and checks decided events.
  mutating func take(_ events: [Event], from input: PresentationInput?, at now: Duration) throws(Violation) {
    switch input {
    case .presenterAttached(let presenter, let identity, let surface): seats.append((presenter, surface, identity))
    case .presenterDetached(let presenter, let surface): seats.removeAll { ($0.presenter, $0.surface) == (presenter, surface) }
    default: break
    }
    note(Moment(now).wall)
    for event in events {
      try Violation.unless(event.at == Moment(now).wall, "recorded with another time", event)
      let recorded = usesJSON ? try event.throughJSON() : event
      if case .resumed(let resumed) = recorded.detail {
        guard case .endPause(resumed.pause, resumed.by)? = input else { throw Violation("resumed by nobody", event) }
        pauses.removeAll { $0.presentation == resumed.pause }
      }
      if case .switched(let change) = recorded.detail {
        guard case .turn(change.isOff, _, let by)? = input, by == change.by else {
          throw Violation("switched by nobody", event)
        }
        switched = change
        note(event.at)
      }
      guard let id = event.presentation else { continue }
      if case .requested(let asked) = event.detail {
        try checkPause(of: id, in: events, at: event)
        try take(asked, recorded, from: input, in: events)
        continue
      }
      guard let index = open.firstIndex(where: { $0.id == id }) else {
        throw Violation("something that is not open changed", event)
      }
      let line = open[index]
      do { try open[index].presentation.apply(recorded) } catch { throw Violation("cannot be folded: \(error)", event) }
      switch event.detail {
      case .presented(let shown):
        let raised = input?.change.flatMap { $0.verb is Verbs.Raise ? $0.id : nil }
        try check(shown, of: line, event, at: now, isRaised: raised == id)
      case .withdrawn(let withdrawn):
        try check(withdrawn, of: line, from: input, event)
        open[index].wasSnoozed = withdrawn.reason == .snoozed
      case .paused:
        guard case .paused(let pause) = recorded.detail, input.does(Verbs.PauseSession.self, to: id, by: pause.by) else {
          throw Violation("paused by nobody", event)
        }
        pauses.removeAll { $0.concerns(line.presentation) && $0.surface == line.surface }
        pauses.append(pause)
      case .deferred(let deferred):
        try Violation.unless(!line.isShown && deferred.until > event.at, "deferred, and was not waiting", event)
        if case .request(let ask)? = input, ask.id == id {
          try Violation.unless(isPaused(ask.uid, line.surface, at: event.at), "deferred by nobody", event)
        } else {
          let isMade =
            input.does(Verbs.Snooze.self, to: id, by: deferred.by) || input.does(Verbs.PauseSession.self, by: deferred.by)
          try Violation.unless(isMade, "deferred by nobody", event)
        }
      case .woken(let woken):
        let by = woken.by
        guard let until = line.presentation.snoozedUntil else { throw Violation("woken, and was not snoozed", event) }
        if by == nil {
          try Violation.unless(until <= event.at, "woken too soon", event)
        } else {
          let endsPause = if case .endPause? = input { true } else { false }
          try Violation.unless(endsPause || input.does(Verbs.Wake.self, to: id), "woken by nobody", event)
        }
      case .answered(let answered): open[index].lastAnswer = answered.secret ?? answered.answer
      case .presenterFailed(let failure):
        guard input.does(Verbs.Fail.self, to: id, by: failure.by, where: { $0.detail == failure.detail }) else {
          throw Violation("failed by nobody", event)
        }
        try Violation.unless(line.isOnTop, "failed, and was not shown", event)
        open[index].failed.append(failure.by.presenter ?? "")
        try Violation.unless(mayBeShown(open[index]), "kept, and nobody may show it", event)
      case .detached:
        guard input.does(Verbs.Detach.self, to: id) else { throw Violation("detached by nobody", event) }
      case .resolved(let end):
        try check(end, of: line, from: input, event)
        open.remove(at: index)
        try Violation.unless(resolved.insert(id).inserted, "ended twice", event)
      default: throw Violation("nothing that the rules decide", event)
      }
    }
  }

  private mutating func take(
    _ asked: Event.Requested, _ recorded: Event, from input: PresentationInput?, in events: [Event]
  ) throws(Violation) {
    guard case .request(let ask)? = input, ask.id == recorded.presentation, line(ask.id) == nil,
      !resolved.contains(ask.id)
    else { throw Violation("a request that nobody made", recorded) }
    try Violation.unless(asked.number > lastNumber, "a number that was used before", recorded)
    requested += 1
    lastNumber = asked.number
    let jumped = events.contains { event in
      if case .resolved(let end) = event.detail { end.outcome == .cancelled(.superseded) } else { false }
    }
    guard let presentation = try? Presentation(recorded) else { throw Violation("cannot be folded", recorded) }
    open.append(Line(ask: ask, arrival: requested, presentation: presentation, jumped: jumped))
  }

  /// Whether a user's session is paused: each user has one on a surface here.
  private func isPaused(_ uid: UInt32, _ surface: String, at time: Timestamp) -> Bool {
    pauses.contains { $0.requester.process.uid == uid && $0.surface == surface && time < $0.until }
  }

  /// Checks that a request of a paused session waits.
  private func checkPause(of id: PresentationID, in events: [Event], at event: Event) throws(Violation) {
    guard case .requested(let asked) = event.detail else { return }
    let isPaused = isPaused(asked.requester.process.uid, asked.request.surface, at: event.at)
    let follows = events.filter { $0.presentation == id }.map(\.kind)
    try Violation.unless(!isPaused || !follows.contains(.presented), "shown, and its session is paused", event)
  }

  /// Checks an end: a flow ends as answered on finish, with its last answer; others end with their answer.
  private func check(
    _ end: Event.Resolved, of line: Line, from input: PresentationInput?, _ event: Event
  ) throws(Violation) {
    try Violation.unless(
      end.generation == (line.isOnTop ? line.presentation.generation : nil), "ended on another showing", event)
    try Violation.unless(!open.contains { $0.ask.request.over == line.id }, "a parent ended before its children", event)
    if let change = input?.change, change.id == line.id {
      switch change.verb {
      case is Verbs.Cancel, is Verbs.Finish:
        try Violation.unless(change.isAdmin || change.by?.process.uid == line.ask.uid, "ended by somebody else", event)
      case let verb as Verbs.RequesterGone where end.outcome == .cancelled(verb.reason):
        try Violation.unless(line.presentation.attached, "detached, and ended with its requester", event)
      default: break
      }
    }
    if end.outcome == .cancelled(.interrupted) {
      try Violation.unless(line.isHeld || !line.survivesRestart, "given up, and was not held", event)
    }
    guard case .answered(let answer) = end.outcome else { return }
    try Violation.unless(!line.ask.request.sensitive || answer == .redacted, "wrote a sensitive answer", event)
    if input.does(Verbs.Finish.self, to: line.id) {
      try Violation.unless(
        line.ask.request.flow && line.lastAnswer == end.secret ?? answer, "finished with another answer than the last",
        event)
    } else {
      let given = Verbs.Answer(end.secret ?? answer, end.extra)
      try Violation.unless(input.does(Verbs.Answer.self, to: line.id) { $0 == given }, "answered by nobody", event)
      try Violation.unless(!line.ask.request.flow, "a flow ended with an answer", event)
    }
  }

  private mutating func check(
    _ shown: Event.Presented, of line: Line, _ event: Event, at now: Duration, isRaised: Bool
  ) throws(Violation) {
    try Violation.unless(!line.isOnTop, "presented what is on top already", event)
    try Violation.unless(mayBeShown(line), "presented, and nobody may show it", event)
    try Violation.unless(shown.generation > highest[line.id, default: 0], "the generation did not rise", event)
    highest[line.id] = shown.generation
    let others = open.filter { $0.surface == line.surface && $0.id != line.id && $0.isShown }
    try Violation.unless(!others.contains { $0.isOnTop }, "a second one is before the person", event)
    try Violation.unless(shown.level == others.count, "shown on another level", event)
    if line.isShown {
      try Violation.unless(!others.contains { $0.ask.request.over == line.id }, "uncovered below something", event)
    } else {
      let parent = line.ask.request.over
      try Violation.unless(!line.isHeld, "shown, and nobody is there for it", event)
      try Violation.unless(
        parent == nil ? others.isEmpty : others.contains { $0.id == parent },
        "shown on something that it is not stacked on", event)
      if !isRaised {
        try Violation.unless(line.presentation.snoozedUntil == nil, "shown before its snooze has ended", event)
        try checkTurn(of: line, event, at: now)
      }
    }
  }

  /// Checks that nothing else should have been shown in its place: a presentation that was shown there before, a higher
  /// priority, an earlier request of the same user, or another user's earlier turn. Held presentations keep their turn
  /// only for a while.
  private func checkTurn(of line: Line, _ event: Event, at now: Duration) throws(Violation) {
    for rival in open where rival.surface == line.surface && rival.ask.request.over == line.ask.request.over {
      if rival.isShown || rival.id == line.id || rival.presentation.snoozedUntil != nil { continue }
      if rival.isHeld {
        try Violation.unless(
          now >= overtakingFrom || line.presentation.place < rival.presentation.place, "overtook what is held", event)
        continue
      }
      guard line.presentation.generation == 0, !line.jumped, mayBeShown(rival) else { continue }
      if rival.wasSnoozed {
        try Violation.unless(line.presentation.place < rival.presentation.place, "shown before a snoozed one's turn", event)
        continue
      }
      try Violation.unless(rival.presentation.generation == 0, "shown before one that goes back to its place", event)
      let (priority, rivals) = (line.ask.request.priority, rival.ask.request.priority)
      let isEarlier =
        rival.ask.uid == line.ask.uid
        ? rival.arrival < line.arrival : rival.presentation.place < line.presentation.place
      let hasMoreRight = rivals.urgency > priority.urgency || (rivals == priority && isEarlier)
      try Violation.unless(!hasMoreRight, "shown out of order", event)
    }
  }

  private func check(
    _ withdrawn: Event.Withdrawn, of line: Line, from input: PresentationInput?, _ event: Event
  ) throws(Violation) {
    switch withdrawn.reason {
    case .snoozed:
      let isMade =
        input.does(Verbs.Snooze.self, to: line.id, by: withdrawn.by) || input.does(Verbs.PauseSession.self, by: withdrawn.by)
      try Violation.unless(isMade, "snoozed by nobody", event)
      try Violation.unless(withdrawn.place == line.presentation.place, "snoozed, and lost its place", event)
    case .raised:
      try Violation.unless(input.does(Verbs.Raise.self, by: withdrawn.by), "nobody raised another", event)
    default: break
    }
    if withdrawn.reason == .covered {
      try Violation.unless(line.isOnTop && withdrawn.place == nil, "covered what is not on top", event)
    } else {
      let isLowest = open.contains { $0.ask.request.over == line.id && $0.isShown }
      try Violation.unless(withdrawn.place != nil && !isLowest, "withdrawn below something", event)
    }
  }
}

extension Ledger.Line {
  /// Whether its requester can reconnect to it after a restart.
  var survivesRestart: Bool { !presentation.attached || (ask.key != nil && !ask.request.flow) }
}

extension PresentationOptions.Priority {
  fileprivate var urgency: Int {
    switch self {
    case .low: 0
    case .normal: 1
    case .high: 2
    case .critical: 3
    }
  }
}

extension Event {
  /// The event after a round trip through JSON.
  func throughJSON() throws(Violation) -> Event {
    do {
      let read = try Event(
        at: at, kind: kind, presentation: presentation, detail: JSONValue(parsing: detailText.description))
      try Violation.unless(read == withoutSecret, "read back as \(read)", self)
      if case .requested(let before) = detail, case .requested(let after) = read.detail {
        try Violation.unless(before.number == after.number && before.key == after.key, "lost what only the log knows", self)
      }
      return read
    } catch let error as Violation {
      throw error
    } catch {
      throw Violation("cannot be read: \(error)", self)
    }
  }

  private var withoutSecret: Event {
    var event = self
    switch event.detail {
    case .answered(var answered):
      answered.secret = nil
      event.detail = .answered(answered)
    case .resolved(var end):
      end.secret = nil
      event.detail = .resolved(end)
    default: break
    }
    return event
  }
}

extension PresentationInput {
  /// What it does to an open presentation; `nil` for other inputs.
  var change: RouterCore.Change? { if case .change(let change) = self { change } else { nil } }
}

extension PresentationInput? {
  /// Whether it is a verb: for a presentation, by a party, if they are given.
  fileprivate func does<Kind: Verb>(
    _ kind: Kind.Type, to id: PresentationID? = nil, by party: Presentation.Responder?? = nil,
    where isWanted: (Kind) -> Bool = { _ in true }
  ) -> Bool {
    guard let change = self?.change, let verb = change.verb as? Kind else { return false }
    return (id.map { $0 == change.id } ?? true) && (party.map { $0 == change.by } ?? true) && isWanted(verb)
  }
}
