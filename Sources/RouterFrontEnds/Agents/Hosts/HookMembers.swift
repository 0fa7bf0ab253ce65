import Router

/// Where an event has its parts: the members' paths, such as `tool_response.exit_code`, of which the first that is present
/// counts.
struct HookMembers: Sendable {
  var session = ["session_id"]
  /// The working directory.
  var directory = ["cwd"]
  var tool = ["tool_name"]
  var input = ["tool_input"]
  var call = ["tool_use_id"]
  var subagent = ["agent_id"]
  var mode = ["permission_mode"]
  /// The server of an MCP tool, where its name does not contain it.
  var server: [String] = []
  /// The exit status of a completed command. Without it, the call succeeded; empty if the host does not tell.
  var exitCode = ["tool_response.exit_code"]
  /// Why a call failed.
  var failure = ["error"]
}

extension JSONValue {
  /// Returns the first value at one of the paths; a number selects an element of an array.
  func first(at paths: [String]) -> JSONValue? {
    for path in paths {
      var value: JSONValue? = self
      for name in path.split(at: ".") {
        value =
          Int(name).map { index in value?.array.flatMap { $0.indices.contains(index) ? $0[index] : nil } }
          ?? value?[String(name)]
      }
      if let value { return value }
    }
    return nil
  }

  func has(_ names: String...) -> Bool { names.allSatisfy { self[$0] != nil } }
}
