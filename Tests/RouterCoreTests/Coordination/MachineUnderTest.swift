import OrderedCollections
import RouterCore
import TestSupport

/// The machine driven by the random test, with its committed state and, when the test itself is tested, an injected fault.
struct MachineUnderTest {
  private struct Step {
    let input: PresentationInput?
    let events: [Event]
    let time: Duration
  }

  private(set) var surfaces: PresentationSurfaces
  let limits: Presentation.Limits
  let fault: Fault?
  var memory = Fault.Memory()
  /// The offset of the machine's boot clock from the test's time.
  private var bootOffset = Duration.zero
  /// Applies the recorded events only, as the coordinator does, and a host that follows the leader of a shared surface.
  private var record = PresentationFold()
  private var presentersOnRecord: [String: OrderedDictionary<PresenterID, PresenterIdentity>] = [:]
  /// The decisions since ``mark()``.
  private var uncommitted: [Step]?

  init(limits: Presentation.Limits, fault: Fault?) {
    self.limits = limits
    self.fault = fault
    surfaces = PresentationSurfaces(.init(limits: fault?.corrupted(limits) ?? limits))
  }

  /// The record, or `nil` while decisions are uncommitted.
  var committed: PresentationFold? { uncommitted == nil ? record : nil }

  // MARK: Inputs

  mutating func handle(_ input: PresentationInput, at now: Duration) throws(PresentationRejection) -> [Event] {
    guard let fault else { return try act(input, at: now) }
    if let refusal = fault.refusal(of: input, by: surfaces) { throw refusal }
    let events = try act(fault.corrupted(input, in: &self), at: now)
    return fault.corrupted(events, by: input, in: &self, at: now)
  }

  mutating func act(_ input: PresentationInput, at now: Duration) throws(PresentationRejection) -> [Event] {
    let events: [Event]
    if case .request(let ask) = input {
      switch try surfaces.ask(ask.checked(), at: moment(now)) {
      case .accepted(let decided): events = decided
      case .joined(let id, let decided):
        record.release(id)
        events = decided
      case .ended: events = []
      }
    } else {
      events = try surfaces.handle(input, at: moment(now))
      if let change = input.change, change.verb is Verbs.Claim { record.release(change.id) }
    }
    note(events, from: input, at: now)
    return events
  }

  mutating func expire(at now: Duration) -> [Event] {
    let early = fault?.endsEarly(in: &self, at: now) ?? []
    let events = surfaces.expire(at: moment(fault == .expiresLate ? now - .milliseconds(1) : now))
    note(events, at: now)
    return early + (fault?.corrupted(events, by: nil, in: &self, at: now) ?? events)
  }

  mutating func pause() {
    if fault != .showsWhilePaused { surfaces.suspend() }
  }

  mutating func resume(at now: Duration) -> [Event] {
    let events = surfaces.resume(at: moment(now))
    note(events, at: now)
    return events
  }

  // MARK: The record

  /// Sets the state that ``revert()`` returns to.
  mutating func mark() {
    uncommitted = []
  }

  /// Reverts to the committed state, as the coordinator does when the log cannot be written.
  mutating func revert() {
    var lost = uncommitted ?? []
    uncommitted = nil
    if fault == .takesBackTooLittle, !lost.isEmpty { commit(lost.removeFirst()) }
    let events = lost.flatMap(\.events)
    record.skip(fault == .reusesGeneration ? events.filter { $0.kind != .presented } : events)
    surfaces = PresentationSurfaces(
      surfaces.policy, record, presenters: presentersOnRecord, isSuspended: surfaces.isSuspended,
      overtakingFrom: surfaces.overtakingFrom)
  }

  /// Restarts from the committed state with a different boot clock.
  mutating func restart(
    _ open: [Presentation], pauses: [SessionPause], switched: Switch, lastNumber: Int, at now: Duration, bootOffset: Duration,
    grace: Duration
  ) -> [Event] {
    self.bootOffset = bootOffset
    memory = Fault.Memory()
    let moment = moment(now)
    let restored = fault?.corrupted(open, at: moment.wall) ?? open
    record = PresentationFold(
      restored.map { OpenPresentation($0, at: moment) }, lastNumber: lastNumber,
      standing: Standing(
        [], pauses: fault == .forgetsPauses ? [] : pauses, switched: switched, at: moment))
    var events: [Event] = []
    surfaces = PresentationSurfaces(surfaces.policy, restarting: record, at: moment, grace: grace, events: &events)
    fault?.corruptRestarted(&surfaces, at: moment)
    record.restart(holding: surfaces.held, with: events, at: moment)
    presentersOnRecord = [:]
    uncommitted = nil
    return events
  }

  private mutating func note(_ events: [Event], from input: PresentationInput? = nil, at now: Duration) {
    let step = Step(input: input, events: events, time: now + bootOffset)
    if uncommitted == nil { commit(step) } else { uncommitted!.append(step) }
  }

  private mutating func commit(_ step: Step) {
    switch step.input {
    case .presenterAttached(let presenter, let identity, let surface):
      presentersOnRecord[surface, default: [:]][presenter] = identity
    case .presenterDetached(let presenter, let surface): presentersOnRecord[surface]?[presenter] = nil
    default: break
    }
    for event in step.events { _ = try? record.apply(event, at: Moment(boot: step.time, wall: event.at)) }
  }

  /// How the record of a surface differs from the decisions; `nil` if they agree or cannot be compared now.
  func difference(onFollowing surface: String) -> String? {
    guard fault == nil, uncommitted == nil else { return nil }
    let (decided, recorded) = (surfaces.state.surfaces[surface], record.surfaces[surface])
    if decided?.stack ?? [] != recorded?.stack ?? [] { return "the stack" }
    if decided?.top?.id != recorded?.top?.id { return "the top" }
    if decided?.positions ?? [:] != recorded?.positions ?? [:] { return "the positions" }
    return decided?.entries ?? [:] == recorded?.entries ?? [:] ? nil : "the presentations"
  }

  // MARK: Observable state

  func moment(_ now: Duration) -> Moment {
    Moment(boot: now + bootOffset, wall: Moment(now).wall)
  }

  var nextDeadline: Duration? {
    surfaces.nextDeadline.map { $0 - bootOffset + (fault == .wakesLate ? .milliseconds(1) : .zero) }
  }

  func view(of surface: String) -> SurfaceView {
    var view = surfaces.view(of: surface)
    for index in view.items.indices {
      view.items[index].deadline = view.items[index].deadline.map { $0 - bootOffset }
    }
    return fault?.corrupted(view, with: memory) ?? view
  }
}
