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
/// It asks the ``EnvironmentValues/presentationBroker`` of its environment, as ``ShowSheetAction`` does.
public struct ShowAlertAction: Sendable {
  private let asking: PresentationAsking

  /// Creates the action of an environment.
  public init(in environment: EnvironmentValues = .current) {
    asking = PresentationAsking(in: environment)
  }

  /// Shows an alert and returns the action of the pressed button. Canceling the task removes the alert and throws.
  ///
  /// - Throws: ``PresentationCancellation`` if it ended without an action; ``RouterError`` if it could not be asked, as when two
  /// of its buttons have no action.
  nonisolated(nonsending) public func callAsFunction<Action: Sendable>(
    _ alert: AlertState<Action>, options: PresentationOptions? = nil
  ) async throws -> Action {
    try await asking.answer(to: TypedRequest(alert), options)
  }

  /// Shows an alert without choices and waits until it is closed.
  /// - Throws: ``PresentationCancellation`` if a person did not close it; ``RouterError`` if it could not be asked.
  nonisolated(nonsending) public func callAsFunction(
    _ alert: AlertState<Never>, options: PresentationOptions? = nil
  ) async throws {
    try await asking.close(TypedRequest(alert), options)
  }

  /// Shows an alert without choices and does not wait, as ``post(_:options:onDismiss:)`` does.
  public func callAsFunction(
    _ alert: AlertState<Never>, options: PresentationOptions? = nil, onDismiss: (@Sendable () async -> Void)? = nil
  ) {
    post(alert, options: options, onDismiss: onDismiss)
  }

  /// Shows an alert without waiting; its action is dropped. See ``ShowSheetAction/post(_:options:onDismiss:)``.
  public func post<Action: Sendable>(
    _ alert: AlertState<Action>, options: PresentationOptions? = nil, onDismiss: (@Sendable () async -> Void)? = nil
  ) {
    asking.post(TypedRequest(alert), options, onDismiss)
  }

  /// Shows an alert and waits for its outcome. A button without an action ends it as dismissed.
  nonisolated(nonsending) public func outcome<Action: Sendable>(
    of alert: AlertState<Action>, options: PresentationOptions? = nil
  ) async -> ShowOutcome<Action> {
    await asking.outcome(of: TypedRequest(alert), options)
  }

  /// Shows an alert with a toggle such as "Don't ask again", like SwiftUI's `dialogSuppressionToggle`, and waits for its outcome.
  ///
  /// - Returns: The outcome, and whether a person pressed a button, with or without an action, with the toggle turned on.
  nonisolated(nonsending) public func outcome<Action: Sendable>(
    of alert: AlertState<Action>, suppressionToggle label: TextState, options: PresentationOptions? = nil
  ) async -> (outcome: ShowOutcome<Action>, isSuppressed: Bool) {
    await asking.outcome(of: TypedRequest(alert), suppressionToggle: label, options)
  }
}
