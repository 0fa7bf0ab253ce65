import OrderedCollections
import Router
import RouterCommandLine

/// One event that Claude Code or Codex passes to a hook on standard input.
struct HookEvent: Sendable, Hashable {
  enum Name: String, Sendable, CaseIterable {
    /// Before each tool call that matches the hook's matcher.
    case preToolUse = "PreToolUse"
    /// When the host is about to ask the person.
    case permissionRequest = "PermissionRequest"
    case postToolUse = "PostToolUse"
    case postToolUseFailure = "PostToolUseFailure"
    case permissionDenied = "PermissionDenied"
    case stop = "Stop"
    case interrupt = "Interrupt"
    case sessionEnd = "SessionEnd"

    var asks: Bool { self == .preToolUse || self == .permissionRequest }
    /// Whether the event means that a tool call no longer needs an answer.
    var endsCall: Bool { self == .postToolUse || self == .postToolUseFailure || self == .permissionDenied }
  }

  let name: Name
  /// The session's permission mode; `nil` if the host sends none or an unknown one.
  let mode: PermissionMode?
  /// The tool call of the event; empty at the end of a turn or session.
  let call: ToolCall
  /// The result of a completed tool call.
  let result: ActReport.Result?

  /// Whether the JSON is an event in the dialect of Claude Code and Codex. Other hosts run hooks from Claude Code's settings,
  /// but expect answers in unknown dialects.
  static func isInKnownDialect(_ json: JSONValue) -> Bool {
    guard let kind = json["hook_event_name"]?.string else { return false }
    return Name(rawValue: kind)?.asks != true || json["permission_mode"]?.string != nil
  }

  /// Reads an event; `nil` for an unknown kind, which a newer host may send.
  ///
  /// - Throws: ``CommandFailure`` if the JSON is not a hook event.
  init?(_ json: JSONValue) throws(CommandFailure) {
    guard let kind = json["hook_event_name"]?.string else {
      throw CommandFailure(.usage, "cannot read the hook event: \"hook_event_name\" is missing")
    }
    guard let name = Name(rawValue: kind) else { return nil }
    let tool = json["tool_name"]?.string
    if (name.asks || name.endsCall) && tool == nil {
      throw CommandFailure(.usage, "cannot read the hook event \(kind): \"tool_name\" is missing")
    }
    self.name = name
    mode = json["permission_mode"]?.string.flatMap(PermissionMode.init)
    switch name {
    case .postToolUse:
      let status = json["tool_response"]?["exit_code"]?.number?.integer ?? 0
      result = (0...255).contains(status) ? .status(status) : .failed("exit code \(status)")
    case .postToolUseFailure:
      let reason = (json["error"]?.string ?? "").escapedForTerminal(keepsNewlines: true).cut(toBytes: 1024)
      result = .failed(reason.hasVisibleCharacter ? reason : "no reason given")
    default: result = nil
    }
    call = ToolCall(
      tool: tool ?? "", input: json["tool_input"] ?? [:], directory: json["cwd"]?.string, session: json["session_id"]?.string,
      id: json["tool_use_id"]?.string.flatMap { $0.isEmpty ? nil : $0 }, subagent: json["agent_id"]?.string)
  }

  /// Whether this event leaves a prompt without a waiting caller. The host does not notify hooks of answers in its own dialog.
  func orphans(_ presentation: Presentation) -> Bool {
    let labels = presentation.request.metadata
    let own = call.metadata
    typealias Label = ToolCall.Label
    guard let session = own[AgentLabel.session], labels[AgentLabel.session]?.isSame(as: session) == true else { return false }
    switch name {
    case .preToolUse, .permissionRequest: return false
    case .postToolUse, .postToolUseFailure, .permissionDenied:
      // PermissionRequest has no id in Claude Code.
      if let id = own[Label.id], let asked = labels[Label.id] { return id.isSame(as: asked) }
      return labels[Label.call] == own[Label.call]
    // The end of a turn does not affect subagents that are still running.
    case .stop: return labels[Label.deferred] == nil && labels[Label.subagent] == own[Label.subagent]
    case .interrupt, .sessionEnd: return labels[Label.deferred] == nil
    }
  }
}
