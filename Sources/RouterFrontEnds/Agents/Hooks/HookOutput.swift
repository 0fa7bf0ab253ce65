import Router

/// The hook's output for an event that requires a decision.
struct HookOutput: Sendable, Hashable {
  let json: JSONValue

  /// Creates the output for a decision; `nil` to print nothing.
  ///
  /// Without output, the host acts as if there were no hook. For a permission request, the host asks. For a PreToolUse hook,
  /// its own rules may allow the call without asking, so every decision has an output.
  init?(_ decision: ToolDecision, for name: HookEvent.Name, of host: AgentHost) {
    switch name {
    case .preToolUse: self.init(preToolUse: decision, host)
    case .permissionRequest:
      let members: [(String, JSONValue)]
      switch decision {
      case .allow(let input, _, let mode):
        members =
          [("behavior", "allow")] + (input.map { [("updatedInput", $0)] } ?? [])
          + (mode.map { [("updatedPermissions", [Self.change(to: $0)])] } ?? [])
      case .deny(let why): members = [("behavior", "deny"), ("message", .string(why))]
      case .expired, .withdrawn, .unavailable: return nil
      }
      self.init(name, [("decision", .members(members))])
    case .postToolUse, .postToolUseFailure, .permissionDenied, .stop, .interrupt, .sessionEnd: return nil
    }
  }

  private init(preToolUse decision: ToolDecision, _ host: AgentHost) {
    func undecided(_ why: String) -> (JSONValue, String, JSONValue?) {
      host.asksForHooks ? ("ask", why, nil) : ("deny", why + " The user did not refuse.", nil)
    }
    let (word, reason, input): (JSONValue, String, JSONValue?) =
      switch decision {
      case .allow(let updated, let comment, _):
        ("allow", "The user allowed this tool call" + (comment.map { ": \($0)" } ?? "."), updated)
      case .deny(let why): ("deny", why, nil)
      case .expired: undecided("Nobody answered Router's prompt in time.")
      case .withdrawn: undecided("Router's prompt was withdrawn.")
      case .unavailable(let why): undecided("Router could not ask the user: \(why).")
      }
    self.init(
      .preToolUse,
      [("permissionDecision", word), ("permissionDecisionReason", .string(reason))]
        + (input.map { [("updatedInput", $0)] } ?? []))
  }

  private init(_ name: HookEvent.Name, _ members: [(String, JSONValue)]) {
    json = ["hookSpecificOutput": .members([("hookEventName", .string(name.rawValue))] + members)]
  }

  /// Sets the permission mode for the rest of the session.
  private static func change(to mode: PermissionMode) -> JSONValue {
    ["type": "setMode", "mode": .string(mode.rawValue), "destination": "session"]
  }

  /// Pauses the run until the prompt is answered.
  static let deferral = HookOutput(
    .preToolUse,
    [
      ("permissionDecision", "defer"),
      ("permissionDecisionReason", "The user has been asked. Resume the session when they have answered."),
    ])
}
