/// Asks a person to confirm, through the environment's ``EnvironmentValues/showAlert``. Canceling the task removes the alert and
/// throws.
///
/// - Parameters:
///   - question: One line, such as "Delete the cache?".
///   - message: The text below the question.
///   - button: The label of the button that confirms. The other one is "Cancel".
///   - destructive: Whether confirming destroys something.
///   - options: How it is shown.
/// - Returns: Whether it was confirmed; `false` if it was closed.
/// - Throws: ``NoAnswer`` if nobody decided; ``RouterError`` if it could not be asked.
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
