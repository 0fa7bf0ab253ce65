package import RouterCore

/// A way to show prompts on a terminal: key by key or line by line. Both apply the person's input to a ``PromptState``.
package protocol PromptMode: Sendable {
  /// Shows a prompt until the person answers it.
  ///
  /// - Throws: `CancellationError` if the prompt is withdrawn.
  func show(_ state: inout PromptState, _ events: AsyncStream<PromptState.Event>) async throws -> PresenterResponse

  /// Reports the end of a prompt.
  func report(_ end: String, of request: PresentationRequest)

  /// Lets the person take back what an answer to a presentation made remembered, until the next prompt.
  func remembered(_ id: PresentationID)

  /// Shows the reason for a rejected answer.
  func warn(_ text: String)
}

extension PromptMode {
  /// Does nothing: without a prompt, lines are not read.
  package func remembered(_ id: PresentationID) {}
}
