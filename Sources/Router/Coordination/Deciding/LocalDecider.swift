/// Decides by the rules, and commits the decisions to the log.
final class LocalDecider: PresentationDecider {
  /// The events of one input, on their way to the log.
  struct Step {
    let number: Int
    let append: AuditLog.Append
    /// The boot time of the decision.
    let time: Duration
    let fact: Fact?
    var replies: [ReplyID]
  }

  /// An input or event that cannot be refused. It waits while the log is unwritable, and is applied later with its original
  /// time.
  enum Fact {
    case input(PresentationInput, Moment)
    case record(Event)
  }

  enum State {
    case writable
    /// ``facts`` are decided at the next attempt to write.
    case unwritable(retryAt: Duration)
    /// The facts are being recorded.
    case recovering
  }

  /// The state after the last decision.
  var surfaces: PresentationSurfaces
  /// Decisions not recorded yet, oldest first.
  private var pending: ArraySlice<Step> = []
  private var state = State.writable
  /// Facts that wait until the log is writable, oldest first.
  private(set) var facts: [Fact] = [] {
    didSet { if facts.isEmpty { gone = [] } }
  }
  private(set) var gone: Set<PresentationID> = []
  /// The error of the last failed attempt to write.
  private var failure = RouterError.logUnavailable
  private(set) var lastStep: Int
  /// The last failed step. Results of steps up to this number are ignored.
  private var failedStep: Int
  /// The backoff state of requesters; `nil` if the rule is disabled.
  private var backoff: DismissalBackoff?

  /// - Parameter lastStep: The last step of the previous decider.
  init(_ surfaces: PresentationSurfaces, backoff: DismissalBackoff.Rule?, lastStep: Int = 0) {
    self.surfaces = surfaces
    self.backoff = backoff.map { DismissalBackoff(rule: $0) }
    (self.lastStep, failedStep) = (lastStep, lastStep)
  }

  var policy: PresentationSurfaces.Policy {
    get { surfaces.policy }
    set { surfaces.policy = newValue }
  }

  /// The maximum number of presenters that may attach while the log is unwritable, since they are kept in memory.
  static let maximumWaitingArrivals = 1024

  var status: DeciderStatus {
    var status = DeciderStatus(isWritable: isWritable, isIdle: pending.isEmpty, nextTime: surfaces.nextDeadline)
    if case .unwritable(let retryAt) = state { status.nextTime = retryAt }
    return status
  }

  var isAway: Bool { false }
  var unavailable: RouterError? { isWritable ? nil : failure }

  var unavailableToPresenters: RouterError? {
    guard case .unwritable = state, facts.count >= Self.maximumWaitingArrivals + surfaces.count else { return nil }
    return RouterError(.logUnavailable, "cannot attach: the audit log cannot be written", retryAfter: .seconds(1))
  }

  var isWritable: Bool { if case .writable = state { true } else { false } }

  func top(on surface: String, _ record: PresentationFold) -> Presentation? {
    surfaces.state.surfaces[surface]?.top?.presentation
  }

  // MARK: Deciding

  func handle(_ input: DeciderInput, reply: ReplyID?, at now: Moment, _ record: () -> Recorded) -> [Effect] {
    switch input {
    case .ask(let ask): return self.ask(ask, reply, at: now)
    case .change(let input): return change(input, reply, at: now)
    case .load(let rules):
      policy.rules = rules.rules
      // The rules are already in force, for example after a takeover.
      if rules.rules == surfaces.rules { return [.reply(reply, .success(.accepted))] }
      return change(.loadRules(rules), reply, at: now)
    case .fact(let fact, let moment): return accept(fact, at: moment)
    case .record(let event, let isKept): return self.record(event, isKept: isKept, at: now)
    case .report(let event):
      if !isWritable { return [.reply(reply, .failure(failure))] }
      return [append([event], from: .requester, at: now.boot, reply: reply)]
    case .flush: return flush(reply)
    case .ended(let presentation, let secret):
      guard let pause = backoff?.ended(presentation, answer: secret, at: now.boot) else { return [] }
      return noteThrottled(presentation.requester, for: pause, after: presentation.id, at: now)
    // No other hosts take part.
    case .shared: return []
    }
  }

  private func ask(_ ask: PresentationAsk, _ reply: ReplyID?, at moment: Moment) -> [Effect] {
    if !isWritable { return [.reply(reply, .failure(failure))] }
    var effects: [Effect] = []
    do throws(PresentationRejection) {
      switch try decide(ask, at: moment, &effects) {
      case .accepted(let events):
        effects.append(.reply(reply, .success(.accepted)))
        effects += submit(events, at: moment.boot)
      case .joined(let id, let events):
        effects.append(.reply(reply, .success(.joined(id))))
        effects += submit(events, at: moment.boot, fact: .input(.change(id, Verbs.Claim()), moment))
      case .ended(let id): effects.append(.reply(reply, .success(.ended(id))))
      }
    } catch {
      effects.append(.reply(reply, .failure(RouterError(error))))
    }
    return effects
  }

