package import OrderedCollections

extension Presentation {
  /// The authority that decided a presentation without a direct answer by a person.
  public enum Authority: Sendable, Hashable {
    /// A remembered answer, with the id of the grant.
    case grant(PresentationID)
    /// A rule of the daemon's file, with its id and the SHA-256 of the file's text in hexadecimal.
    case rule(String, rules: String)
    /// The answer to another presentation, which the person also applied to this one.
    case with(PresentationID)
  }
}

extension Presentation.Authority {
  /// Whether a standing decision applied, so that no person read the prompt.
  package var isStanding: Bool { if case .with = self { false } else { true } }
}

extension Presentation.Authority: LosslessStringConvertible {
  /// Parses `grant:ID`, `rule:ID:SHA256` or `with:ID`, as stored in the log's column `settled_by`.
  public init?(_ description: String) {
    let parts = description.split(at: ":", omittingEmptySubsequences: false).map(String.init)
    switch (parts[0], parts.count) {
    case ("grant", 2):
      guard let id = PresentationID(parts[1]) else { return nil }
      self = .grant(id)
    case ("with", 2):
      guard let id = PresentationID(parts[1]) else { return nil }
      self = .with(id)
    case ("rule", 3): self = .rule(parts[1], rules: parts[2])
    default: return nil
    }
  }

  public var description: String {
    switch self {
    case .grant(let id): "grant:\(id)"
    case .rule(let id, let rules): "rule:\(id):\(rules)"
    case .with(let id): "with:\(id)"
    }
  }
}

extension Presentation.Authority: Record {
  package static var schemaName: String { "Because" }
  package static var about: String {
    "The authority that decided without a direct answer: a remembered answer, a rule of the daemon, or the answer to another presentation, which the person also applied to this one."
  }
  package static var conditions: OrderedDictionary<String, JSONValue> {
    ["oneOf": [["required": ["grant"]], ["required": ["rule", "rules"]], ["required": ["with"]]]]
  }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    let grant = try f("grant", { if case .grant(let id) = $0 { id } else { nil } }, "The id of the grant.")
    let rule = try f("rule", { if case .rule(let id, _) = $0 { id } else { nil } }, "", .schema("RuleID"))
    let rules = try f("rules", { if case .rule(_, let rules) = $0 { rules } else { nil } }, "", .schema("RulesDigest"))
    let with = try f(
      "with", { if case .with(let id) = $0 { id } else { nil } }, "The id of the presentation that was answered.")
    try f.check(
      [grant != nil, rule != nil, with != nil].count { $0 } == 1, "needs one of rule and with, or this", at: "grant")
    try f.check((rule == nil) == (rules == nil), "does not fit rule", at: "rules")
    self =
      if let rule { .rule(rule, rules: rules ?? "") } else if let with { .with(with) } else { .grant(grant ?? .sample) }
  }
}
