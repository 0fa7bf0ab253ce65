import Router

extension AgentHost {
  /// GitHub Copilot CLI, by content/copilot/reference/hooks-reference.md of github/docs at 05da5bc3.
  ///
  /// An event that is configured with a name such as `permissionRequest` has no name itself, and members such as `toolName`. One
  /// with a name such as `PermissionRequest` has Claude Code's members and tools.
  static let copilot = AgentHost(
    id: "copilot", name: "Copilot CLI", app: "copilot-cli",
    sends: { event in
      event.has("session_id", "hook_event_name", "timestamp")
        ? !event.has("permission_mode") && !event.has("transcript_path") || event.has("stop_reason")
        : event.has("sessionId", "timestamp") && !event.has("hookEventName")
    },
    unnamed: { event in
      if event.has("toolName", "toolResult") { return .postToolUse }
      if event.has("toolName", "error") { return .postToolUseFailure }
      if event.has("toolName") { return .preToolUse }
      if event.has("source") { return .sessionStart }
      return event.has("stopReason") ? .stop : event.has("reason") ? .sessionEnd : nil
    },
    members: HookMembers(
      session: ["session_id", "sessionId"], tool: ["tool_name", "toolName"], input: ["tool_input", "toolArgs"]),
    tools: [
      "bash": "Bash", "Bash": "Bash",
      "create": HostTool("Write", file), "Write": HostTool("Write", file), "edit": HostTool("Edit", file),
      "Edit": HostTool("Edit", file),
    ],
    readingTools: [
      "view", "Read", "grep", "rg", "Grep", "glob", "Glob", "ask_user", "AskUserQuestion", "update_todo", "TodoWrite",
    ],
    // PermissionRequest takes "behavior", PreToolUse "permissionDecision"; an event without a name may be either.
    output: { answer, _, _ in
      let (word, reason, _) = answer.words
      let behavior: JSONValue? = word == "ask" ? nil : .string(word)
      return .present([
        ("behavior", behavior), ("message", word == "deny" ? .string(reason) : nil), ("permissionDecision", .string(word)),
        ("permissionDecisionReason", .string(reason)),
      ])
    },
    clock: HookClock(standard: .seconds(30), lateness: .decides, failure: .decides),
    settings: HostSettings(
      variable: "COPILOT_HOME", folder: ".copilot", file: "hooks/router.json", project: (".github", "hooks/router.json"),
      form: .handlers, timeout: "timeoutSec",
      events: ["PermissionRequest", "PostToolUse", "PostToolUseFailure", "Stop", "SessionStart", "SessionEnd"]))

  private static let file = ["path": "file_path", "file_text": "content", "old_str": "old_string", "new_str": "new_string"]

  /// Agents in Visual Studio Code, by docs/agent-customization/hooks.md of microsoft/vscode-docs at 00a75e33. It also runs the
  /// hooks in Claude Code's settings, and ignores their matchers.
  static let visualStudioCode = AgentHost(
    id: "vscode", name: "Visual Studio Code", app: "vscode",
    sends: { $0.has("hookEventName", "sessionId") },
    nameMember: "hookEventName",
    members: HookMembers(session: ["sessionId"]),
    tools: [
      "run_in_terminal": HostTool("Bash", ["explanation": "description"]),
      "create_file": HostTool("Write", camelCase), "replace_string_in_file": HostTool("Edit", camelCase),
    ],
    readingTools: [
      "read_file", "list_dir", "file_search", "grep_search", "semantic_search", "get_errors", "get_changed_files",
      "list_code_usages", "manage_todo_list",
    ],
    output: claudesOutput,
    clock: HookClock(standard: .seconds(30), lateness: .decides, failure: .decides),
    settings: HostSettings(
      folder: ".copilot", file: "hooks/router-vscode.json", project: (".github", "hooks/router-vscode.json"), form: .handlers,
      events: ["PreToolUse", "PostToolUse", "Stop", "SessionStart"]))

  private static let camelCase = ["filePath": "file_path", "oldString": "old_string", "newString": "new_string"]
}
