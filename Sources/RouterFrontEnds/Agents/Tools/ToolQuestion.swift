import OrderedCollections
import Router

/// What a person is asked about a tool call, and what their answer means for the call.
protocol ToolQuestion: Sendable {
  /// Returns the request without the caller's options.
  func request(metadata: OrderedDictionary<String, String>) -> PresentationRequest
  /// Returns the decision of an answer other than the cancel button's.
  func decision(_ answer: PresentationAnswer, _ comment: String?) -> ToolDecision
}

extension ToolCall {
  /// The tools whose purpose is to ask the person, in every permission mode.
  private static let personal: Set = [QuestionForm.tool, PlanPrompt.tool]

  /// Whether the call is a question to the person, which no setting of the agent answers.
  var isForPerson: Bool { Self.personal.contains(tool) }

  /// The question about the call.
  ///
  /// - Parameter mayChangeMode: Whether the answer can change the session's permission mode.
  func question(mayChangeMode: Bool) -> any ToolQuestion {
    if let form = QuestionForm(self) { return form }
    if let prompt = PlanPrompt(self, mayChangeMode: mayChangeMode) { return prompt }
    return ToolPrompt(self)
  }
}
