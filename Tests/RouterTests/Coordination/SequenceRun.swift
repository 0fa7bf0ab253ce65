import RouterTesting

@testable import Router

/// One random sequence: the machine, the model and the record, step by step.
struct SequenceRun {
  /// Who says whether a step was right.
  struct Checks: OptionSet {
    let rawValue: Int
    static let model = Checks(rawValue: 1)
    static let invariants = Checks(rawValue: 2)
    static let all: Checks = [.model, .invariants]
  }

  private struct Snapshot {
    let model: NaiveModel
    let ledger: Ledger
    let views: [SurfaceView]
  }

  private let checks: Checks
  private var generator: StepGenerator
  private var machine: MachineUnderTest
  private var model: NaiveModel
  private var ledger = Ledger()
  private var now = Duration.zero
  /// The state to go back to, and how many decisions are still made before.
  private var mark: (snapshot: Snapshot, decisionsLeft: Int)?
  /// What was done, kept only where somebody will read it.
  private(set) var trace: [String]?

  init(seed: UInt64, fault: Fault? = nil, checks: Checks = .all, traces: Bool = false) {
    self.checks = checks
    generator = StepGenerator(seed: seed)
    let limits = generator.limits()
    machine = MachineUnderTest(limits: limits, fault: fault)
    model = NaiveModel(limits: limits)
    trace = traces ? ["\(limits)"] : nil
  }

  mutating func run() throws(Violation) {
    // Somebody to show to begin with, more often than not.
    if generator.random.chance(70) {
      for surface in StepGenerator.surfaces { try perform(.event(.attach(PresenterID(1), surface: surface))) }
    }
    for _ in 0..<50 + generator.random.below(15) {
      try perform(generator.next(in: model, at: now))
      if let mark, mark.decisionsLeft <= 0 { try takeBack(to: mark.snapshot) }
    }
    try checkState(of: StepGenerator.surfaces)
  }

  private mutating func perform(_ step: Step) throws(Violation) {
    trace?.append("\(now) \(step)")
    switch step {
    case .event(let event):
      let surface = surface(of: event)
      if try perform(event), let surface { try checkState(of: [surface], touched: surface) }
    case .wait(let until, let expires):
      now = until
      guard expires else { return }
      let changed = try compare(machine.expire(at: now), model.expire(at: now))
      try checkClock()
      if changed { try checkState(of: StepGenerator.surfaces) }
    case .pause:
      machine.pause()
      model.pause()
    case .resume:
      if try compare(machine.resume(at: now), model.resume(at: now)) { try checkState(of: StepGenerator.surfaces) }
    case .mark(let decisions):
      if mark == nil {
        machine.mark()
        mark = (snapshot(), decisions)
      }
    case .restart:
      // Only what is on record comes back, and what will be taken back never was.
      guard mark == nil else { return }
      let record = ledger.restart(at: now, with: &generator.random)
      machine.restart(with: record)
      model.restart(holding: ledger.held)
      try checkState(of: StepGenerator.surfaces)
    }
  }

  /// Whether the event was accepted.
  private mutating func perform(_ event: PresentationEvent) throws(Violation) -> Bool {
    let predicted = Result { () throws(PresentationRejection) in try model.handle(event, at: now) }
    let actual = Result { () throws(PresentationRejection) in try machine.handle(event, at: now) }
    trace?.append("  \(actual)")
    if checks.contains(.model) {
      try Violation.unless(predicted == actual.map(withoutRanks), "predicted \(predicted), got \(actual)")
    }
    guard case .success(let changes) = actual else { return false }
    mark?.decisionsLeft -= 1
    if checks.contains(.invariants) { try ledger.take(changes, from: event, at: now) }
    return true
  }

  private func surface(of event: PresentationEvent) -> String? {
    switch event {
    case .request(_, let surface), .attach(_, let surface), .detach(_, let surface): surface
    case .answer(let id, _, _, _), .dismiss(let id, _, _), .fail(let id, _, _, _), .cancel(let id, _, _), .finish(let id, _),
      .claim(let id):
      model.item(id)?.surface
    }
  }

