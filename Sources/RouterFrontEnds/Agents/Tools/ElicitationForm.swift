import OrderedCollections
import Router

/// A form for the elicitation of an MCP server, in the mode `form` (MCP 2025-11-25, client/elicitation).
struct ElicitationForm: ToolQuestion {
  /// The name of the call, which has no tool: Claude Code's name of the event.
  static let tool = "Elicitation"

  private let title: String
  private let message: String?
  private let schema: FormSchema

  /// Creates a form; `nil` for another tool or mode, or for a schema with anything but plain fields.
  init?(_ call: ToolCall) {
    guard call.tool == Self.tool, (call.input["mode"]?.string ?? "form") == "form", let json = call.input["requested_schema"],
      let schema = try? FormSchema(json: json), !schema.properties.contains(where: \.asksForSecret)
    else { return nil }
    self.schema = schema
    let server = call.input["mcp_server_name"]?.string?.exact.replacing(each: "\n", with: " ") ?? "an MCP server"
    title = "Answer to \(server)".exactTitle
    message = call.input["message"]?.string?.exact
  }

  func request(metadata: OrderedDictionary<String, String>) -> PresentationRequest {
    PresentationRequest(
      kind: .sheet, title: title, message: message?.hasVisibleCharacter == true ? message : nil, sheet: "agent-elicitation",
      schema: schema, metadata: metadata)
  }

  func decision(_ answer: PresentationAnswer, _ comment: String?) -> ToolDecision {
    guard case .value(let value) = answer else { return .unanswered(comment) }
    return .allow(updatedInput: value)
  }
}

extension FormSchema.Property {
  /// Whether the field asks for a secret, judged by its format or its name and label. A form of an agent must not.
  var asksForSecret: Bool {
    let words = ["password", "passphrase", "passcode", "secret", "apikey", "accesstoken", "privatekey", "credential"]
    let text = (name + " " + label).lowercased().filter { $0.isLetter }
    return isSecret || words.contains { text.contains($0) }
  }
}
