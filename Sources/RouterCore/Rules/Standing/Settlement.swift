/// The end of a request that was decided without a person.
struct Settlement: Sendable {
  let outcome: PresentationOutcome
  let extra: AnswerExtra
  /// The person who gave the remembered answer; `nil` for a rule.
  let by: Presentation.Responder?
  /// `nil` if Router is off.
  let authority: Presentation.Authority?

  /// The end of a request whose program can do without Router, while it is off.
  static let off = Settlement()

  private init() { (outcome, extra, by, authority) = (.cancelled(.off), AnswerExtra(), nil, nil) }

  init(_ grant: Grant) {
    (outcome, extra, by) = (.answered(.button(grant.button)), AnswerExtra(), grant.by)
    authority = .grant(grant.id)
  }

  /// - Parameter rules: The SHA-256 of the rules' text.
  init(_ outcome: PresentationOutcome, by rule: Rule, rules: String) {
    var message: String?
    switch rule.action {
    case .deny(let text): message = text
    case .ask(let changes):
      message = changes.require.map {
        "It needs \($0.answers) people, who cannot be asked for a form, a secret or a stacked prompt."
      }
    case .allow: break
    }
    (self.outcome, extra, by) = (outcome, AnswerExtra(comment: message), nil)
    authority = .rule(rule.id, rules: rules)
  }
}

/// The verdict of remembered answers and rules on a request.
enum Verdict {
  case settled(Settlement)
  /// A person is asked: the request as shown, and the options for remembering the answer.
  case person(PresentationAsk, GrantOffer?)
}

extension Standing {
  /// Decides a request. Rules that deny come first, then remembered answers, refusals before permissions. Rules that allow come
  /// last, and do not apply if a refusal was remembered for a part of the act.
  ///
  /// - Parameter steps: Receives the number of steps that the rules took.
  func verdict(
    on ask: PresentationAsk, _ policy: PresentationSurfaces.Policy, at now: Duration, counting steps: inout Int
  ) -> Verdict {
    var ask = ask
    var allowed: Settlement?
    if let rules {
      let decision = rules.decision(
        on: ask.request, by: ask.requester, at: ask.dayTime, policy.grants.commands, counting: &steps)
      if let rule = decision.rule {
        let settlement = decision.outcome.map { Settlement($0, by: rule, rules: rules.digest) }
        switch rule.action {
        case .deny: if let settlement { return .settled(settlement) }
        case .allow: allowed = settlement
        case .ask(let changes):
          if let settlement { return .settled(settlement) }
          ask = ask.ruled(Ruling(rule: rule.id, rules: rules.digest, changes: changes))
        }
      }
    }
    let offer = GrantOffer(ask, policy.grants)
    let found = grant(for: ask.request, by: ask.requester, offer, policy.selfAnswer, policy.grants.commands, at: now)
    guard let (grant, obstacle) = found else { return allowed.map(Verdict.settled) ?? .person(ask, offer) }
    guard let obstacle else { return .settled(Settlement(grant)) }
    if let allowed, !grant.isRefusal { return .settled(allowed) }
    return .person(ask, offer?.with(uncovered: GrantOffer.Uncovered(grant, obstacle)))
  }
}
