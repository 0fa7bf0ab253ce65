import Router
import RouterCommandLine

extension AgentHost {
  static let claude = AgentHost(
    id: "claude", name: "Claude Code", app: "claude-code",
    sends: { event in
      // Other events do not always have a mode. Copilot CLI's events with the same names have a timestamp.
      guard let name = event["hook_event_name"]?.string, !event.has("turn_id"), !event.has("conversation_id") else {
        return false
      }
      return event.has("permission_mode") || !hasMode(name) && !event.has("timestamp")
    },
    output: claudesOutput,
    deferral: hookSpecific(
      "PreToolUse",
      [
        ("permissionDecision", "defer"),
        ("permissionDecisionReason", "The user has been asked. Resume the session when they have answered."),
      ]),
    clock: HookClock(standard: .seconds(600), lateness: .asks, failure: .asks),
    settings: HostSettings(
      variable: "CLAUDE_CONFIG_DIR", folder: ".claude", file: "settings.json", otherState: [".claude.json"],
      events: [
        "PermissionRequest", "Elicitation", "PostToolUse", "PostToolUseFailure", "PermissionDenied", "Stop", "SessionStart",
        "SessionEnd",
      ],
      always: "PreToolUse", environment: "CLAUDE_ENV_FILE"),
    check: AgentCheck.permissionTool, finish: { _ in })

  static let codex = AgentHost(
    id: "codex", name: "Codex", app: "codex",
    sends: { event in
      guard let name = event["hook_event_name"]?.string, !event.has("timestamp"), !event.has("conversation_id") else {
        return false
      }
      return event.has("turn_id") || event.has("permission_mode") || !hasMode(name)
    },
    // Codex runs the tool instead of asking.
    asksForHooks: false,
    output: claudesOutput,
    clock: HookClock(standard: .seconds(600), lateness: .asks, failure: .asks),
    settings: HostSettings(
      variable: "CODEX_HOME", folder: ".codex", file: "hooks.json", otherFiles: ["config.toml"],
      events: ["PermissionRequest", "PostToolUse", "Stop", "Interrupt", "SessionStart", "SessionEnd"], always: "PreToolUse"),
    check: AgentCheck.trust, finish: CodexTrust.finish, undo: CodexTrust.undo)

  /// Whether an event always has a permission mode.
  private static func hasMode(_ event: String) -> Bool { ["PreToolUse", "PermissionRequest"].contains(event) }

  /// The output of Claude Code, Codex, Qwen Code and Visual Studio Code.
  static let claudesOutput: Output = { answer, event, hostsName in
    if event == .elicitation {
      guard case .allow(_, let content, _) = answer else { return hookSpecific(hostsName, [("action", "decline")]) }
      return hookSpecific(hostsName, [("action", "accept"), ("content", content)])
    }
    if event == .permissionRequest {
      let decision: [(String, JSONValue?)]
      switch answer {
      case .allow(_, let input, let mode):
        let modes: JSONValue? = mode.map { [["type": "setMode", "mode": .string($0.rawValue), "destination": "session"]] }
        decision = [("behavior", "allow"), ("updatedInput", input), ("updatedPermissions", modes)]
      case .deny(let why), .ask(let why): decision = [("behavior", "deny"), ("message", .string(why))]
      }
      return hookSpecific(hostsName, [("decision", .present(decision))])
    }
    let (word, reason, input) = answer.words
    return hookSpecific(
      hostsName,
      [("permissionDecision", .string(word)), ("permissionDecisionReason", .string(reason)), ("updatedInput", input)])
  }

  private static func hookSpecific(_ event: String, _ members: [(String, JSONValue?)]) -> JSONValue {
    ["hookSpecificOutput": .present([("hookEventName", .string(event))] + members)]
  }
}

extension HookAnswer {
  /// The words that most hosts have for the decision, the reason, and the changed input.
  var words: (decision: String, reason: String, input: JSONValue?) {
    switch self {
    case .allow(let reason, let input, _): ("allow", reason, input)
    case .deny(let why): ("deny", why, nil)
    case .ask(let why): ("ask", why, nil)
    }
  }
}
