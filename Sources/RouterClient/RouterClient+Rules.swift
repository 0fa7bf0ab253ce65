package import Router

extension RouterClient {
  /// Returns the rules' decision on a request, which is neither sent nor recorded. Ignores remembered answers.
  package func ruleEffect(on request: PresentationRequest) async throws -> RuleSet.Decision.Effect {
    let decision: RuleDecision = try await once {
      try await reply(to: HTTPCall(.POST, APIPath.ruleDecision, json: request.jsonText))
    }
    return decision.effect
  }

  /// Returns the rules in force, with their uses in the last 30 days. Requires the role `audit`.
  package func rules() async throws -> RulesStatus {
    try await once { try await reply(to: HTTPCall(.GET, APIPath.rules)) }
  }
}