  /// Decides a request, unless its requester is rate limited.
  func decide(
    _ ask: PresentationAsk, at moment: Moment, _ effects: inout [Effect]
  ) throws(PresentationRejection) -> PresentationSurfaces.RequestResult {
    var ask = ask
    // Requests from other hosts have no local time.
    ask.dayTime = ask.dayTime ?? DayTime(moment.wall)
    effects += expire(at: moment)
    var (backoff, beginning) = (self.backoff, DismissalBackoff.Delay?.none)
    self.backoff = nil
    defer {
      self.backoff = backoff
      if let beginning { effects += noteThrottled(ask.requester, for: beginning.remaining, at: moment) }
    }
    return try surfaces.ask(ask, at: moment) { ask in
      // A screen stacked on another presentation belongs to that request and is not rate limited.
      guard ask.request.over == nil,
        let (pause, begins) = backoff?.asked(DismissalBackoff.Asker(ask.requester, ask.request), at: moment.boot)
      else { return nil }
      if begins { beginning = pause }
      return pause
    }
  }

  private func change(_ input: PresentationInput, _ reply: ReplyID?, at moment: Moment) -> [Effect] {
    if !isWritable { return [.reply(reply, .failure(failure))] }
    let due = expire(at: moment)
    do {
      return due + submit(try surfaces.handle(input, at: moment), at: moment.boot, reply: reply)
    } catch {
      return due + [.reply(reply, .failure(RouterError(error, id: input.presentation)))]
    }
  }

  func accept(_ fact: PresentationInput, at moment: Moment) -> [Effect] {
    if case .unwritable = state {
      wait(.input(fact, moment))
      return []
    }
    let due = expire(at: moment)
    if let events = try? surfaces.handle(fact, at: moment) {
      return due + submit(events, at: moment.boot, fact: .input(fact, moment))
    }
    // The presentation has ended, unless the end cannot be recorded.
    return pending.isEmpty ? due : due + [append([], at: moment.boot, fact: .input(fact, moment))]
  }

  private func record(_ event: Event, isKept: Bool, at moment: Moment) -> [Effect] {
    switch state {
    case .writable, .recovering:
      return [
        append(
          [event], from: event.isOfCallback ? .requester : .rules, at: moment.boot, fact: isKept ? .record(event) : nil)
      ]
    case .unwritable:
      if isKept { wait(.record(event)) }
      return []
    }
  }

  private func wait(_ fact: Fact) {
    facts.append(fact)
    if case .input(.change(let change), _) = fact, change.verb is Verbs.RequesterGone { gone.insert(change.id) }
  }

  func cancelAttachment(of presenter: PresenterID) -> Bool {
    guard case .unwritable = state,
      let index = facts.lastIndex(where: {
        if case .input(.presenterAttached(presenter, _, _), _) = $0 { true } else { false }
      })
    else { return false }
    facts.remove(at: index)
    return true
  }

  func tick(at now: Moment) -> [Effect] {
    guard case .unwritable(let retryAt) = state else { return expire(at: now) }
    return retryAt <= now.boot ? recover(at: now) : []
  }

  /// Expires the presentations that are due.
  func expire(at moment: Moment) -> [Effect] { submit(surfaces.expire(at: moment), at: moment.boot) }

  /// Records that a requester is now rate limited, with the presentation that caused it, if any.
  private func noteThrottled(
    _ requester: Presentation.Requester, for pause: Duration, after id: PresentationID? = nil, at moment: Moment
  ) -> [Effect] {
    let throttled = Event.Throttled(uid: requester.process.uid, app: requester.app, duration: pause)
    return record(Event(at: moment.wall, presentation: id, .throttled(throttled)), isKept: false, at: moment)
  }

  func shutDown(at now: Moment, _ record: () -> Recorded) -> [Effect] {
    var effects = resumeForShutDown(at: now)
    effects += submit(surfaces.shutDown(at: now), at: now.boot)
    for seat in record().screens.allSeats {
      effects += accept(.presenterDetached(seat.id, surface: seat.surface), at: now)
    }
    return effects + [.flush]
  }

  // MARK: Committing

  func submit(
    _ events: [Event], at time: Duration, fact: Fact? = nil, reply: ReplyID? = nil
  ) -> [Effect] {
    guard !events.isEmpty || fact?.isAttachment == true else { return reply.map { flush($0) } ?? [] }
    return [append(events, at: time, fact: fact, reply: reply), .decided(events)]
  }

