import OrderedCollections
import Router
import RouterCommandLine

/// The tools of the MCP server.
struct MCPTools: Sendable {
  enum Tool: String, CaseIterable, Sendable {
    case confirm, choose, form, secret, approve
  }

  /// The result of a tool call: one text block, the only content that Claude Code accepts from a permission tool.
  struct Result: Sendable, Hashable {
    var text: String
    var isError = false

    /// - Parameter comment: The person's comment, on a separate line.
    init(text: String, isError: Bool = false, comment: String? = nil) {
      self.text = text + (comment.map { "\nThe user adds: \($0)" } ?? "")
      self.isError = isError
    }

    var members: [(String, JSONValue)] {
      [("content", [["type": "text", "text": .string(text)]]), ("isError", .bool(isError))]
    }
  }

  /// Invalid arguments, with a description for the model.
  struct Failure: Error {
    let message: String

    init(_ message: String) { self.message = message }
  }

  let frontEnd: FrontEnd
  let timeout: Duration
  let agent: Int32?

  /// - Parameters:
  ///   - app: The client's name, as claimed by the client.
  ///   - page: Opens a page for the person; `nil` if the client cannot.
  func call(_ tool: Tool, _ arguments: JSONValue, app: String?, page: MCPPage? = nil) async -> Result {
    let app = app.flatMap(Self.name) ?? "mcp"
    do throws(Failure) {
      switch tool {
      case .approve: return Result(text: await approve(arguments, app: app).description)
      case .confirm:
        return await ask(try confirmation(arguments), app: app, declined: "no") { $0 == .button("yes") ? "yes" : nil }
      case .choose:
        let options = Self.options(arguments) ?? []
        return await ask(try choice(arguments), app: app, declined: "none of these") { answer in
          guard case .button(let id) = answer, let number = Int(id.dropFirst()) else { return nil }
          return number <= options.count ? options[number - 1] : nil
        }
      case .form:
        return await ask(try form(arguments), app: app, declined: "") { answer in
          if case .value(let value) = answer { value.description } else { nil }
        }
      case .secret: return try await secret(arguments, app: app, page: page)
      }
    } catch {
      return Result(text: error.message, isError: true)
    }
  }

  private func ask(
    _ request: PresentationRequest, app: String, declined: String, text: (PresentationAnswer) -> String?
  ) async -> Result {
    var request = request
    setCaller(&request, app)
    return Self.result(await frontEnd.ask(request), expiry: expiry, declined: declined, text: text)
  }

  func setCaller(_ request: inout PresentationRequest, _ app: String) {
    request.app = app
    request.timeout = timeout
    request.agent = agent
    request.metadata[AgentLabel.directory] = Self.directory.exact
  }

  /// - Parameter declined: The text for the cancel button.
  static func result(
    _ outcome: FrontEndOutcome, expiry: String, declined: String, text: (PresentationAnswer) -> String?
  ) -> Result {
    switch outcome {
    case .answered(let answer, let presentation): return Result(text: text(answer) ?? declined, comment: presentation.comment)
    case .declined(let presentation):
      guard let rule = presentation.refusingRule else { return Result(text: declined, comment: presentation.comment) }
      return Result(
        text: "The rule \(rule) of this machine refuses this question; nobody was asked.", isError: true,
        comment: presentation.comment)
    case .dismissed(let presentation):
      return Result(
        text: "The user closed the question without answering it.", isError: true, comment: presentation.comment)
    case .expired: return Result(text: "\(expiry) This is not a refusal.", isError: true)
    case .withdrawn: return Result(text: "The question was withdrawn.", isError: true)
    case .unavailable(let why, _): return Result(text: "The user could not be asked: \(why.asSentence)", isError: true)
    }
  }

  var expiry: String { "Nobody answered within \(timeout.brief)." }

  // MARK: Permission

