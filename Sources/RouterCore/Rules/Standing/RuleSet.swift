import OrderedCollections

/// The rules of a file in force. A class, because the state that contains it is copied often.
package final class RuleSet: Sendable, Hashable {
  package static let maximumCount = 1000
  package static let maximumBytes = 262_144
  /// The maximum number of patterns in all rules, which bounds the minimum cost of a request.
  package static let maximumPatterns = 16_384

  /// The path of the file, its text, and the SHA-256 of the text in hexadecimal.
  package let file: String
  package let text: String
  package let digest: String
  /// The host of the user ids in the rules; empty for this machine.
  package let host: String
  package let rules: [Rule]
  private let compiled: CompiledRules

  package init(file: String, text: String, host: String = "", rules: [Rule]) {
    (self.file, self.text, self.host, self.rules) = (file, text, host, rules)
    digest = Cryptography.sha256(Array(text.utf8)).hexadecimal
    compiled = CompiledRules(rules)
  }

  private init(_ other: RuleSet, on host: String) {
    (file, text, rules, digest, compiled) = (other.file, other.text, other.rules, other.digest, other.compiled)
    self.host = host
  }

  /// Returns a copy for a shared surface, with the user ids of a host.
  package func on(_ host: String) -> RuleSet { RuleSet(self, on: host) }

  package static func == (left: RuleSet, right: RuleSet) -> Bool {
    left === right || (left.file, left.text, left.host) == (right.file, right.text, right.host) && left.rules == right.rules
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(digest) }

  /// Returns the decision on a request.
  ///
  /// - Parameter commands: The commands that a rule may allow with varying arguments.
  package func decision(
    on request: PresentationRequest, by requester: Presentation.Requester, at time: DayTime? = nil,
    _ commands: CommandTable = .standard
  ) -> Decision {
    var steps = 0
    return decision(on: request, by: requester, at: time, commands, counting: &steps)
  }

  /// Returns the decision on a request.
  ///
  /// - Parameter steps: Receives the number of steps taken.
  package func decision(
    on request: PresentationRequest, by requester: Presentation.Requester, at time: DayTime? = nil,
    _ commands: CommandTable = .standard, counting steps: inout Int
  ) -> Decision {
    var match = RuleMatch(compiled, RuleFacts(request, by: requester, at: time, home: host), commands)
    let first = match.first()
    steps += match.steps
    guard let rule = first else { return Decision(rule: nil, outcome: nil) }
    switch rule.action {
    case .ask(let changes):
      guard changes.require != nil, !request.mayRequire else { return Decision(rule: rule, outcome: nil) }
      return Decision(rule: rule, outcome: .cancelled(.refused))
    case .allow:
      return Decision(rule: rule, outcome: rule.allowedButton(of: request, commands).map { .answered(.button($0)) })
    case .deny:
      let cancel = request.buttons.first { $0.role == .cancel }
      return Decision(rule: rule, outcome: cancel.map { .answered(.button($0.id)) } ?? .cancelled(.refused))
    }
  }

  /// The decision of the rules on a request.
  package struct Decision: Sendable, Hashable {
    /// The first matching rule; `nil` if there is none.
    package let rule: Rule?
    /// The outcome without a person; `nil` if a person is asked.
    package let outcome: PresentationOutcome?

    package init(rule: Rule?, outcome: PresentationOutcome?) { (self.rule, self.outcome) = (rule, outcome) }

    /// The effect on the request, unless a remembered answer applies.
    package enum Effect: String, Sendable, JSONName { case allow, deny, ask }

    package var effect: Effect {
      guard outcome != nil, let rule else { return .ask }
      return if case .allow = rule.action { .allow } else { .deny }
    }
  }
}

extension PresentationRequest {
  /// Whether a request may need several approvers. Excludes forms, secrets and stacked prompts.
  fileprivate var mayRequire: Bool {
    var request = self
    request.remember = nil
    return (try? Requirement().check(with: request, at: "")) != nil
  }
}

extension RuleSet: JSONObject, JSONPart {
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("file", file)
    writer.add("sha256", digest)
    writer.add("text", text)
    if !host.isEmpty { writer.add("host", host) }
    writer.add("rules", rules)
  }

  package convenience init(json: JSONValue, at pointer: String) throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    try self.init(&reader)
  }

  convenience init(_ reader: inout JSONObjectReader) throws(JSONError) {
    self.init(
      file: try reader.required("file"), text: try reader.required("text"), host: try reader.string("host") ?? "",
      rules: try reader.objects("rules", Rule.init(recorded:at:)))
    guard try reader.required("sha256") == digest else { throw reader.error("is not that of the text", at: "sha256") }
  }
}

extension Rule {
  /// Whether this rule makes a later one unreachable. May return false for an unreachable rule.
  package func hides(_ other: Rule) -> Bool {
    // A rule that allows is skipped if some facts are unreadable.
    if case .allow = action { guard case .allow = other.action else { return false } }
    return condition.covers(other.condition)
  }
}

extension RuleCondition {
  fileprivate func covers(_ other: RuleCondition) -> Bool {
    func isPart<Value: Hashable>(_ values: [Value]?, of all: [Value]?) -> Bool {
      guard let all else { return true }
      return values.map { Set($0).isSubset(of: all) } ?? false
    }
    func covers(_ patterns: [TextPattern], _ others: [TextPattern]?) -> Bool {
      others?.allSatisfy { other in
        patterns.contains(other) || other.literal.map { patterns.match($0) == .yes } ?? false
      } ?? false
    }
    return isPart(other.times, of: times) && isPart(other.weekdays, of: weekdays) && isPart(other.users, of: users)
      && isPart(other.groups, of: groups) && isPart(other.under, of: under)
      && (arguments == nil || arguments == other.arguments) && texts.allSatisfy { covers($1, other.texts[$0]) }
      && metadata.allSatisfy { covers($1, other.metadata[exactly: $0]) }
      && environment.allSatisfy { covers($1, other.environment[exactly: $0]) }
  }
}
