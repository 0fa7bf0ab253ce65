import OrderedCollections
import Router

/// A question to a person about a tool call, and the decision that follows from the answer.
protocol ToolQuestion: Sendable {
  /// Returns the request without the caller's options.
  func request(metadata: OrderedDictionary<String, String>) -> PresentationRequest
  /// Returns the decision for an answer other than the cancel button.
  func decision(_ answer: PresentationAnswer, _ comment: String?) -> ToolDecision
}

extension ToolCall {
  /// The tools that ask the person by purpose, in every permission mode.
  private static let personal: Set = [QuestionForm.tool, PlanPrompt.tool, ElicitationForm.tool]

  /// Whether the call is a question to the person, which no setting of the agent can answer.
  var isForPerson: Bool { Self.personal.contains(tool) }

  /// Returns the question about the call.
  ///
  /// - Parameter mayChangeMode: Whether the answer may change the session's permission mode.
  func question(mayChangeMode: Bool) -> any ToolQuestion {
    if let form = QuestionForm(self) { return form }
    if let form = ElicitationForm(self) { return form }
    if let prompt = PlanPrompt(self, mayChangeMode: mayChangeMode) { return prompt }
    return ToolPrompt(self)
  }
}