  /// Returns the permission decision for Claude Code. Claude Code treats any other reply than allow or deny as a tool failure,
  /// after which the model would continue as if it had not been denied.
  private func approve(_ arguments: JSONValue, app: String) async -> JSONValue {
    guard let tool = arguments["tool_name"]?.string, let input = arguments["input"] else {
      return Self.denial("The permission request lacks tool_name or input.")
    }
    let call = ToolCall(tool: tool, input: input, directory: Self.directory, id: arguments["tool_use_id"]?.string)
    switch await ToolGate(frontEnd: frontEnd, app: app, timeout: timeout, agent: agent).decide(call) {
    case .allow(let updated, _, _): return ["behavior": "allow", "updatedInput": updated ?? input]
    case .deny(let why): return Self.denial(why)
    case .expired: return Self.denial("\(expiry) The user did not refuse.")
    case .withdrawn: return Self.denial("The prompt was withdrawn.")
    case .unavailable(let why, _): return Self.denial("The user could not be asked: \(why.asSentence)")
    }
  }

  private static func denial(_ message: String) -> JSONValue { ["behavior": "deny", "message": .string(message)] }

  // MARK: Questions

  private func confirmation(_ arguments: JSONValue) throws(Failure) -> PresentationRequest {
    var request = try question(.alert, arguments)
    let yes = try label(arguments, "yes") ?? "Yes"
    let isDestructive = arguments["destructive"]?.bool ?? false
    request.buttons = [
      PresentationRequest.Button(id: "yes", label: yes, role: isDestructive ? .destructive : nil),
      PresentationRequest.Button(id: "no", label: try label(arguments, "no") ?? "No", role: .cancel),
    ]
    return try checked(request)
  }

  private func choice(_ arguments: JSONValue) throws(Failure) -> PresentationRequest {
    guard let options = Self.options(arguments), options.count >= 2 else {
      throw Failure("\"options\" must be an array of two or more strings")
    }
    var request = try question(.confirmationDialog, arguments)
    request.buttons = options.enumerated().map { PresentationRequest.Button(id: "c\($0 + 1)", label: $1.exact) }
    request.buttons.append(PresentationRequest.Button(id: "cancel", label: "None of these", role: .cancel))
    return try checked(request)
  }

  private static func options(_ arguments: JSONValue) -> [String]? {
    guard let options = arguments["options"]?.array else { return nil }
    let texts = options.compactMap(\.string)
    return texts.count == options.count ? texts : nil
  }

  private func form(_ arguments: JSONValue) throws(Failure) -> PresentationRequest {
    var request = try question(.sheet, arguments)
    request.sheet = "agent-form"
    guard let json = arguments["schema"] else { throw Failure("\"schema\" is missing: a flat JSON Schema of type object") }
    let schema: FormSchema
    do {
      schema = try FormSchema(json: json)
    } catch {
      throw Failure("invalid \"schema\": \(error)")
    }
    if let field = schema.properties.first(where: \.asksForSecret) {
      throw Failure("cannot ask for \"\(field.label)\": a form must not ask for passwords or other secrets")
    }
    request.schema = schema
    return try checked(request)
  }

  func question(_ kind: PresentationKind, _ arguments: JSONValue) throws(Failure) -> PresentationRequest {
    guard let text = arguments["question"]?.string, !text.allSatisfy(\.isWhitespace) else {
      throw Failure("\"question\" is missing")
    }
    let title = text.exactTitle
    // A question that is too long for a title is repeated in full in the message.
    let message = [title.isSame(as: text.exact) ? nil : text.exact, arguments["details"]?.string?.exact].compactMap(\.self)
    var request = PresentationRequest(kind: kind, title: title)
    if !message.isEmpty { (request.message, request.messageFormat) = (message.joined(separator: "\n\n"), .markdown) }
    return request
  }

  private func label(_ arguments: JSONValue, _ name: String) throws(Failure) -> String? {
    guard let value = arguments[name] else { return nil }
    guard let label = value.string else { throw Failure("\"\(name)\" must be a string") }
    return label.exactTitle
  }

  /// Returns the request if it is valid; otherwise throws, so that the model gets the error.
  func checked(_ request: PresentationRequest) throws(Failure) -> PresentationRequest {
    do {
      return try PresentationRequest(json: request.json)
    } catch {
      throw Failure("invalid prompt: \(error)")
    }
  }

  /// Returns a client's name as a valid app name.
  static func name(_ text: String) -> String? {
    let name = text.utf8.prefix(64).map { byte -> Character in
      let character = Character(Unicode.Scalar(byte))
      return character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character)) ? character : "-"
    }
    let trimmed = String(name)
    return trimmed.contains(where: \.isLetter) ? trimmed : nil
  }
}
