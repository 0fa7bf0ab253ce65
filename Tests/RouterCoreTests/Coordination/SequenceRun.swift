import RouterCore
import TestSupport

/// One random sequence: the machine, the model and the record, step by step.
struct SequenceRun {
  /// The checks applied to each step.
  struct Checks: OptionSet {
    let rawValue: Int
    static let model = Checks(rawValue: 1)
    static let invariants = Checks(rawValue: 2)
    static let all: Checks = [.model, .invariants]
  }

  private struct Snapshot {
    var model: NaiveModel
    var ledger: Ledger
  }

  private let checks: Checks
  private var generator: StepGenerator
  private var machine: MachineUnderTest
  private var model: NaiveModel
  private var ledger: Ledger
  private var now = Duration.zero
  /// The committed state, and the number of decisions left before reverting to it.
  private var mark: (snapshot: Snapshot, decisionsLeft: Int)?
  /// The steps so far, kept only if they will be printed.
  private(set) var trace: [String]?

  init(seed: UInt64, fault: Fault? = nil, checks: Checks = .all, traces: Bool = false) {
    self.checks = checks
    generator = StepGenerator(seed: seed)
    let limits = generator.limits()
    machine = MachineUnderTest(limits: limits, fault: fault)
    model = NaiveModel(limits: limits)
    // Only in some runs, because it takes most of the time.
    ledger = Ledger(usesJSON: seed % 8 == 0)
    trace = traces ? ["\(limits)"] : nil
  }

  mutating func run() throws(Violation) {
    // Start with a presenter more often than not.
    if generator.random.chance(70) {
      for surface in StepGenerator.surfaces {
        try perform(.input(.presenterAttached(PresenterID(1), PresenterIdentity(1), surface: surface)))
      }
    }
    for _ in 0..<50 + generator.random.below(15) {
      try perform(generator.next(in: model, at: now))
      if let mark, mark.decisionsLeft <= 0 { try withdraw(to: mark.snapshot) }
    }
    try checkState(of: StepGenerator.surfaces)
  }

