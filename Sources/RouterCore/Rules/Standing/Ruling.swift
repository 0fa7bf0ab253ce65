/// The rule that a person is asked under, and what it changes in the request. Recorded with the request, which stays as it was sent.
/// A class, because events and presentations are copied often.
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

  /// The rule and what it changes: `rm: destructive, not remembered`.
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
      (request.remember, request.suppressionToggle) = (nil, nil)
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

extension Ruling: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("rule", rule)
    writer.add("rules", rules)
    writer.add("priority", ifPresent: changes.priority?.rawValue)
    if changes.isDestructive { writer.add("destructive", true) }
    if !changes.mayRemember { writer.add("remember", false) }
    writer.add("require", ifPresent: changes.require)
  }

  /// Ignores unknown members of newer versions.
  package convenience init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    self.init(
      rule: try reader.requiredString("rule"), rules: try reader.requiredString("rules"),
      changes: Rule.Changes(
        priority: try reader.choice("priority"), isDestructive: try reader.bool("destructive") ?? false,
        mayRemember: try reader.bool("remember") ?? true,
        require: try reader.object("require", PresentationRequest.Requirement.init)))
  }
}

extension PresentationAsk {
  /// A copy under a rule that changes the request.
  func ruled(_ ruling: Ruling) -> PresentationAsk {
    var copy = self
    copy.ruling = ruling
    copy.valid = valid.ruled(ruling)
    return copy
  }
}
