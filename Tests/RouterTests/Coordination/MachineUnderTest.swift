import OrderedCollections

@testable import Router

/// The machine driven by the random test, with its committed state and, when the test itself is tested, an injected fault.
struct MachineUnderTest {
  private struct Step {
    let input: PresentationInput?
    let events: [Event]
    let time: Duration
  }

  private(set) var surfaces: PresentationSurfaces
  let limits: PresentationSurfaces.Limits
  let fault: Fault?
  var memory = Fault.Memory()
  /// The offset of the machine's boot clock from the test's time.
  private var bootOffset = Duration.zero
  private var entriesOnRecord: [PresentationID: PresentationQueue.Entry] = [:]
  private var presentersOnRecord: [String: OrderedDictionary<PresenterID, PresenterIdentity>] = [:]
  /// Applies the recorded events only, as a host does that follows the leader of a shared surface.
  private var follower: PresentationSurfaces
  /// The decisions since ``mark()``.
  private var uncommitted: [Step]?

  init(limits: PresentationSurfaces.Limits, fault: Fault?) {
    self.limits = limits
    self.fault = fault
    surfaces = PresentationSurfaces(limits: fault?.corrupted(limits) ?? limits)
    follower = PresentationSurfaces(limits: limits)
  }

  /// The committed open presentations, or `nil` while decisions are uncommitted.
  var committed: [PresentationID: PresentationQueue.Entry]? { uncommitted == nil ? entriesOnRecord : nil }

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
      switch try surfaces.ask(ask, at: moment(now)) {
      case .accepted(let decided): events = decided
      case .joined(let id, let decided):
        entriesOnRecord[id]?.heldUntil = nil
        events = decided
      case .ended: events = []
      }
    } else {
      events = try surfaces.handle(input, at: moment(now))
      if case .claim(let id) = input { entriesOnRecord[id]?.heldUntil = nil }
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
    if fault != .showsWhilePaused { surfaces.pause() }
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
    if fault != .reusesGeneration { entriesOnRecord.skipGenerations(of: events) }
    surfaces.rebuild(
      Array(entriesOnRecord.values), presenters: presentersOnRecord, lost: Set(events.compactMap(\.presentation)))
  }

  /// Restarts from the committed state with a different boot clock.
  mutating func restart(
    _ record: [Presentation], lastNumber: Int, at now: Duration, bootOffset: Duration, grace: Duration
  ) -> [Event] {
    self.bootOffset = bootOffset
    memory = Fault.Memory()
    surfaces = PresentationSurfaces(limits: surfaces.limits)
    let moment = moment(now)
    let events = surfaces.restart(
      fault?.corrupted(record, at: moment.wall) ?? record, lastNumber: lastNumber, at: moment, today: moment.wall,
      grace: grace)
    fault?.corruptRestarted(&surfaces, at: moment)
    entriesOnRecord = Dictionary(uniqueKeysWithValues: surfaces.entries.map { ($0.id, $0) })
    presentersOnRecord = [:]
    uncommitted = nil
    follow(events, at: moment.boot)
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
    entriesOnRecord.commit(step.events, at: step.time)
    follow(step.events, at: step.time)
  }

  /// Corrupted events may contradict each other.
  private mutating func follow(_ events: [Event], at time: Duration) {
    guard fault == nil else { return }
    for event in events { follower.follow(event, at: time) }
  }

  /// What the follower shows or counts differently on a surface; `nil` if it agrees or cannot be compared now.
  func difference(onFollowing surface: String) -> String? {
    guard fault == nil, uncommitted == nil else { return nil }
    let (leading, following) = (surfaces.queue(surface), follower.queue(surface))
    if leading?.stack ?? [] != following?.stack ?? [] { return "the stack" }
    if leading?.top?.id != following?.top?.id { return "the top" }
    if leading?.positions ?? [:] != following?.positions ?? [:] { return "the positions" }
    let (left, right) = (leading?.entries ?? [:], following?.entries ?? [:])
    return left.mapValues(\.presentation) == right.mapValues(\.presentation) ? nil : "the presentations"
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
