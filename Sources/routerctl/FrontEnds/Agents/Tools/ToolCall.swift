import OrderedCollections
import Router

/// A tool call that an agent wants to make.
struct ToolCall: Sendable, Hashable {
  var tool: String
  var input: JSONValue
  /// The working directory.
  var directory: String?
  /// The agent's session; an MCP server is not told.
  var session: String?
  /// The id of the tool call, where the host gives it one.
  var id: String?
  /// The subagent that makes the call; `nil` for the main one.
  var subagent: String?

  /// A command comes with the agent's own words about it, which play no part in what runs. In other tools' input, a
  /// `description` is an argument like any other.
  var agentsWords: String? {
    input["command"] == nil || tool.hasPrefix("mcp__") ? nil : input["description"]?.string
  }

  /// Identifies the tool and what it would do, without the agent's words about it.
  var digest: String {
    var members = input.object ?? [:]
    if agentsWords != nil { members["description"] = nil }
    return JSONValue.array([.string(tool), input.object == nil ? input : .object(members)]).digest
  }
}

extension ToolCall {
  /// The names under which a request's metadata says what it is about.
  enum Label {
    static let session = "agent.session"
    static let call = "agent.call"
    static let id = "agent.tool-use-id"
    static let tool = "agent.tool"
    static let subagent = "agent.subagent"
    /// The request outlives the agent's process.
    static let deferred = "agent.deferred"
  }

  var metadata: OrderedDictionary<String, String> {
    var labels: OrderedDictionary<String, String> = [Label.tool: tool.exactTitle, Label.call: digest]
    labels[Label.session] = session?.exactTitle
    labels[Label.id] = id?.exactTitle
    labels[Label.subagent] = subagent?.exactTitle
    return labels
  }
}
