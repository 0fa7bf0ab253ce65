import OrderedCollections
import Router
import RouterClient

/// The decision on a tool call.
enum ToolDecision: Sendable, Hashable {
  /// The call may run: with changed input if the person changed it, with the person's comment, and in another permission mode.
  case allow(updatedInput: JSONValue?, comment: String? = nil, mode: PermissionMode? = nil)
  /// The person denied the call; the text is for the model.
  case deny(String)
  /// No one answered in time. This is not a denial.
  case expired
  /// The caller disconnected, or an administrator canceled the prompt.
  case withdrawn
  /// The prompt could not be shown; the text gives the reason.
  ///
  /// - Parameter isOff: Whether a person has switched Router off.
  case unavailable(String, isOff: Bool = false)

  static func denied(_ comment: String?) -> Self { .deny("The user denied this tool call", comment) }
  /// Creates the decision for a call that a rule denied without asking a person.
  static func denied(byRule id: String, _ message: String?) -> Self {
    .deny("The rule \(id) of this machine denies this tool call; nobody was asked", message)
  }
  static func dismissed(_ comment: String?) -> Self {
    .deny("The user closed the prompt for this tool call without allowing it", comment)
  }
  static func unanswered(_ comment: String?) -> Self { .deny("The user answered none of the questions", comment) }

  private static func deny(_ what: String, _ comment: String?) -> Self {
    .deny(what + (comment.map { ": \($0)" } ?? "."))
  }
}

/// Asks a person whether a tool call may run.
struct ToolGate: Sendable {
  let frontEnd: FrontEnd
  /// The agent's app name.
  let app: String
  let timeout: Duration?
  /// The maximum time that the host waits for the hook, if longer than the timeout. Within it, pauses of the session do not
  /// count toward the timeout.
  var limit: Duration?
  /// The agent's process, which must not answer its own prompts.
  let agent: Int32?
  /// The hook process that withdraws the prompt when a later hook tells it to.
  var hook: Int32?
  /// Whether an answer may change the session's permission mode.
  var mayChangeMode = false
  /// Whether an answer may be remembered. It is bound to the agent's program, so not if another program asks for the agent.
  var remembers = true

  /// - Parameter note: Receives the prompt of an allowed call.
  func decide(_ call: ToolCall, noting note: (Presentation) -> Void = { _ in }) async -> ToolDecision {
    let question = call.question(mayChangeMode: mayChangeMode)
    let outcome = await frontEnd.ask(request(for: call, question), limit: limit)
    if case .answered(_, let presentation) = outcome { note(presentation) }
    return Self.decision(outcome, question)
  }

  /// Whether a rule of the daemon denies the call; false if the daemon cannot be asked.
  func isDeniedByRule(_ call: ToolCall) async -> Bool {
    let request = request(for: call, call.question(mayChangeMode: false))
    return (try? await frontEnd.calling { [client = frontEnd.client] in try await client.ruleEffect(on: request) }) == .deny
  }

  func request(for call: ToolCall, _ question: any ToolQuestion) -> PresentationRequest {
    var request = question.request(metadata: call.metadata)
    request.app = app
    request.timeout = timeout
    request.agent = agent
    if !remembers { request.remember = nil }
    request.metadata[ToolCall.Label.hook] = hook.map(String.init)
    return request
  }

  static func decision(_ outcome: FrontEndOutcome, _ question: any ToolQuestion) -> ToolDecision {
    switch outcome {
    case .answered(let answer, let presentation): question.decision(answer, presentation.comment)
    case .declined(let presentation):
      if let rule = presentation.refusingRule {
        .denied(byRule: rule, presentation.comment)
      } else {
        .denied(presentation.comment)
      }
    case .dismissed(let presentation): .dismissed(presentation.comment)
    case .expired: .expired
    case .withdrawn: .withdrawn
    case .unavailable(let why, let isOff): .unavailable(why, isOff: isOff)
    }
  }
}
