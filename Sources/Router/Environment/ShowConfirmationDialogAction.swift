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
    try await asking.shown(TypedRequest(dialog), options).get()
  }

  /// Shows a dialog whose buttons have no actions and waits until it is closed.
  nonisolated(nonsending) public func callAsFunction(
    _ dialog: ConfirmationDialogState<Never>, options: PresentationOptions? = nil
  ) async throws {
    try await asking.shown(TypedRequest(dialog), options).close()
  }

  /// Shows a dialog without waiting; its actions are ignored.
  public func callAsFunction<Action>(
    _ dialog: ConfirmationDialogState<Action>, options: PresentationOptions? = nil, onDismiss: DismissCallback? = nil
  ) {
    asking.post("the confirmation dialog", options: options, onDismiss: onDismiss) { PresentationRequest(dialog) }
  }

  /// Shows a dialog and waits for its outcome. A button without an action ends it as dismissed.
  nonisolated(nonsending) public func outcome<Action: Sendable>(
    of dialog: ConfirmationDialogState<Action>, options: PresentationOptions? = nil
  ) async -> ShowOutcome<Action> {
    await ShowOutcome { try await asking.shown(TypedRequest(dialog), options) }
  }
}
