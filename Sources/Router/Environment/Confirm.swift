/// Asks a person to confirm, through the environment's ``EnvironmentValues/showAlert``. Canceling the task removes the alert
/// and throws.
///
/// - Parameters:
///   - question: One line, such as "Delete the cache?".
///   - message: The text below the question.
///   - button: The label of the button that confirms; the other button is "Cancel".
///   - destructive: Whether confirming destroys something.
///   - options: Options of the prompt.
/// - Returns: Whether it was confirmed; `false` if the person declined or closed it.
/// - Throws: ``NoAnswer`` without a decision; ``RouterError`` if the question could not be asked.
nonisolated(nonsending) public func confirm(
  _ question: String, message: String? = nil, button: String = "OK", destructive: Bool = false,
  options: PresentationOptions.Update = { _ in }
) async throws -> Bool {
  let alert = AlertState(question, message: message) {
    ButtonState(button, role: destructive ? .destructive : nil, action: true)
    ButtonState("Cancel", role: .cancel, action: false)
  }
  do {
    return try await EnvironmentValues.current.showAlert(alert, options: options)
  } catch NoAnswer.dismissed {
    return false
  }
}
