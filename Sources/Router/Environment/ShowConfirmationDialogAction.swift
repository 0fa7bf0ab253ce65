/// Shows confirmation dialogs: `@Environment(\.showConfirmationDialog) private var showConfirmationDialog`.
///
/// ```swift
/// let choice = try await showConfirmationDialog(
///   ConfirmationDialogState("What about it?", titleVisibility: .visible) {
///     ButtonState("Archive", action: Choice.archive)
///     ButtonState("Delete", role: .destructive, action: Choice.delete)
///     ButtonState("Nothing", role: .cancel)
///   })
/// ```
///
/// It asks the ``EnvironmentValues/presentationBroker`` of the environment it was read from, with the options given or else
/// ``EnvironmentValues/presentationOptions``.
public struct ShowConfirmationDialogAction: Sendable {
  private let asking: PresentationAsking

  /// The action of an environment.
  public init(in environment: EnvironmentValues = .current) {
    asking = PresentationAsking(in: environment)
  }

  /// Shows a dialog and waits for a button, whose action it returns. Cancelling the task takes the dialog away, and throws.
  ///
  /// - Throws: ``PresentationCancellation`` if it ended without an answer, or with a button that has no action (dismissed);
  ///   ``RouterError`` if it could not be asked, such as `notInjected`.
  nonisolated(nonsending) public func callAsFunction<Action: Sendable>(
    _ dialog: ConfirmationDialogState<Action>, options: PresentationOptions? = nil
  ) async throws -> Action {
    try await shown(dialog, options: options).get()
  }

  /// Shows a dialog whose buttons have no actions and waits until it is closed, by a button or otherwise.
  ///
  /// - Throws: ``PresentationCancellation`` if it was not closed by a person; ``RouterError`` if it could not be asked.
  nonisolated(nonsending) public func callAsFunction(
    _ dialog: ConfirmationDialogState<Never>, options: PresentationOptions? = nil
  ) async throws {
    try await shown(dialog, options: options).close()
  }

  /// Shows a dialog and does not wait; its actions go nowhere. The request stands in the broker's mailbox when this returns.
  /// A request that cannot be made or is refused is logged as critical, and nothing is called.
  ///
  /// In asynchronous code say `onDismiss: nil`, or the form that waits is meant.
  ///
  /// - Parameters:
  ///   - dialog: What is shown.
  ///   - options: How it is shown; ``EnvironmentValues/presentationOptions`` where they are left out.
  ///   - onDismiss: Called once when the dialog has ended, however it ended, in the environment of this call.
  public func callAsFunction<Action>(
    _ dialog: ConfirmationDialogState<Action>, options: PresentationOptions? = nil, onDismiss: DismissCallback? = nil
  ) {
    asking.post("the confirmation dialog", options: options, onDismiss: onDismiss) { PresentationRequest(dialog) }
  }

  /// Shows a dialog and waits for its outcome, which is an action or says why there is none. A button that has no action
  /// ends as dismissed.
  nonisolated(nonsending) public func outcome<Action: Sendable>(
    of dialog: ConfirmationDialogState<Action>, options: PresentationOptions? = nil
  ) async -> ShowOutcome<Action> {
    await ShowOutcome { try await shown(dialog, options: options) }
  }

  nonisolated(nonsending) private func shown<Action: Sendable>(
    _ dialog: ConfirmationDialogState<Action>, options: PresentationOptions?
  ) async throws -> ShowOutcome<Action> {
    let outcome = try await asking.ask(for: "the confirmation dialog", options: options) { PresentationRequest(dialog) }
    return try ShowOutcome(outcome) { try dialog.buttons.action(for: $0) }
  }
}
