import Router

extension AgentHost {
  /// Cursor, by reference/cursor_hooks.md of pcomans/caruso at 0d41427e, a copy of the vendor's page.
  static let cursor = AgentHost(
    id: "cursor", name: "Cursor", app: "cursor",
    sends: { $0.has("hook_event_name", "conversation_id") },
    events: ["beforeShellExecution": .preToolUse, "beforeMCPExecution": .preToolUse, "stop": .stop, "sessionEnd": .sessionEnd],
    // The server of an MCP tool is an address or a command. A shell command has no tool name.
    members: HookMembers(
      session: ["conversation_id"], directory: ["cwd", "workspace_roots.0"], server: ["url", "command"], exitCode: []),
    tools: ["": "Bash"],
    output: { answer, _, _ in
      let (word, reason, _) = answer.words
      let message: JSONValue? = word == "allow" ? nil : .string(reason)
      return .present([("permission", .string(word)), ("user_message", message), ("agent_message", message)])
    },
    // No source says what it does when a hook is late.
    clock: HookClock(standard: .seconds(60), lateness: .decides, failure: .blocks),
    settings: HostSettings(
      folder: ".cursor", file: "hooks.json", form: .handlers,
      events: ["beforeShellExecution", "beforeMCPExecution", "stop", "sessionEnd"], asking: [("failClosed", true)]))
}