  private mutating func perform(_ step: Step) throws(Violation) {
    trace?.append("\(now) \(step)")
    switch step {
    case .input(let input):
      let surface = surface(of: input)
      if try perform(input), let surface { try checkState(of: [surface], touched: surface) }
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
        mark = (Snapshot(model: model, ledger: ledger), decisions)
      }
    case .restart(let downtime, let grace, let bootOffset):
      // No restart while decisions are pending that will be reverted.
      guard mark == nil else { return }
      now += downtime
      try restart(grace: grace, bootOffset: bootOffset)
    }
  }

  /// Returns whether the input was accepted.
  private mutating func perform(_ input: PresentationInput) throws(Violation) -> Bool {
    let claimed = claimed(by: input)
    let predicted = Result { () throws(PresentationRejection) in try model.handle(input, at: now) }
    let actual = Result { () throws(PresentationRejection) in try machine.handle(input, at: now) }
    trace?.append("  \(actual.map { $0.map(Change.init) })")
    if checks.contains(.model) {
      let changes = actual.map { $0.map(Change.init) }.mapError(\.withoutWords)
      try Violation.unless(predicted == changes, "predicted \(predicted), got \(changes)")
    }
    guard case .success(let events) = actual else { return false }
    if let claimed {
      ledger.claim(claimed)
      mark?.snapshot.ledger.claim(claimed)
      if let index = mark?.snapshot.model.index(of: claimed) { mark?.snapshot.model.items[index].heldUntil = nil }
    }
    mark?.decisionsLeft -= 1
    if checks.contains(.invariants) { try ledger.take(events, from: input, at: now) }
    return true
  }

  private func surface(of input: PresentationInput) -> String? {
    switch input {
    case .request(let ask): model.use(of: ask).map { model.item($0.id)?.surface } ?? ask.request.surface
    case .presenterAttached(_, _, let surface), .presenterDetached(_, let surface): surface
    // These may leave the surface unchanged.
    case .revoke, .loadRules, .turn: nil
    case .endPause(let id, _): model.pauses.first { $0.id == id }?.surface
    case .change(let change): model.item(change.id)?.surface
    }
  }

  /// The presentation whose requester an input shows to be connected. A claim is not recorded, so it is not reverted.
  private func claimed(by input: PresentationInput) -> PresentationID? {
    switch input {
    case .change(let change) where change.verb is Verbs.Claim: change.id
    case .request(let ask): model.use(of: ask).flatMap { model.item($0.id)?.id }
    default: nil
    }
  }

  /// Returns whether anything changed.
  private mutating func compare(_ events: [Event], _ predicted: [Change]) throws(Violation) -> Bool {
    let changes = events.map(Change.init)
    trace?.append("  \(changes)")
    if checks.contains(.model) { try Violation.unless(predicted == changes, "predicted \(predicted), got \(changes)") }
    if !events.isEmpty { mark?.decisionsLeft -= 1 }
    if checks.contains(.invariants) { try ledger.take(events, from: nil, at: now) }
    return !events.isEmpty
  }

  private mutating func restart(grace: Duration, bootOffset: Duration) throws(Violation) {
    let record = ledger.record(in: &generator.random)
    let events = machine.restart(
      record, pauses: ledger.pauses, switched: ledger.switched, lastNumber: record.map(\.number).max() ?? 0, at: now,
      bootOffset: bootOffset, grace: grace)
    let predicted = model.restart(at: now, grace: grace)
    let changes = events.map(Change.init)
    trace?.append("  \(changes)")
    if checks.contains(.model) { try Violation.unless(predicted == changes, "predicted \(predicted), got \(changes)") }
    if checks.contains(.invariants) { try ledger.restart(events, at: now, grace: grace) }
    try checkState(of: StepGenerator.surfaces)
  }

  // MARK: State

  /// Checks the observable state after a change. Unreported changes are found at the next change on the surface, at a
  /// restart or at the end; checking at every step would double the time.
  private func checkState(of surfaces: [String], touched: String? = nil) throws(Violation) {
    for surface in surfaces {
      let view = machine.view(of: surface)
      if checks.contains(.model) {
        let predicted = model.view(of: surface)
        try Violation.unless(view == predicted, "predicted \(predicted) on \(surface), got \(view)")
        let open = machine.surfaces.state.surfaces[surface] ?? OpenPresentations()
        let (positions, keys) = (open.positions, open.ordered.map(open.orderKey))
        try Violation.unless(
          zip(keys, keys.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }, "order keys do not ascend on \(surface)")
        try Violation.unless(
          positions.allSatisfy { machine.surfaces.position(of: $0) == $1 }, "two positions of one on \(surface)")
      }
      if checks.contains(.invariants) {
        try ledger.check(view, of: surface, in: machine, isSettled: touched == surface)
        let difference = machine.difference(onFollowing: surface)
        try Violation.unless(difference == nil, "a follower differs on \(surface): \(difference ?? "")")
      }
    }
    if checks.contains(.model) { try checkNextDeadline() }
    if checks.contains(.invariants) { try ledger.checkCounts(of: machine) }
  }

  /// Checks that the next deadline is never late; it may be early.
  private func checkNextDeadline() throws(Violation) {
    guard let predicted = model.nextDeadline else { return }
    let actual = machine.nextDeadline
    try Violation.unless(actual.map { $0 <= predicted } ?? false, "predicted \(predicted), would wake at \(actual as Any)")
  }

  /// Checks that a timer on the next deadline does not spin. A deadline at the current time must be real, for a prompt
  /// just shown with no time left, or disappear after one more check.
  private func checkClock() throws(Violation) {
    guard checks.contains(.model) else { return }
    if model.nextDeadline.map({ $0 <= now }) ?? false { return }
    var machine = machine
    if machine.nextDeadline.map({ $0 <= now }) ?? false { _ = machine.expire(at: now) }
    try Violation.unless(machine.nextDeadline.map { $0 > now } ?? true, "at \(now) it would wake up again and again")
  }

  // MARK: Reverting

  private mutating func withdraw(to snapshot: Snapshot) throws(Violation) {
    trace?.append("\(now) revert")
    mark = nil
    machine.revert()
    let (before, last) = (model, ledger)
    model = snapshot.model
    (model.isPaused, model.overtakingFrom, model.highest) = (before.isPaused, before.overtakingFrom, before.highest)
    ledger = snapshot.ledger
    (ledger.lastNumber, ledger.highest) = (last.lastNumber, last.highest)
    try checkState(of: StepGenerator.surfaces)
  }
}

extension Result {
  fileprivate init(_ body: () throws(Failure) -> Success) {
    do { self = .success(try body()) } catch { self = .failure(error) }
  }
}
