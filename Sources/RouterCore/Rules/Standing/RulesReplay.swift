/// Rules tried on recorded requests, with what people have answered. The rules decide as they do in the daemon.
package struct RulesReplay: Sendable {
  /// What people have answered to requests that a rule decides or that none does.
  package struct Tally: Sendable, Hashable {
    package var count = 0
    package var yes = 0
    package var no = 0
    /// Other answers.
    package var other = 0
    /// Requests that a person saw or could have seen, and that none answered.
    package var unanswered = 0
  }

  /// A request that a rule would decide otherwise than a person has.
  package struct Contradiction: Sendable, Hashable {
    package let presentation: Presentation
    package let rule: Rule
    package let outcome: PresentationOutcome
  }

  package let rules: RuleSet
  private let commands: CommandTable
  package private(set) var count = 0
  /// By the id of the rule; `nil` for requests that fit none.
  private var tallies: [String?: Tally] = [:]
  package private(set) var contradictions: [Contradiction] = []
  /// How many requests the rules would decide otherwise than they were decided.
  package private(set) var changes = 0
  /// How many requests the rules would answer as people did, without asking.
  package private(set) var agreements = 0
  /// How many requests have no act.
  package private(set) var withoutAct = 0

  package init(_ rules: RuleSet, _ commands: CommandTable = .standard) { (self.rules, self.commands) = (rules, commands) }

  /// What people have answered to the requests that a rule decides, or that none does.
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
  /// Whether a person answered as a rule decides. A refusal fits a "no".
  fileprivate func fits(_ answer: PresentationAnswer, to request: PresentationRequest) -> Bool {
    if self == .answered(answer) { return true }
    guard self == .cancelled(.refused), case .button(let id) = answer else { return false }
    return request.buttons.contains { $0.id == id && $0.role == .cancel }
  }
}

extension Presentation {
  /// The request as it was sent, without the changes of a rule.
  package var sentRequest: PresentationRequest {
    ruling == nil ? request : (try? PresentationRequest(accepted: requestText.value)) ?? request
  }

  /// Whether a person ended it: evidence of what people want, unlike what rules and remembered answers decided.
  package var isByPerson: Bool { because?.isStanding != true && resolvedBy != nil }

  /// Whether rules would decide it otherwise than it was decided.
  fileprivate func isChanged(by decision: RuleSet.Decision) -> Bool {
    switch because {
    case .rule: return decision.outcome != outcome
    // A remembered answer comes before a permission.
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
