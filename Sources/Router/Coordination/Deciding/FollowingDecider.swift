import OrderedCollections

/// Sends the inputs of this host to the host that leads a shared surface, and follows the events that it records.
final class FollowingDecider: PresentationDecider {
  /// Called when the leader has processed an input. Its events have been followed before.
  private typealias LeaderReply = @Sendable (isolated Coordinator, SharedReply) -> Void

  let shared: SharedSurface
  var policy: PresentationSurfaces.Policy
  /// Whether the database cannot be reached, so that nobody knows who leads.
  var isAway = true
  private var replies: [Int: LeaderReply] = [:]
  private var lastInput = 0
  /// Facts that the leader has not replied to.
  private var facts: OrderedDictionary<Int, PresentationInput> = [:]
  /// Whether the leader has ended what this host asked, or cannot be told to.
  private var hasLeft = false
  /// What comparing this host's requests with its own rules may take.
  private var ruleBudget = RuleBudget()

  init(_ shared: SharedSurface, _ policy: PresentationSurfaces.Policy) {
    self.shared = shared
    self.policy = policy
    self.policy.allowsSensitive = false
    self.policy.limitsHosts = true
  }

  var unavailable: RouterError? { isAway ? .sharedLogAway : nil }
  var unavailableToPresenters: RouterError? { unavailable }
  var isWritable: Bool { true }
  var mayShow: Bool { !isAway }
  var isIdle: Bool { hasLeft }
  var nextTime: Duration? { nil }
  var gone: Set<PresentationID> { [] }

  func top(on surface: String, _ coordinator: isolated Coordinator) -> Presentation? {
    coordinator.committed.surfaces[surface]?.top?.presentation
  }
  func cancelAttachment(of presenter: PresenterID) -> Bool { false }
  func tick(_ coordinator: isolated Coordinator) {}
  func committed(_ number: Int, _ result: AuditLog.AppendResult, _ coordinator: isolated Coordinator) {}

  // MARK: Sending inputs to the leader

  private func send(_ input: SharedInput, then reply: LeaderReply? = nil) {
    lastInput += 1
    replies[lastInput] = reply
    shared.link.send(input.stamped(host: shared.host), number: lastInput)
  }

  /// Handles the leader's reply to an input.
  func replied(to number: Int, _ reply: SharedReply, _ coordinator: isolated Coordinator) {
    replies.removeValue(forKey: number)?(coordinator, reply)
  }

  func ask(_ ask: PresentationAsk, _ coordinator: isolated Coordinator, then reply: @escaping AskReply) {
    if let unavailable { return reply(coordinator, .refused(unavailable)) }
    var own = ask
    own.requester.process.host = shared.host
    if let rules = policy.rules {
      do {
        let owner = own.requester.process.owner
        let error = try ruleBudget.spend(for: owner, at: coordinator.now) { rules.denial(of: own, counting: &$0) }
        if let error { return reply(coordinator, .refused(error)) }
      } catch {
        return reply(coordinator, .refused(RouterError(error)))
      }
    }
    send(.input(.request(ask))) { coordinator, leaderReply in
      switch leaderReply {
      case .accepted: reply(coordinator, .accepted)
      case .joined(let id): reply(coordinator, .joined(id))
      case .ended(let id): reply(coordinator, .ended(id))
      case .notOpen: reply(coordinator, .refused(.unreadableRequest))
      case .refused(let problem, let retryAfter):
        reply(coordinator, .refused(RouterError(problem, retryAfter: retryAfter)))
      }
    }
  }

  func change(_ input: PresentationInput, _ coordinator: isolated Coordinator, then reply: @escaping Reply) {
    if let unavailable { return reply(coordinator, .failure(.failed(unavailable))) }
    let input = input.stamped(host: shared.host)
    // This host may be stricter than the leader.
    do {
      if case .change(let change) = input { try coordinator.committed[change.id]?.presentation.check(change, policy) }
      if case .endPause(let id, let resolver) = input {
        try coordinator.pauses.first { $0.presentation == id }?.checkEnd(by: resolver, policy.selfAnswer)
      }
    } catch {
      return reply(coordinator, .failure(.rejected(error)))
    }
    send(.input(input)) { coordinator, leaderReply in
      reply(coordinator, Result { () throws(InputRefusal) in try leaderReply.check() })
    }
  }

  /// The leader's rules decide. This host sends nothing that its own deny, and puts them in force when it leads.
  func load(_ rules: Event.RulesLoaded, _ coordinator: isolated Coordinator, then reply: @escaping Reply) {
    policy.rules = rules.rules
    reply(coordinator, .success(()))
  }

