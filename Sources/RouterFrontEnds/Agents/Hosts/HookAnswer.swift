import Router

/// The hook's answer to an event that asks, in no host's words.
enum HookAnswer: Sendable, Hashable {
  /// - Parameters:
  ///   - reason: A sentence about the decision.
  ///   - input: The changed input; `nil` if it stays.
  ///   - mode: The new permission mode of the session.
  case allow(reason: String, input: JSONValue? = nil, mode: PermissionMode? = nil)
  case deny(String)
  /// The host must ask the person itself.
  case ask(String)

  /// Creates the answer for a decision; `nil` for no output.
  ///
  /// Without output, the host acts as if there were no hook. For a permission request, the host asks. For a PreToolUse hook,
  /// its own rules may allow the call without asking, so every decision has an output.
  init?(_ decision: ToolDecision, to event: HookEvent.Name, of host: AgentHost) {
    guard event.asks else { return nil }
    // While Router is off, the host acts as without the hook. One that would block the call is told to ask.
    if case .unavailable(_, isOff: true) = decision, !(host.asksForHooks && host.clock.failure == .blocks) { return nil }
    let undecided: String
    switch decision {
    case .allow(let input, let comment, let mode):
      self = .allow(
        reason: "The user allowed this tool call" + (comment.map { ": \($0)" } ?? "."), input: input,
        mode: event == .permissionRequest ? mode : nil)
      return
    case .deny(let why):
      self = .deny(why)
      return
    case .expired: undecided = "Nobody answered Router's prompt in time."
    case .withdrawn: undecided = "Router's prompt was withdrawn."
    case .unavailable(let why, _): undecided = "Router could not ask the user: \(why.asSentence)"
    }
    switch event {
    case .preToolUse where host.asksForHooks: self = .ask(undecided)
    case .elicitation: return nil
    case .permissionRequest where decision != .expired || host.clock.lateness == .asks: return nil
    default: self = .deny(undecided + " The user did not refuse.")
    }
  }
}

extension JSONValue {
  /// Returns an object with the members whose values are present.
  static func present(_ members: [(String, JSONValue?)]) -> JSONValue {
    .members(members.compactMap { name, value in value.map { (name, $0) } })
  }
}
