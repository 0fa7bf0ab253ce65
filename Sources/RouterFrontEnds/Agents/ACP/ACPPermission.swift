import OrderedCollections
import Router
import RouterCommandLine

/// A request `session/request_permission` of an agent that speaks the Agent Client Protocol (version 1,
/// https://agentclientprotocol.com/protocol/tool-calls).
struct ACPPermission: Sendable, Hashable {
  /// The JSON-RPC id, which the response repeats.
  let id: JSONValue
  let call: ToolCall
  /// The option that allows the call once.
  let allow: String
  /// The option that refuses the call once; `nil` if there is none.
  let reject: String?

  /// Reads a message; `nil` if it is not a request for permission, or if its options are not to allow and to refuse once: such a
  /// question stays with the client.
  ///
  /// - Parameters:
  ///   - app: The agent's app name.
  ///   - directory: The directory of a session.
  init?(_ message: JSONValue, app: String, directory: (String) -> String?) {
    guard message["method"] == "session/request_permission", let id = message["id"], let parameters = message["params"],
      let session = parameters["sessionId"]?.string, let call = parameters["toolCall"], call.object != nil
    else { return nil }
    func options(_ kind: String) -> [String] {
      (parameters["options"]?.array ?? []).filter { $0["kind"]?.string == kind }.compactMap { $0["optionId"]?.string }
    }
    let (allow, reject) = (options("allow_once"), options("reject_once"))
    guard allow.count == 1, reject.count <= 1 else { return nil }
    self.id = id
    (self.allow, self.reject) = (allow[0], reject.first)
    let (tool, input) = Self.tool(call, app)
    self.call = ToolCall(
      tool: tool, input: input, directory: directory(session), session: session, id: call["toolCallId"]?.string)
  }

  /// Returns the tool and its input in Claude Code's names, if it is a command or the change of one file.
  private static func tool(_ call: JSONValue, _ app: String) -> (String, JSONValue) {
    let raw = call["rawInput"]
    let kind = call["kind"]?.string
    if kind == "execute", var members = raw?.object, let command = members["command"] {
      // Some agents have the words of a command.
      let words = command.array?.compactMap(\.string)
      members["command"] = words.map { .string($0.map(\.shellQuoted).joined(separator: " ")) } ?? command
      return ("Bash", .object(members))
    }
    let changes = (call["content"]?.array ?? []).filter { $0["type"] == "diff" }
    if changes.count == 1, let path = changes[0]["path"], let new = changes[0]["newText"] {
      let old = changes[0]["oldText"] ?? .null
      return old == .null
        ? ("Write", ["file_path": path, "content": new]) : ("Edit", ["file_path": path, "old_string": old, "new_string": new])
    }
    let shown: JSONValue = .present([
      ("title", call["title"]), ("input", raw), ("content", call["content"]), ("locations", call["locations"]),
    ])
    return ("mcp__\(app)__\(kind ?? "tool")", shown)
  }

  /// The response for a decision; `nil` if the client must be asked.
  func response(_ decision: ToolDecision) -> JSONValue? {
    switch decision {
    case .allow: response(selecting: allow)
    case .deny: response(selecting: reject)
    case .expired, .withdrawn, .unavailable: nil
    }
  }

  /// The response that selects an option, or `cancelled` without one.
  func response(selecting option: String?) -> JSONValue {
    let outcome: JSONValue = option.map { ["outcome": "selected", "optionId": .string($0)] } ?? ["outcome": "cancelled"]
    return ["jsonrpc": "2.0", "id": id, "result": ["outcome": outcome]]
  }
}
