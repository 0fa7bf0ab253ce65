/// The permission mode of a session, as hosts name it in every event.
enum PermissionMode: String, Sendable, Hashable {
  case `default`, acceptEdits, plan, auto, dontAsk, bypassPermissions
}

extension HookEvent {
  /// Who decides about the tool call of an event.
  enum Decider: Sendable, Hashable {
    /// A person, unless a rule or a remembered answer does.
    case person
    /// A rule that denies. The host decides about all other calls.
    case denyingRule
    case host
  }

  /// Returns who decides, by the session's permission mode. An unknown mode asks.
  ///
  /// - Parameter asksInAutoMode: Whether PreToolUse asks in auto mode, before the host's classifier decides.
  func decider(asksInAutoMode: Bool) -> Decider {
    if !name.asks { return .host }
    if call.isForPerson { return .person }
    switch mode {
    // The person has chosen that nobody is asked. PermissionRequest may come all the same, to decide what the host would deny.
    case .dontAsk, .bypassPermissions: return name == .preToolUse ? .denyingRule : .host
    case .auto where name == .preToolUse && !asksInAutoMode: return .denyingRule
    case .auto, .default, .acceptEdits, .plan, nil: return .person
    }
  }
}
