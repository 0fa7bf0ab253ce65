import DequeModule
import Logging

/// Decides by the rules, and commits the decisions to the log.
class LocalDecider: PresentationDecider {
  /// The events of one input, on their way to the log.
  struct Step {
    let number: Int
    let events: [Event]
    /// The boot time of the decision.
    let time: Duration
    let held: Held?
    var replies: [Reply] = []
  }

  /// An input or event that cannot be refused. It is held while the log is unwritable, and applied later as of its time.
  enum Held: Sendable {
    case fact(PresentationInput, Moment)
    case record(Event)
  }

  enum State {
    case writable
    /// ``held`` inputs are decided when the log is tried again.
    case unwritable(retryAt: Duration)
    /// The held inputs are being recorded.
    case recovering
  }

  let log: AuditLog
  /// The state after the last decision.
  var surfaces: PresentationSurfaces
  /// Decisions that are not recorded yet, oldest first.
  var pending: Deque<Step> = []
  var state = State.writable
  /// What waits until the log is writable, oldest first.
  var held: [Held] = [] {
    didSet { if held.isEmpty { gone = [] } }
  }
  private(set) var gone: Set<PresentationID> = []
  /// Why the log was unwritable at the last failed attempt.
  private var failure = RouterError.logUnavailable
  /// Results of steps up to this number are ignored, because they have failed.
  var failedStep: Int
  /// The backoff state of requesters; `nil` if the rule is disabled.
  private var backoff: DismissalBackoff?

  /// - Parameter lastStep: The last step of the decider before this one.
  init(_ surfaces: PresentationSurfaces, log: AuditLog, backoff: DismissalBackoff.Rule?, lastStep: Int) {
    self.surfaces = surfaces
    self.log = log
    self.backoff = backoff.map { DismissalBackoff(rule: $0) }
    failedStep = lastStep
  }

  var policy: PresentationSurfaces.Policy {
    get { surfaces.policy }
    set { surfaces.policy = newValue }
  }

  var unavailable: RouterError? { isWritable ? nil : failure }

  /// The maximum number of presenters that may attach while the log is unwritable, since each is held in memory.
  static let maximumHeldArrivals = 1024

  var unavailableToPresenters: RouterError? {
    guard case .unwritable = state, held.count >= Self.maximumHeldArrivals + surfaces.count else { return nil }
    return RouterError(.logUnavailable, "cannot attach: the audit log cannot be written", retryAfter: .seconds(1))
  }

  var isWritable: Bool { if case .writable = state { true } else { false } }
  var mayShow: Bool { true }
  var isIdle: Bool { pending.isEmpty }

  var nextTime: Duration? {
    if case .unwritable(let retryAt) = state { retryAt } else { surfaces.nextDeadline }
  }

  func top(on surface: String, _ coordinator: isolated Coordinator) -> Presentation? {
    surfaces.state.surfaces[surface]?.top?.presentation
  }

  // MARK: Deciding

  func ask(_ ask: PresentationAsk, _ coordinator: isolated Coordinator, then reply: @escaping AskReply) {
    if let unavailable { return reply(coordinator, .refused(unavailable)) }
    let moment = coordinator.now
    do {
      switch try decide(ask, at: moment, coordinator) {
      case .accepted(let events):
        reply(coordinator, .accepted)
        submit(events, at: moment.boot, coordinator)
      case .joined(let id, let events):
        reply(coordinator, .joined(id))
        submit(events, at: moment.boot, held: .fact(.change(id, Verbs.Claim()), moment), coordinator)
      case .ended(let id): reply(coordinator, .ended(id))
      }
    } catch {
      reply(coordinator, .refused(RouterError(error)))
    }
  }

  /// Decides a request, unless its requester is rate limited.
  func decide(
    _ ask: PresentationAsk, at moment: Moment, _ coordinator: isolated Coordinator
  ) throws(PresentationRejection) -> PresentationSurfaces.RequestResult {
    var ask = ask
    // Another host's request, which comes without.
    ask.dayTime = ask.dayTime ?? DayTime(moment.wall)
    expire(at: moment, coordinator)
    var beginning: DismissalBackoff.Pause?
    defer { if let beginning { noteThrottled(ask.requester, for: beginning.remaining, coordinator) } }
    return try surfaces.ask(ask, at: moment) { ask in
      // Screens stacked on another presentation are part of its request and are not rate limited.
      guard ask.request.over == nil,
        let (pause, begins) = backoff?.asked(DismissalBackoff.Asker(ask.requester, ask.request), at: moment.boot)
      else { return nil }
      if begins { beginning = pause }
      return pause
    }
  }

