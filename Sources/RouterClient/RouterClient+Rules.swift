package import Router

/// The rules of a daemon, as `GET /v1/rules` returns them.
package struct RulesStatus: Sendable, Hashable {
  package let file: String
  /// The SHA-256 of the text in force; `nil` if there is none.
  package let digest: String?
  /// When the file changed that waits for a person's confirmation; `nil` if none waits.
  package let pendingSince: Timestamp?
  /// Why the file cannot be used.
  package let problem: String?
  package let rules: [RuleRecord]
}

extension RouterClient {
  /// Returns what the rules say of a request, which is neither made nor recorded. Remembered answers do not count.
  package func ruleEffect(on request: PresentationRequest) async throws -> RuleSet.Decision.Effect {
    let reply = try await once { try await json(HTTPCall(.POST, APIPath.ruleDecision, json: request.jsonText)) }
    guard let effect = reply["then"]?.string.flatMap(RuleSet.Decision.Effect.init) else {
      throw http.misunderstood("/then is missing or not known")
    }
    return effect
  }

  /// Returns the rules in force, with their uses in the last 30 days. Requires the role `audit`.
  package func rules() async throws -> (status: RulesStatus, json: JSONValue) {
    let reply = try await once { try await json(HTTPCall(.GET, APIPath.rules)) }
    let status = RulesStatus(
      file: reply["file"]?.string ?? "", digest: reply["sha256"]?.string,
      pendingSince: reply["pending"]?["since"]?.string.flatMap(Timestamp.init), problem: reply["problem"]?.string,
      rules: try (reply["rules"]?.array ?? []).map { (json) throws(JSONError) in try RuleRecord(json: json, at: "") })
    return (status, reply)
  }
}
