/// Shows alerts: `@Environment(\.showAlert) private var showAlert`.
///
/// ```swift
/// let choice = try await showAlert(
///   AlertState { TextState("Delete?") } actions: {
///     ButtonState("Delete", role: .destructive, action: Choice.delete)
///     ButtonState("Keep", role: .cancel)
///   })
/// ```
///
/// It asks the ``EnvironmentValues/presentationBroker`` of the environment it was read from. Without `options`, a call uses
/// ``EnvironmentValues/presentationOptions``.
public struct ShowAlertAction: Sendable {
  private let asking: PresentationAsking

  /// Creates the action of an environment.
  public init(in environment: EnvironmentValues = .current) {
    asking = PresentationAsking(in: environment)
  }

  /// Shows an alert and returns the action of the pressed button. Canceling the task removes the alert and throws.
  ///
  /// - Throws: ``PresentationCancellation`` if it ended without an action; ``RouterError`` if it could not be asked.
  nonisolated(nonsending) public func callAsFunction<Action: Sendable>(
    _ alert: AlertState<Action>, options: PresentationOptions? = nil
  ) async throws -> Action {
    try await asking.shown(TypedRequest(alert), options).get()
  }

  /// Shows an alert without choices and waits until it is closed.
  /// - Throws: ``PresentationCancellation`` if a person did not close it; ``RouterError`` if it could not be asked.
  nonisolated(nonsending) public func callAsFunction(
    _ alert: AlertState<Never>, options: PresentationOptions? = nil
  ) async throws {
    try await asking.shown(TypedRequest(alert), options).close()
  }

  /// Shows an alert without waiting; its actions are ignored. See ``SheetAction``'s call without waiting.
  public func callAsFunction<Action>(
    _ alert: AlertState<Action>, options: PresentationOptions? = nil, onDismiss: DismissCallback? = nil
  ) {
    asking.post("the alert", options: options, onDismiss: onDismiss) { PresentationRequest(alert) }
  }

  /// Shows an alert and waits for its outcome. A button without an action ends it as dismissed.
  nonisolated(nonsending) public func outcome<Action: Sendable>(
    of alert: AlertState<Action>, options: PresentationOptions? = nil
  ) async -> ShowOutcome<Action> {
    await ShowOutcome { try await asking.shown(TypedRequest(alert), options) }
  }
}
