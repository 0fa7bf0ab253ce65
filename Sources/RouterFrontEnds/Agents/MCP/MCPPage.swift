import Router

/// Asks an MCP client to open a page, by an elicitation in the mode `url` (MCP 2025-11-25, client/elicitation).
struct MCPPage: Sendable {
  /// Sends a request to the client. Returns its result; `nil` if it responds with an error or disconnects.
  let request: @Sendable (_ method: String, JSONValue) async -> JSONValue?
  let notify: @Sendable (_ method: String, JSONValue) -> Void

  /// Asks the client to open the address. Returns whether the person refused.
  func isRefused(_ address: String, _ message: String, id: String) async -> Bool {
    let result = await request(
      "elicitation/create",
      ["mode": "url", "elicitationId": .string(id), "url": .string(address), "message": .string(message)])
    guard let action = result?["action"]?.string else { return false }
    return action != "accept"
  }

  func complete(id: String) { notify("notifications/elicitation/complete", ["elicitationId": .string(id)]) }
}
