/// The permission mode of a session, by Claude Code's name.
enum PermissionMode: String, Sendable, Hashable, CaseIterable {
  case `default`, acceptEdits, plan, auto, dontAsk, bypassPermissions

  static let byClaudesNames = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
}

extension HookEvent {
  /// The party that decides an event's tool call.
  enum Decider: Sendable, Hashable {
    /// A person, unless a rule or a remembered answer decides.
    case person
    /// A rule that denies. The host decides all other calls.
    case denyingRule
    case host
  }

  /// Returns the party that decides, by the session's permission mode. An unknown mode asks a person.
  ///
  /// - Parameter asksInAutoMode: Whether PreToolUse asks in auto mode, before the host's classifier decides.
  func decider(asksInAutoMode: Bool) -> Decider {
    if !name.asks || isReading { return .host }
    if name == .elicitation, ElicitationForm(call) == nil { return .host }
    if call.isForPerson { return .person }
    switch mode {
    // The person has turned off questions. PermissionRequest may still be sent, for calls that the host would deny.
    case .dontAsk, .bypassPermissions: return name == .preToolUse ? .denyingRule : .host
    case .auto where name == .preToolUse && !asksInAutoMode: return .denyingRule
    case .auto, .default, .acceptEdits, .plan, nil: return .person
    }
  }
}
