import Router

/// An event of OpenCode's server about permissions (packages/opencode/src/permission/index.ts and packages/schema/src/permission.ts
/// of anomalyco/opencode).
enum OpenCodeEvent: Sendable, Hashable {
  case asked(OpenCodePermission)
  /// Somebody answered, here or in OpenCode.
  case replied(id: String)

  /// Reads the data of an event; `nil` for all others.
  init?(_ json: JSONValue) {
    guard let type = json["type"]?.string, let properties = json["properties"] else { return nil }
    switch type {
    case "permission.asked", "permission.v2.asked":
      guard let permission = OpenCodePermission(properties) else { return nil }
      self = .asked(permission)
    case "permission.replied", "permission.v2.replied":
      guard let id = properties["requestID"]?.string else { return nil }
      self = .replied(id: id)
    default: return nil
    }
  }
}

/// A question of OpenCode whether a tool may run.
struct OpenCodePermission: Sendable, Hashable {
  let id: String
  let session: String
  /// What is asked for, such as `bash`.
  private let action: String
  private let json: JSONValue
  /// Whether the request has the members of the second version.
  private let isSecond: Bool

  init?(_ json: JSONValue) {
    guard let id = json["id"]?.string, let session = json["sessionID"]?.string,
      let action = json["permission"]?.string ?? json["action"]?.string
    else { return nil }
    (self.id, self.session, self.action, self.json) = (id, session, action, json)
    isSecond = json["permission"] == nil
  }

  /// The path of the message with the tool call; `nil` if the request names none.
  var messagePath: String? {
    guard let message = (json["tool"] ?? json["source"])?["messageID"]?.string else { return nil }
    return "/session/\(session.percentEncoded())/message/\(message.percentEncoded())"
  }

  var sessionPath: String { "/session/\(session.percentEncoded())" }

  var replyPath: String {
    isSecond ? "/api\(sessionPath)/permission/\(id.percentEncoded())/reply" : "/permission/\(id.percentEncoded())/reply"
  }

  /// The body of the reply; `nil` if OpenCode goes on asking by itself.
  static func reply(_ decision: ToolDecision) -> JSONValue? {
    switch decision {
    case .allow: ["reply": "once"]
    case .deny(let why): ["reply": "reject", "message": .string(why)]
    case .expired, .withdrawn, .unavailable: nil
    }
  }

  private static let fileMembers = [
    "filePath": "file_path", "oldString": "old_string", "newString": "new_string", "replaceAll": "replace_all",
  ]
  private static let tools: [String: HostTool] = [
    "bash": "Bash", "write": HostTool("Write", fileMembers), "edit": HostTool("Edit", fileMembers),
  ]

  /// Returns the call with the input from its message; without the message, with what the request shows.
  func call(message: JSONValue?, directory: String?) -> ToolCall {
    let id = (json["tool"] ?? json["source"])?["callID"]?.string
    let part = message?["parts"]?.array?.first { $0["callID"] != nil && $0["callID"]?.string == id }
    var call = ToolCall(tool: "mcp__opencode__\(action)", input: [:], directory: directory, session: session, id: id)
    if let name = part?["tool"]?.string, let input = part?["state"]?["input"], let tool = Self.tools[name] {
      (call.tool, call.input) = (tool.name, tool.input(input))
    } else {
      call.input = .present([
        ("tool", part?["tool"]), ("input", part?["state"]?["input"]), ("patterns", json["patterns"] ?? json["resources"]),
        ("reason", json["reason"]), ("metadata", json["metadata"]),
      ])
    }
    return call
  }
}
