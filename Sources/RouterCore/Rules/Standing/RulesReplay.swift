/// Evaluates rules on recorded requests and compares them with people's answers. The rules decide exactly as in the daemon.
package struct RulesReplay: Sendable {
  /// Counts people's answers to requests, grouped by the rule that decides them.
  package struct Tally: Sendable, Hashable {
    package var count = 0
    package var yes = 0
    package var no = 0
    /// Other answers.
    package var other = 0
    /// Requests without an answer, although a person saw them or could have.
    package var unanswered = 0
  }

  /// A request with a person's answer that contradicts a rule.
  package struct Contradiction: Sendable, Hashable {
    package let presentation: Presentation
    package let rule: Rule
    package let outcome: PresentationOutcome
  }

  package let rules: RuleSet
  private let commands: CommandTable
  package private(set) var count = 0
  /// The tallies by rule id; `nil` for requests without a matching rule.
  private var tallies: [String?: Tally] = [:]
  package private(set) var contradictions: [Contradiction] = []
  /// The number of requests with a different decision under the rules.
  package private(set) var changes = 0
  /// The number of requests that the rules would decide as people did, without asking.
  package private(set) var agreements = 0
  /// The number of requests without an act.
  package private(set) var withoutAct = 0

  package init(_ rules: RuleSet, _ commands: CommandTable = .standard) { (self.rules, self.commands) = (rules, commands) }

  /// Returns the tally of people's answers to requests that a rule decides; `nil` for requests without a matching rule.
  package func tally(of rule: String?) -> Tally { tallies[rule] ?? Tally() }

  /// - Parameter time: The local time of the request.
  package mutating func add(_ presentation: Presentation, at time: DayTime? = nil) {
    let request = presentation.sentRequest
    let decision = rules.decision(on: request, by: presentation.requester, at: time, commands)
    var isAgreed = false
    count += 1
    if request.act == nil { withoutAct += 1 }
    var tally = tallies[decision.rule?.id] ?? Tally()
    tally.count += 1
    if presentation.isByPerson, case .answered(let answer) = presentation.outcome {
      switch presentation.answerKind {
      case .yes: tally.yes += 1
      case .no: tally.no += 1
      default: tally.other += 1
      }
      if let rule = decision.rule, let outcome = decision.outcome {
        isAgreed = outcome.fits(answer, to: request)
        if !isAgreed { contradictions.append(Contradiction(presentation: presentation, rule: rule, outcome: outcome)) }
      }
    } else if presentation.because == nil {
      tally.unanswered += 1
    }
    tallies[decision.rule?.id] = tally
    if isAgreed {
      agreements += 1
    } else if presentation.isChanged(by: decision) {
      changes += 1
    }
  }
}

extension PresentationOutcome {
  /// Whether a person's answer agrees with a rule. A refusal agrees with a "no".
  fileprivate func fits(_ answer: PresentationAnswer, to request: PresentationRequest) -> Bool {
    if self == .answered(answer) { return true }
    guard self == .cancelled(.refused), case .button(let id) = answer else { return false }
    return request.buttons.contains { $0.id == id && $0.role == .cancel }
  }
}

extension Presentation {
  /// The request as sent, without the changes of a rule.
  package var sentRequest: PresentationRequest {
    ruling == nil ? request : (try? PresentationRequest(accepted: requestText.value)) ?? request
  }

  /// Whether a person ended the request. Decisions of rules and remembered answers are not evidence of people's wishes.
  package var isByPerson: Bool { because?.isStanding != true && resolvedBy != nil }

  /// Whether rules would decide it differently.
  fileprivate func isChanged(by decision: RuleSet.Decision) -> Bool {
    switch because {
    case .rule: return decision.outcome != outcome
    // A remembered answer takes precedence over a permission.
    case .grant:
      if case .ask(let changes)? = decision.rule?.action, changes != Rule.Changes(priority: changes.priority) { return true }
      return decision.outcome != nil && decision.outcome != outcome
    case .with, nil:
      var changes = Rule.Changes()
      if case .ask(let some)? = decision.rule?.action { changes = some }
      return decision.outcome != nil || changes != ruling?.changes ?? Rule.Changes()
    }
  }
}
