import OrderedCollections
import Router
import RouterCommandLine

/// One event that an agent passes to a hook on standard input.
struct HookEvent: Sendable, Hashable {
  /// The kinds of events, by Claude Code's names.
  enum Name: String, Sendable, CaseIterable {
    /// Before each tool call that matches the hook's matcher.
    case preToolUse = "PreToolUse"
    /// When the host is about to ask the person.
    case permissionRequest = "PermissionRequest"
    /// When an MCP server asks the person for values.
    case elicitation = "Elicitation"
    case postToolUse = "PostToolUse"
    case postToolUseFailure = "PostToolUseFailure"
    case permissionDenied = "PermissionDenied"
    case stop = "Stop"
    case interrupt = "Interrupt"
    case sessionStart = "SessionStart"
    case sessionEnd = "SessionEnd"

    static let byClaudesNames = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    var asks: Bool { self == .preToolUse || self == .permissionRequest || self == .elicitation }
    /// Whether the event means that a tool call no longer needs an answer.
    var endsCall: Bool { self == .postToolUse || self == .postToolUseFailure || self == .permissionDenied }
  }

  let name: Name
  /// The host's name of the event, which its output repeats.
  let hostsName: String
  /// The session's permission mode; `nil` if the host sends none or an unknown one.
  let mode: PermissionMode?
  /// The tool call of the event, in Claude Code's names; empty at the end of a turn or session.
  let call: ToolCall
  /// Whether the host decides the call, because the tool only reads.
  let isReading: Bool
  /// The result of a completed tool call; `nil` if the host does not tell.
  let result: ActReport.Result?

  /// Reads an event; `nil` for an unknown kind, which a newer host may send.
  ///
  /// - Throws: ``CommandFailure`` if the JSON is not a hook event.
  init?(_ json: JSONValue, of host: AgentHost) throws(CommandFailure) {
    let hostsName = json[host.nameMember]?.string
    guard let name = hostsName.map({ host.events[$0] }) ?? host.unnamed(json) else {
      if hostsName != nil { return nil }
      throw CommandFailure(.usage, "cannot read the hook event: \"\(host.nameMember)\" is missing")
    }
    self.name = name
    self.hostsName = hostsName ?? name.rawValue
    let members = host.members
    let tool =
      json.first(at: members.tool)?.string
      ?? (name == .elicitation ? ElicitationForm.tool : host.tools?[""].map { _ in "" })
    if (name.asks || name.endsCall) && tool == nil {
      throw CommandFailure(.usage, "cannot read the hook event \(self.hostsName): \"\(members.tool[0])\" is missing")
    }
    mode = json.first(at: members.mode)?.string.flatMap { host.modes[$0] }
    isReading = tool.map { host.readingTools.contains($0) } ?? false
    result = Self.result(json, name, members)
    let (ownTool, input) = name == .elicitation ? (ElicitationForm.tool, json) : Self.call(tool ?? "", json, host)
    call = ToolCall(
      tool: ownTool, input: input, directory: json.first(at: members.directory)?.string,
      session: json.first(at: members.session)?.string,
      id: json.first(at: members.call)?.string.flatMap { $0.isEmpty ? nil : $0 },
      subagent: json.first(at: members.subagent)?.string)
  }

  private static func result(_ json: JSONValue, _ name: Name, _ members: HookMembers) -> ActReport.Result? {
    guard name == .postToolUse || name == .postToolUseFailure, !members.exitCode.isEmpty else { return nil }
    let failure = json.first(at: members.failure)
    if name == .postToolUseFailure || (failure ?? .null) != .null {
      let reason = (failure?.string ?? "").escapedForTerminal(keepsNewlines: true).cut(toBytes: 1024)
      return .failed(reason.hasVisibleCharacter ? reason : "no reason given")
    }
    let status = json.first(at: members.exitCode)?.number?.integer ?? 0
    return (0...255).contains(status) ? .status(status) : .failed("exit code \(status)")
  }

  /// Returns the tool and its input in Claude Code's names.
  ///
  /// A tool that is none of Claude Code's becomes a tool of an MCP server with the host's name, so that its input is shown as
  /// lines and not taken for a command or a change of a file.
  private static func call(_ tool: String, _ json: JSONValue, _ host: AgentHost) -> (tool: String, input: JSONValue) {
    var input = json.first(at: host.members.input) ?? json["command"].map { ["command": $0] } ?? [:]
    guard let tools = host.tools else { return (tool, input) }
    // Some hosts pass the model's text.
    if let text = input.string, let parsed = try? JSONValue(parsing: text, maximumDepth: MCPServer.maximumDepth) {
      input = parsed
    }
    if let known = tools[tool] { return (known.name, known.input(input)) }
    let named = tool.isEmpty ? "" : "mcp__\(host.id)__\(tool)"
    guard let server = json.first(at: host.members.server) else { return (tool.begins(with: "mcp__") ? tool : named, input) }
    // The server chose the tool's name, which could be like that of another server's tool.
    let members = input.object.flatMap { $0["server"] == nil ? $0.map { ($0.key, $0.value) } : nil }
    return (named, .members([("server", server)] + (members ?? [("arguments", input)])))
  }

  /// Whether this event leaves a prompt without a waiting caller. The host does not notify hooks of answers in its own dialog.
  func orphans(_ presentation: Presentation) -> Bool {
    let labels = presentation.request.metadata
    let own = call.metadata
    typealias Label = ToolCall.Label
    guard let session = own[AgentLabel.session], labels[AgentLabel.session]?.isSame(as: session) == true else { return false }
    switch name {
    case .preToolUse, .permissionRequest, .elicitation, .sessionStart: return false
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
