import OrderedCollections
import Router

/// A tool call that an agent wants to make.
struct ToolCall: Sendable, Hashable {
  var tool: String
  var input: JSONValue
  /// The working directory.
  var directory: String?
  /// The agent's session id; `nil` from an MCP server, which does not receive it.
  var session: String?
  /// The id of the tool call, if the host assigns one.
  var id: String?
  /// The subagent making the call; `nil` for the main agent.
  var subagent: String?

  /// The agent's description of a command, which does not affect what runs. For other tools, `description` is an argument.
  var agentsWords: String? {
    input["command"] == nil || tool.begins(with: "mcp__") ? nil : input["description"]?.string
  }

  /// Whether the call is Codex's patch tool, with the patch as its command.
  var isPatch: Bool { tool == "apply_patch" && input["command"]?.string != nil }

  /// A digest of the tool and its input, without the agent's description.
  var digest: String {
    var members = input.object ?? [:]
    if agentsWords != nil { members["description"] = nil }
    return JSONValue.array([.string(tool), input.object == nil ? input : .object(members)]).digest
  }
}

extension ToolCall {
  /// The keys of a request's metadata.
  enum Label {
    static let call = "agent.call"
    static let id = "agent.tool-use-id"
    static let tool = "agent.tool"
    static let subagent = "agent.subagent"
    /// Marks a request that outlives the agent's process.
    static let deferred = "agent.deferred"
    /// The process id of the waiting hook in its own PID namespace.
    static let hook = "agent.hook"
  }

  var metadata: OrderedDictionary<String, String> {
    var labels: OrderedDictionary<String, String> = [Label.tool: tool.exactTitle, Label.call: digest]
    labels[AgentLabel.session] = session?.exactTitle
    labels[AgentLabel.directory] = directory?.exact.scalars(fitting: 4096)
    labels[Label.id] = id?.exactTitle
    labels[Label.subagent] = subagent?.exactTitle
    return labels
  }
}
