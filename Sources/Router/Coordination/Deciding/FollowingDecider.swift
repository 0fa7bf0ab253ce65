import OrderedCollections

/// Sends this host's inputs to the host that leads a shared surface, and follows the events that the leader records.
final class FollowingDecider: PresentationDecider {
  /// The state that persists when the lead changes.
  struct Terms {
    let surface: SharedSurface
    /// The daemon's process.
    let process: ProcessIdentity
    let backoff: DismissalBackoff.Rule?
    let attachmentsPerMinute: Int
  }

  /// The purpose of an input that awaits the leader's reply. Its events are followed before the reply.
  private enum Sent {
    case ask(ReplyID?)
    case change(ReplyID?, PresentationID?)
    case fact(PresentationInput, Moment)
    /// Reports a restart, which ends this host's attached requests.
    case restarted
  }

  let terms: Terms
  var policy: PresentationSurfaces.Policy
  /// Whether the database cannot be reached, so that the leader is unknown.
  var isAway = true
  /// The last step of this host as the leader.
  var lastStep = 0
  /// The number of times that this host has led.
  private(set) var term = 0
  private var sent: OrderedDictionary<Int, Sent> = [:]
  private var lastInput = 0
  /// Whether the leader has ended this host's attached requests, or cannot be reached.
  private var hasLeft = false
  /// The budget for matching this host's requests against its own rules.
  private var ruleBudget = RuleBudget()

  init(_ terms: Terms, _ policy: PresentationSurfaces.Policy) {
    (self.terms, self.policy) = (terms, policy)
    self.policy.allowsSensitive = false
    self.policy.limitsHosts = true
  }

  private var host: String { terms.surface.host }
  var unavailable: RouterError? { isAway ? .sharedLogAway : nil }

  var unavailableToPresenters: RouterError? { unavailable }
  var gone: Set<PresentationID> { [] }

  var status: DeciderStatus { DeciderStatus(isIdle: hasLeft) }

  func top(on surface: String, _ record: PresentationFold) -> Presentation? { record.surfaces[surface]?.top?.presentation }
  func cancelAttachment(of presenter: PresenterID) -> Bool { false }
  func tick(at now: Moment) -> [Effect] { [] }
  /// Results of an earlier lead.
  func appended(_ step: Int, _ result: AuditLog.AppendResult, at now: Moment, _ record: () -> Recorded) -> [Effect] { [] }

  func handle(_ input: DeciderInput, reply: ReplyID?, at now: Moment, _ record: () -> Recorded) -> [Effect] {
    switch input {
    case .ask(let ask): return self.ask(ask, reply, at: now)
    case .change(let input): return change(input, reply, at: now, record())
    case .load(let rules):
      // The leader's rules decide. This host does not send requests that its own rules deny, and puts its rules in force when
      // it leads.
      policy.rules = rules.rules
      return [.reply(reply, .success(.accepted))]
    case .fact(let fact, let moment): return [send(.input(fact), .fact(fact, moment))]
    case .record(let event, _):
      // Decisions are the leader's, and denials are recorded in this machine's own log.
      return event.isOfCallback || event.detail == .delivered ? [send(.record(event))] : []
    case .report(let event):
      if let unavailable { return [.reply(reply, .failure(unavailable))] }
      return [send(.record(event), .change(reply, event.presentation))]
    case .flush: return [.reply(reply, .success(.accepted))]
    case .ended: return []
    case .shared(let input): return handle(input, at: now, record())
    }
  }

  // MARK: Sending inputs to the leader

  private func send(_ input: SharedInput, _ what: Sent? = nil) -> Effect {
    lastInput += 1
    sent[lastInput] = what
    return .send(input.stamped(host: host), number: lastInput)
  }

  private func ask(_ ask: PresentationAsk, _ reply: ReplyID?, at moment: Moment) -> [Effect] {
    if let unavailable { return [.reply(reply, .failure(unavailable))] }
    if let rules = policy.rules {
      var own = ask
      own.requester.process.host = host
      do {
        let error = try ruleBudget.spend(for: own.requester.process.owner, at: moment) { [own] in
          rules.denial(of: own, counting: &$0)
        }
        if let error { return [.reply(reply, .failure(error))] }
      } catch {
        return [.reply(reply, .failure(RouterError(error)))]
      }
    }
    return [send(.input(.request(ask)), .ask(reply))]
  }

