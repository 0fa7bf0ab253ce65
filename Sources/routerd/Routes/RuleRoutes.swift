import NIOCore
import Router

/// The routes for rules: `/v1/rules`.
struct RuleRoutes: Sendable {
  let coordinators: Coordinators
  let rulebook: Rulebook
  /// The commands that a rule with wildcards may cover.
  let commands: CommandTable

  /// `POST /v1/rules/decision`: the decision of the rules in force on a request, which is neither sent nor recorded.
  @Sendable func decide(_ call: Call) async throws -> Response? {
    let request = try ValidRequest(try PresentationRequest(accepted: try call.request.json())).request
    let requester = Presentation.Requester(app: request.options.app ?? call.peer.callerName, process: call.peer)
    let local = coordinators.local
    let decision = await local.coordinator.rules?.decision(on: request, by: requester, at: DayTime(local.now), commands)
    return Response(RuleDecision(decision))
  }

  /// `GET /v1/rules`: the rules in force, their uses in the last 30 days, and the changed file awaiting confirmation.
  @Sendable func list(_ call: Call) async throws -> Response? {
    let local = coordinators.local
    let inForce = await local.coordinator.rules
    let loaded = try await local.reader.rulesLoaded()
    let uses = try await local.reader.ruleUses(since: local.now.advanced(by: .seconds(-30 * 86_400)))
    let rules = (inForce?.rules ?? []).map { rule in RuleRecord(rule, uses[rule.id]) }
    return Response(
      RulesStatus(
        file: rulebook.path, digest: inForce?.digest, loadedAt: loaded?.at, confirmedBy: loaded?.by,
        pending: rulebook.pending.map { RulesStatus.Pending(digest: $0.rules.digest, since: $0.since) },
        problem: rulebook.problem?.message, rules: rules))
  }
}
