package import RouterCore

/// The rules of a daemon: the response of `GET /v1/rules`.
package struct RulesStatus: Sendable, Hashable {
  package let file: String
  /// The SHA-256 of the text in force; `nil` if there is none.
  package let digest: String?
  package let loadedAt: Timestamp?
  package let confirmedBy: Presentation.Responder?
  /// The changed file awaiting confirmation by a person; `nil` if there is none.
  package let pending: Pending?
  /// Why the file is invalid or unreadable.
  package let problem: String?
  package let rules: [RuleRecord]

  package struct Pending: Sendable, Hashable {
    package let digest: String
    package let since: Timestamp

    package init(digest: String, since: Timestamp) { (self.digest, self.since) = (digest, since) }
  }

  package init(
    file: String, digest: String?, loadedAt: Timestamp?, confirmedBy: Presentation.Responder?, pending: Pending?,
    problem: String?, rules: [RuleRecord]
  ) {
    (self.file, self.digest, self.loadedAt, self.confirmedBy) = (file, digest, loadedAt, confirmedBy)
    (self.pending, self.problem, self.rules) = (pending, problem, rules)
  }
}

extension RulesStatus: Record {
  package static var schemaName: String { "Rules" }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    file = try f("file", \.file)
    digest = try f(
      orNull: "sha256", \.digest, "Of the text in force; null if there are no rules.", .schema("RulesDigest"))
    loadedAt = try f(orNull: "loadedAt", \.loadedAt)
    confirmedBy = try f(orNull: "confirmedBy", \.confirmedBy)
    pending = try f(orNull: "pending", \.pending, "The changed file that waits for a person.")
    problem = try f(orNull: "problem", \.problem, "Why the file cannot be used.")
    rules = try f("rules", \.rules)
  }
}

extension RulesStatus.Pending: Record {
  package static var schemaName: String { "PendingRules" }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    digest = try f("sha256", \.digest, "", .schema("RulesDigest"))
    since = try f("since", \.since)
  }
}

/// The response of `POST /v1/rules/decision`.
package struct RuleDecision: Sendable, Hashable {
  package let rule: String?
  package let effect: RuleSet.Decision.Effect

  package init(_ decision: RuleSet.Decision?) {
    (rule, effect) = (decision?.rule?.id, decision?.effect ?? .ask)
  }
}

extension RuleDecision: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    rule = try f(orNull: "rule", \.rule, "The first rule that fits; null if none does.")
    effect = try f("then", \.effect)
  }
}
