import Router

extension AgentHost {
  /// Gemini CLI, by docs/hooks/reference.md and packages/core/src of google-gemini/gemini-cli at 5411f113. An allowed call still
  /// passes its own policy.
  static let gemini = AgentHost(
    id: "gemini", name: "Gemini CLI", app: "gemini-cli",
    sends: { event in
      event.has("hook_event_name", "session_id", "timestamp", "transcript_path") && !event.has("permission_mode")
        && !event.has("stop_reason")
    },
    events: [
      "BeforeTool": .preToolUse, "AfterTool": .postToolUse, "AfterAgent": .stop, "SessionStart": .sessionStart,
      "SessionEnd": .sessionEnd,
    ],
    members: HookMembers(failure: ["tool_response.error"]),
    tools: [
      "run_shell_command": "Bash", "write_file": "Write", "replace": HostTool("Edit", ["allow_multiple": "replace_all"]),
    ],
    readingTools: [
      "read_file", "read_many_files", "list_directory", "glob", "grep_search", "search_file_content", "write_todos", "ask_user",
    ],
    output: { answer, _, _ in
      let (word, reason, _) = answer.words
      return .present([
        ("decision", .string(word)), ("reason", .string(reason)), ("systemMessage", word == "ask" ? .string(reason) : nil),
      ])
    },
    clock: HookClock(standard: .seconds(60), lateness: .decides, failure: .decides, unitsPerSecond: 1000),
    settings: HostSettings(
      folder: ".gemini", file: "settings.json", events: ["BeforeTool", "AfterTool", "AfterAgent", "SessionStart", "SessionEnd"])
  )

  /// Qwen Code, by docs/users/features/hooks.md of QwenLM/qwen-code at 00d06c80. Its events look like Claude Code's, so the hook
  /// knows them by its installation.
  static let qwen = AgentHost(
    id: "qwen", name: "Qwen Code", app: "qwen-code",
    sends: { $0.has("hook_event_name", "session_id", "timestamp") },
    tools: ["run_shell_command": "Bash", "write_file": "Write", "edit": "Edit"],
    readingTools: ["read_file", "read_many_files", "list_directory", "glob", "grep_search", "todo_write", "ask_user_question"],
    modes: ["default": .default, "plan": .plan, "auto_edit": .acceptEdits, "yolo": .bypassPermissions],
    output: claudesOutput,
    clock: HookClock(standard: .seconds(60), lateness: .decides, failure: .decides, unitsPerSecond: 1000),
    settings: HostSettings(
      folder: ".qwen", file: "settings.json",
      events: [
        "PermissionRequest", "PostToolUse", "PostToolUseFailure", "PermissionDenied", "Stop", "SessionStart", "SessionEnd",
      ],
      always: "PreToolUse"))
}