  func accept(_ fact: PresentationInput, at moment: Moment, _ coordinator: isolated Coordinator) {
    let number = lastInput + 1
    facts[number] = fact
    send(.input(fact)) { coordinator, leaderReply in
      coordinator.following?.facts[number] = nil
      do throws(InputRefusal) {
        try leaderReply.check()
        coordinator.follow([], through: coordinator.followed, at: moment.boot, fact: fact)
      } catch {
        coordinator.refuse(fact, RouterError(refusal: error))
      }
    }
  }

  /// Only the leader decides, and denials are recorded in this machine's own log.
  func record(_ event: Event, isKept: Bool, _ coordinator: isolated Coordinator) {
    if event.isOfCallback || event.detail == .delivered { send(.record(event)) }
  }

  func report(_ event: Event, _ coordinator: isolated Coordinator, then reply: @escaping Reply) {
    if let unavailable { return reply(coordinator, .failure(.failed(unavailable))) }
    send(.record(event)) { coordinator, leaderReply in
      reply(coordinator, Result { () throws(InputRefusal) in try leaderReply.check() })
    }
  }

  func afterRecord(_ coordinator: isolated Coordinator, _ reply: @escaping Reply) { reply(coordinator, .success(())) }

  func ended(_ presentation: Presentation, secret: PresentationAnswer?, _ coordinator: isolated Coordinator) {}

  func report(_ progress: PresentationProgress?, of id: PresentationID) { shared.link.report(progress, of: id) }

  /// Reports all presenters of this host to a new leader, as they are after the facts that it may have received before.
  func reportPresenters(_ coordinator: isolated Coordinator) {
    var presenters = coordinator.screens.presenters[shared.name, default: [:]]
    for fact in facts.values {
      switch fact {
      case .presenterAttached(let id, let identity, _): presenters[id] = identity
      case .presenterDetached(let id, _): presenters[id] = nil
      default: break
      }
    }
    send(.presenters(Dictionary(uniqueKeysWithValues: presenters.map { ($0.key, $0.value) })))
  }

  /// Sends what could not be recorded as the leader.
  func send(_ held: [LocalDecider.Held], _ coordinator: isolated Coordinator) {
    for item in held {
      switch item {
      case .fact(let fact, let moment): accept(fact, at: moment, coordinator)
      case .record(let event): record(event, isKept: true, coordinator)
      }
    }
  }

  // MARK: Stopping

  /// Ends the attached requests of this host. Their requesters are told the recorded outcomes.
  func shutDown(_ coordinator: isolated Coordinator) {
    guard !isAway else { return leave(coordinator) }
    send(.restarted) { coordinator, _ in coordinator.following?.leave(coordinator) }
  }

  /// Stops waiting for the leader.
  func leave(_ coordinator: isolated Coordinator) {
    hasLeft = true
    coordinator.finishShutDownIfDone()
  }
}

extension SharedReply {
  fileprivate func check() throws(InputRefusal) {
    switch self {
    case .accepted, .joined, .ended: break
    case .notOpen: throw .rejected(.notOpen)
    case .refused(let problem, let retryAfter): throw .failed(RouterError(problem, retryAfter: retryAfter))
    }
  }
}

extension RuleSet {
  /// The error for a request that the rules of this host deny.
  fileprivate func denial(of ask: PresentationAsk, counting steps: inout Int) -> RouterError? {
    guard let rule = decision(on: ask.request, by: ask.requester, at: ask.dayTime, counting: &steps).rule,
      case .deny(let message) = rule.action
    else {
      return nil
    }
    return RouterError(
      .forbidden, "cannot ask: refused by the rule \(rule.id) of this host" + (message.map { ": \($0)" } ?? ""))
  }
}

extension RouterError {
  static let sharedLogAway = RouterError(
    .logUnavailable, "cannot use the database of the shared surface; nothing was changed", retryAfter: .seconds(1))

  /// A leader refuses so what it cannot read, such as a member that an older version does not know.
  fileprivate static let unreadableRequest = RouterError(
    .impossible,
    "cannot ask: the host that leads the shared surface cannot read the request; if it runs an older version, upgrade it, or "
      + "leave out what is new")

  init(refusal: InputRefusal, id: PresentationID? = nil) {
    switch refusal {
    case .rejected(let rejection): self.init(rejection, id: id)
    case .failed(let error): self = error
    }
  }
}