  /// Whether anything changed.
  private mutating func compare(
    _ actual: [[PresentationChange]], _ predicted: [[PresentationChange]]
  ) throws(Violation) -> Bool {
    trace?.append("  \(actual)")
    if checks.contains(.model) {
      try Violation.unless(predicted == actual.map(withoutRanks), "predicted \(predicted), got \(actual)")
    }
    mark?.decisionsLeft -= actual.count
    if checks.contains(.invariants) {
      for changes in actual { try ledger.take(changes, from: nil, at: now) }
    }
    return !actual.isEmpty
  }

  // MARK: State

  /// What can be seen, looked at whenever something changed. What changed without a word is seen at the next change on its
  /// surface, at a restart or at the end; looking for it at every step would double the time.
  private func checkState(of surfaces: [String], touched: String? = nil) throws(Violation) {
    for surface in surfaces {
      let view = machine.view(of: surface)
      if checks.contains(.model) {
        let predicted = model.view(of: surface)
        try Violation.unless(view == predicted, "predicted \(predicted) on \(surface), got \(view)")
        let positions = machine.surfaces.queue(surface)?.positions ?? [:]
        try Violation.unless(
          positions.allSatisfy { machine.surfaces.position(of: $0) == $1 }, "two positions of one on \(surface)")
      }
      if checks.contains(.invariants) {
        try ledger.check(view, of: surface, in: machine, isSettled: touched == surface)
      }
    }
    if checks.contains(.model) { try checkNextDeadline() }
    if checks.contains(.invariants) { try ledger.checkCounts(of: machine) }
  }

  /// It may be early, never late.
  private func checkNextDeadline() throws(Violation) {
    guard let predicted = model.nextDeadline else { return }
    let actual = machine.nextDeadline
    try Violation.unless(actual.map { $0 <= predicted } ?? false, "predicted \(predicted), would wake at \(actual as Any)")
  }

  /// When all that was due has ended, a timer on the next deadline does not spin: what is left at this time is either due,
  /// having been put up just now with no time left, or gone after one more look.
  private func checkClock() throws(Violation) {
    guard checks.contains(.model) else { return }
    if model.nextDeadline.map({ $0 <= now }) ?? false { return }
    var machine = machine
    if machine.nextDeadline.map({ $0 <= now }) ?? false { _ = machine.expire(at: now) }
    try Violation.unless(machine.nextDeadline.map { $0 > now } ?? true, "at \(now) it would wake up again and again")
  }

  // MARK: Taking back

  private func snapshot() -> Snapshot {
    Snapshot(model: model, ledger: ledger, views: StepGenerator.surfaces.map { machine.view(of: $0) })
  }

  private mutating func takeBack(to snapshot: Snapshot) throws(Violation) {
    trace?.append("\(now) revert")
    mark = nil
    machine.revert()
    let isPaused = model.isPaused
    model = snapshot.model
    model.isPaused = isPaused
    ledger = snapshot.ledger
    let views = StepGenerator.surfaces.map { machine.view(of: $0) }
    try Violation.unless(views == snapshot.views, "taken back to \(views), it was \(snapshot.views)")
    try checkState(of: StepGenerator.surfaces)
  }
}

extension Result {
  fileprivate init(_ body: () throws(Failure) -> Success) {
    do { self = .success(try body()) } catch { self = .failure(error) }
  }
}

/// The model predicts who is before whom and the lane, and not the numbers that a lane is ordered by.
private func withoutRanks(_ changes: [PresentationChange]) -> [PresentationChange] {
  changes.map { change in
    switch change {
    case .requested(let id, let place): .requested(id, place: PresentationPlace(lane: place.lane, rank: 0))
    case .withdrawn(let id, let generation, let reason, let place?):
      .withdrawn(id, generation: generation, reason: reason, place: PresentationPlace(lane: place.lane, rank: 0))
    case .presented, .withdrawn, .answered, .resolved: change
    }
  }
}
