import Router

extension AgentHost {
  /// Cline, by docs/features/hooks/hook-reference.mdx of cline/cline at 2048a075. An allowed call still passes its own approval.
  static let cline = AgentHost(
    id: "cline", name: "Cline", app: "cline",
    sends: { $0.has("hookName", "taskId") },
    nameMember: "hookName",
    events: [
      "PreToolUse": .preToolUse, "PostToolUse": .postToolUse, "TaskCancel": .sessionEnd, "TaskComplete": .sessionEnd,
    ],
    members: HookMembers(
      session: ["taskId"], directory: ["workspaceRoots.0"], tool: ["preToolUse.toolName", "postToolUse.toolName"],
      input: ["preToolUse.parameters", "postToolUse.parameters"], exitCode: []),
    tools: ["execute_command": "Bash", "write_to_file": HostTool("Write", ["path": "file_path"])],
    readingTools: [
      "read_file", "list_files", "search_files", "list_code_definition_names", "ask_followup_question", "plan_mode_respond",
      "attempt_completion",
    ],
    asksForHooks: false,
    output: { answer, _, _ in
      if case .deny(let why) = answer { return ["cancel": true, "errorMessage": .string(why)] }
      return ["cancel": false]
    },
    // Its page does not say what it does when a hook is late or fails.
    clock: HookClock(standard: .seconds(30), lateness: .decides, failure: .decides, isAdjustable: false),
    settings: HostSettings(
      folder: "Documents/Cline", file: "Hooks", project: (".clinerules", "hooks"), form: .programs,
      events: ["PreToolUse", "PostToolUse", "TaskCancel", "TaskComplete"]))
}
