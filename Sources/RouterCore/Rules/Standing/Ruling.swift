/// The rule that sent a request to a person, with its changes. Recorded with the request, which stays as sent. A class, because
/// events and presentations are copied often.
package final class Ruling: Sendable, Hashable {
  package let rule: String
  /// The SHA-256 of the rules' text.
  package let rules: String
  package let changes: Rule.Changes

  package init(rule: String, rules: String, changes: Rule.Changes) {
    (self.rule, self.rules, self.changes) = (rule, rules, changes)
  }

  package static func == (left: Ruling, right: Ruling) -> Bool {
    left === right || (left.rule, left.rules, left.changes) == (right.rule, right.rules, right.changes)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(rule) }

  /// The rule and its changes: `rm: destructive, not remembered`.
  package var words: String {
    let parts = [
      changes.isDestructive ? "destructive" : nil, changes.mayRemember ? nil : "not remembered",
      changes.priority.map { "priority \($0.rawValue) at most" }, changes.require.map { "\($0.answers) people" },
    ].compactMap(\.self)
    return parts.isEmpty ? rule : "\(rule): \(parts.joined(separator: ", "))"
  }

  /// Applies the changes.
  package func apply(to request: inout PresentationRequest) {
    // The answer to a critical request is never remembered.
    if !changes.mayRemember || request.priority == .critical { request.remember = nil }
    if let priority = changes.priority, priority.lane > request.priority.lane {
      request.options.priority = priority
    }
    if let requirement = changes.require {
      request.remember = nil
      request.require = request.require?.raised(by: requirement) ?? requirement
      if let button = request.require?.button, !request.buttons.contains(where: { $0.id == button && $0.role != .cancel }) {
        request.require?.button = nil
      }
      request.options.timeout = request.options.timeout ?? PresentationRequest.Requirement.defaultTimeout
    }
    guard changes.isDestructive else { return }
    for index in request.buttons.indices where request.buttons[index].role == nil {
      request.buttons[index].role = .destructive
      request.buttons[index].isDefault = false
    }
  }
}

extension Ruling: Record {
  package static var schemaName: String { "Ruled" }
  package static var about: String {
    "The rule that sent the request to a person, and its changes to the request."
  }
  package static var ignoresUnknown: Bool { true }

  package convenience init(_ f: inout Fields<Ruling>) throws(JSONError) {
    self.init(
      rule: try f("rule", \.rule, "", .schema("RuleID")), rules: try f("rules", \.rules, "", .schema("RulesDigest")),
      changes: Rule.Changes(
        priority: try f("priority", \.changes.priority, "The maximum priority."),
        isDestructive: try f(
          "destructive", default: false, \.changes.isDestructive, "Whether its buttons without a role are destructive."),
        mayRemember: try f("remember", default: true, \.changes.mayRemember, "false if the answer cannot be remembered."),
        require: try f("require", \.changes.require)))
  }
}

extension PresentationAsk {
  /// Returns a copy with the changes of a rule.
  func ruled(_ ruling: Ruling) -> PresentationAsk {
    var copy = self
    copy.ruling = ruling
    copy.valid = valid.ruled(ruling)
    return copy
  }
}
