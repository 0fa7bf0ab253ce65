/// Shows confirmation dialogs, as ``ShowAlertAction`` shows alerts:
/// `@Environment(\.showConfirmationDialog) private var showConfirmationDialog`.
///
/// ```swift
/// let choice = try await showConfirmationDialog(
///   ConfirmationDialogState("What about it?", titleVisibility: .visible) {
///     ButtonState("Archive", action: Choice.archive)
///     ButtonState("Delete", role: .destructive, action: Choice.delete)
///     ButtonState("Nothing", role: .cancel)
///   })
/// ```
public struct ShowConfirmationDialogAction: Sendable {
  private let asking: PresentationAsking

  /// Creates the action of an environment.
  public init(in environment: EnvironmentValues = .current) {
    asking = PresentationAsking(in: environment)
  }

  /// Shows a dialog and returns the action of the pressed button.
  nonisolated(nonsending) public func callAsFunction<Action: Sendable>(
    _ dialog: ConfirmationDialogState<Action>, options: PresentationOptions? = nil
  ) async throws -> Action {
    try await asking.answer(to: TypedRequest(dialog), options)
  }

  /// Shows a dialog whose only button has no action and waits until it is closed.
  nonisolated(nonsending) public func callAsFunction(
    _ dialog: ConfirmationDialogState<Never>, options: PresentationOptions? = nil
  ) async throws {
    try await asking.close(TypedRequest(dialog), options)
  }

  /// Shows a dialog without waiting; its action is dropped.
  public func post<Action: Sendable>(
    _ dialog: ConfirmationDialogState<Action>, options: PresentationOptions? = nil,
    onDismiss: (@Sendable () async -> Void)? = nil
  ) {
    asking.post(TypedRequest(dialog), options, onDismiss)
  }

  /// Shows a dialog and waits for its outcome. A button without an action ends it as dismissed.
  nonisolated(nonsending) public func outcome<Action: Sendable>(
    of dialog: ConfirmationDialogState<Action>, options: PresentationOptions? = nil
  ) async -> ShowOutcome<Action> {
    await asking.outcome(of: TypedRequest(dialog), options)
  }

  /// Shows a dialog with a toggle such as "Don't ask again", like SwiftUI's `dialogSuppressionToggle`, and waits for its outcome.
  ///
  /// - Returns: The outcome, and whether a person pressed a button, with or without an action, with the toggle turned on.
  nonisolated(nonsending) public func outcome<Action: Sendable>(
    of dialog: ConfirmationDialogState<Action>, suppressionToggle label: TextState, options: PresentationOptions? = nil
  ) async -> (outcome: ShowOutcome<Action>, isSuppressed: Bool) {
    await asking.outcome(of: TypedRequest(dialog), suppressionToggle: label, options)
  }
}