  func change(_ input: PresentationInput, _ coordinator: isolated Coordinator, then reply: @escaping Reply) {
    if let unavailable { return reply(coordinator, .failure(.failed(unavailable))) }
    let moment = coordinator.now
    expire(at: moment, coordinator)
    do {
      submit(try surfaces.handle(input, at: moment), at: moment.boot, coordinator, reply: reply)
    } catch {
      reply(coordinator, .failure(.rejected(error)))
    }
  }

  func load(_ rules: Event.RulesLoaded, _ coordinator: isolated Coordinator, then reply: @escaping Reply) {
    policy.rules = rules.rules
    // Already in force, as after a takeover.
    if rules.rules == surfaces.rules { return reply(coordinator, .success(())) }
    change(.loadRules(rules), coordinator, then: reply)
  }

  func accept(_ fact: PresentationInput, at moment: Moment, _ coordinator: isolated Coordinator) {
    if case .unwritable = state { return hold(.fact(fact, moment)) }
    expire(at: moment, coordinator)
    // Ignored if its presentation has ended.
    guard let events = try? surfaces.handle(fact, at: moment) else { return }
    submit(events, at: moment.boot, held: .fact(fact, moment), coordinator)
  }

  func record(_ event: Event, isKept: Bool, _ coordinator: isolated Coordinator) {
    switch state {
    case .writable, .recovering:
      append(
        [event], from: event.isOfCallback ? .requester : .rules, at: coordinator.now.boot, held: isKept ? .record(event) : nil,
        coordinator)
    case .unwritable: if isKept { hold(.record(event)) }
    }
  }

  private func hold(_ item: Held) {
    held.append(item)
    if case .fact(.change(let change), _) = item, change.verb is Verbs.RequesterGone { gone.insert(change.id) }
  }

  func report(_ event: Event, _ coordinator: isolated Coordinator, then reply: @escaping Reply) {
    if let unavailable { return reply(coordinator, .failure(.failed(unavailable))) }
    append([event], from: .requester, at: coordinator.now.boot, coordinator, reply: reply)
  }

  func cancelAttachment(of presenter: PresenterID) -> Bool {
    guard case .unwritable = state,
      let index = held.lastIndex(where: {
        if case .fact(.presenterAttached(presenter, _, _), _) = $0 { true } else { false }
      })
    else { return false }
    held.remove(at: index)
    return true
  }

  func tick(_ coordinator: isolated Coordinator) {
    let moment = coordinator.now
    if case .unwritable(let retryAt) = state {
      if retryAt <= moment.boot { recover(coordinator) }
    } else {
      expire(at: moment, coordinator)
    }
  }

  /// Expires presentations that are due.
  func expire(at moment: Moment, _ coordinator: isolated Coordinator) {
    submit(surfaces.expire(at: moment), at: moment.boot, coordinator)
  }

  func ended(_ presentation: Presentation, secret: PresentationAnswer?, _ coordinator: isolated Coordinator) {
    guard let pause = backoff?.ended(presentation, answer: secret, at: coordinator.now.boot) else { return }
    noteThrottled(presentation.requester, for: pause, after: presentation.id, coordinator)
  }

  /// Records that a requester is rate limited from now on, and the presentation that caused it, if any.
  private func noteThrottled(
    _ requester: Presentation.Requester, for pause: Duration, after id: PresentationID? = nil,
    _ coordinator: isolated Coordinator
  ) {
    let throttled = Event.Throttled(uid: requester.process.uid, app: requester.app, duration: pause)
    record(Event(at: coordinator.now.wall, presentation: id, .throttled(throttled)), isKept: false, coordinator)
  }

  func report(_ progress: PresentationProgress?, of id: PresentationID) {}

  func shutDown(_ coordinator: isolated Coordinator) {
    resumeForShutDown(coordinator)
    let moment = coordinator.now
    submit(surfaces.shutDown(at: moment), at: moment.boot, coordinator)
    for seat in coordinator.screens.allSeats {
      accept(.presenterDetached(seat.id, surface: seat.surface), at: moment, coordinator)
    }
    log.flush()
  }

  /// Goes back to the record after a failed commit. Inputs that cannot be refused are kept.
  func fail(_ error: RouterError, _ coordinator: isolated Coordinator) {
    let held = goBack(error, coordinator)
    failure = error
    state = .unwritable(retryAt: coordinator.now.boot + .seconds(1))
    for item in held { hold(item) }
    coordinator.showCommitted()
  }
}