  private func change(_ input: PresentationInput, _ reply: ReplyID?, at now: Moment, _ record: Recorded) -> [Effect] {
    if let unavailable { return [.reply(reply, .failure(unavailable))] }
    let input = input.stamped(host: host)
    // This host may be stricter than the leader, and only it knows its users' groups.
    do {
      switch input {
      case .change(let change): try record.state[change.id]?.presentation.check(change, policy)
      case .endPause(let id, let resolver):
        let pauses = record.state.standing.pauses.list(at: now.boot)
        try pauses.first { $0.presentation == id }?.checkEnd(by: resolver, policy.selfAnswer)
      case .request, .revoke, .loadRules, .turn, .presenterAttached, .presenterDetached: break
      }
    } catch {
      return [.reply(reply, .failure(RouterError(error, id: input.presentation)))]
    }
    return [send(.input(input), .change(reply, input.presentation))]
  }

  /// Sends the facts that could not be recorded as the leader.
  func send(_ facts: [LocalDecider.Fact], at now: Moment, _ record: Recorded) -> [Effect] {
    facts.flatMap { fact in
      switch fact {
      case .input(let input, let moment): handle(.fact(input, moment), reply: nil, at: now) { record }
      case .record(let event): handle(.record(event, isKept: true), reply: nil, at: now) { record }
      }
    }
  }

  // MARK: The leader

  private func handle(_ input: SharedDeciderInput, at now: Moment, _ record: Recorded) -> [Effect] {
    switch input {
    case .connected(let isConnected):
      isAway = !isConnected
      return []
    case .replied(let number, let reply): return replied(to: number, reply, record)
    case .announcePresenters: return [announcePresenters(record)]
    case .takeOver(let hosts):
      term += 1
      let (leading, effects) = LeadingDecider.takingOver(from: self, awaiting: hosts, at: now, record)
      return [.become(leading)] + effects
    // The next leader processes the row again.
    case .lookedUp(let lookUp, let result):
      guard case .own(let reply) = lookUp.source else { return [] }
      switch result {
      case .success(nil): return ask(lookUp.ask, reply, at: now)
      case .success(let id?): return [.reply(reply, .success(.ended(id)))]
      case .failure(let error): return [.reply(reply, .failure(error))]
      }
    // Inputs that only a leader handles.
    case .showWithoutAwaited, .checkLeadership, .row, .hostGone: return []
    }
  }

  private func replied(to number: Int, _ reply: SharedReply, _ record: Recorded) -> [Effect] {
    switch sent.removeValue(forKey: number) {
    case .ask(let id):
      let error = reply == .notOpen ? .unreadableRequest : reply.error(on: nil)
      return [.reply(id, error.map { .failure($0) } ?? .success(reply.decision))]
    case .change(let id, let presentation):
      return [.reply(id, reply.error(on: presentation).map { .failure($0) } ?? .success(.accepted))]
    case .fact(let fact, let moment):
      if let error = reply.error(on: fact.presentation) { return [.refuse(fact, error)] }
      return [.follow([], through: record.followed, at: moment.boot, fact: fact)]
    case .restarted:
      hasLeft = true
      return []
    case nil: return []
    }
  }

  /// Reports all presenters of this host to a new leader, including changes that the leader may have received before.
  private func announcePresenters(_ record: Recorded) -> Effect {
    var presenters = record.screens.presenters[terms.surface.name, default: [:]]
    for case .fact(let fact, _) in sent.values {
      if case .presenterAttached(let id, let identity, _) = fact { presenters[id] = identity }
      if case .presenterDetached(let id, _) = fact { presenters[id] = nil }
    }
    return send(.presenters(Dictionary(uniqueKeysWithValues: presenters.map { ($0.key, $0.value) })))
  }

  /// Ends the attached requests of this host. Their requesters receive the recorded outcomes.
  func shutDown(at now: Moment, _ record: () -> Recorded) -> [Effect] {
    if !isAway { return [send(.restarted, .restarted)] }
    hasLeft = true
    return []
  }
}

extension SharedReply {
  fileprivate var decision: Decision {
    switch self {
    case .joined(let id): .joined(id)
    case .ended(let id): .ended(id)
    case .accepted, .notOpen, .refused: .accepted
    }
  }

  fileprivate func error(on id: PresentationID?) -> RouterError? {
    switch self {
    case .accepted, .joined, .ended: nil
    case .notOpen: RouterError(.notOpen, id: id)
    case .refused(let problem, let retryAfter): RouterError(problem, retryAfter: retryAfter)
    }
  }
}

extension RuleSet {
  /// The error for a request that this host's rules deny.
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

  /// The error for a request that the leader cannot decode, such as one with a member that its older version does not know.
  fileprivate static let unreadableRequest = RouterError(
    .impossible,
    "cannot ask: the host that leads the shared surface cannot read the request; if it runs an older version, upgrade it, or "
      + "leave out what is new")
}