  func append(
    _ events: [Event], from source: AuditLog.Source = .rules, at time: Duration, fact: Fact? = nil,
    inbox: InboxReply? = nil, reply: ReplyID? = nil
  ) -> Effect {
    // No caller waits for the record of a delivery.
    let isLazy = reply == nil && !events.isEmpty && events.allSatisfy { $0.detail == .delivered }
    let append = AuditLog.Append(events, from: source, inbox: inbox, isLazy: isLazy)
    lastStep += 1
    pending.append(Step(number: lastStep, append: append, time: time, fact: fact, replies: reply.map { [$0] } ?? []))
    return .append(append, step: lastStep)
  }

  private func flush(_ reply: ReplyID?) -> [Effect] {
    guard !pending.isEmpty, let reply else { return [.reply(reply, .success(.accepted))] }
    pending[pending.endIndex - 1].replies.append(reply)
    return [.flush]
  }

  func appended(
    _ number: Int, _ result: AuditLog.AppendResult, at now: Moment, _ record: () -> Recorded
  ) -> [Effect] {
    guard isPending(number) else { return [] }
    var effects: [Effect] = []
    switch result {
    case .recorded(let seq):
      let step = takePending(number)
      effects.append(.follow(step.append.events, through: seq, at: step.time, fact: step.fact?.input))
      effects += step.replies.map { .reply($0, .success(.accepted)) }
      if let inbox = step.append.inbox { effects.append(.replied(inbox)) }
    case .refused(let error):
      let step = takePending(number)
      let refusal = RouterError(error.rejection ?? .notOpen, id: step.append.events.first?.presentation)
      effects += step.replies.map { .reply($0, .failure(refusal)) }
      // The row's reply is recorded too.
      if let inbox = step.append.inbox { effects.append(.replied(inbox)) }
    case .failed(let error):
      let record = record()
      let (lost, facts) = goBack(error, record)
      if record.isShuttingDown { return lost + [.stop] }
      failure = error
      state = .unwritable(retryAt: now.boot + .seconds(1))
      for fact in facts { wait(fact) }
      return lost + [.showCommitted]
    }
    if case .recovering = state, pending.isEmpty { effects += resume(at: now) }
    return effects
  }

  /// Whether a step is neither recorded nor failed.
  func isPending(_ number: Int) -> Bool { number > failedStep }

  private func takePending(_ number: Int) -> Step {
    guard let step = pending.popFirst() else { preconditionFailure("the log recorded what nobody sent") }
    // A slice retains elements removed from its front.
    if pending.isEmpty { pending = [] }
    precondition(step.number == number, "the log recorded \(number) before \(step.number)")
    return step
  }

  // MARK: Failing

  /// Drops unrecorded decisions. Returns their inputs that cannot be refused.
  func goBack(_ error: RouterError, _ record: Recorded) -> ([Effect], facts: [Fact]) {
    let failed = pending
    pending = []
    failedStep = lastStep
    let lost = failed.flatMap(\.append.events)
    var state = record.state
    state.skip(lost)
    surfaces = PresentationSurfaces(
      policy, state, presenters: record.screens.presenters, isSuspended: true, overtakingFrom: surfaces.overtakingFrom)
    let replies = failed.flatMap(\.replies).map { Effect.reply($0, .failure(error)) }
    return ([.lost(lost, error)] + replies, failed.compactMap(\.fact))
  }

  /// Tries to write again, starting with the waiting facts.
  private func recover(at moment: Moment) -> [Effect] {
    state = .recovering
    var effects = [Effect.retry] + replay(at: moment)
    // Without events, an empty append checks whether the log is writable.
    if pending.isEmpty { effects.append(append([], at: moment.boot)) }
    return effects
  }

  private func replay(at moment: Moment) -> [Effect] {
    let items = facts
    facts = []
    return items.flatMap { fact in
      switch fact {
      case .input(let input, let moment): accept(input, at: moment)
      case .record(let event): record(event, isKept: true, at: moment)
      }
    }
  }

  /// Shows prompts again after all facts are recorded.
  private func resume(at moment: Moment) -> [Effect] {
    state = .writable
    return [.resumed] + expire(at: moment) + submit(surfaces.resume(at: moment), at: moment.boot)
  }

  /// Tries to record the waiting facts during shutdown, which does not wait for the log to recover.
  func resumeForShutDown(at moment: Moment) -> [Effect] {
    defer { state = .writable }
    guard case .unwritable = state else { return [] }
    state = .writable
    return [.retry] + replay(at: moment)
  }
}

extension LocalDecider.Fact {
  fileprivate var input: PresentationInput? { if case .input(let input, _) = self { input } else { nil } }

  /// Whether the input attaches or detaches a presenter.
  fileprivate var isAttachment: Bool {
    switch self {
    case .input(.presenterAttached, _), .input(.presenterDetached, _): true
    case .input, .record: false
    }
  }
}

extension PresentationInput {
  /// The open presentation that the input applies to.
  var presentation: PresentationID? { if case .change(let change) = self { change.id } else { nil } }
}
