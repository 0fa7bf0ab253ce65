extension ShowFullScreenCoverAction {
  /// Shows covers of one type, so that `showFullScreenCover(.settings)` says it all. One line in an app makes it, and may
  /// give it the built-in name, which then means the app's own within its module:
  ///
  /// ```swift
  /// extension EnvironmentValues {
  ///   var showFullScreenCover: ShowFullScreenCoverAction.For<AppCover> { .init(in: self) }
  /// }
  /// ```
  public struct For<S: Sheet>: Sendable {
    private let showFullScreenCover: ShowFullScreenCoverAction

    /// The action of an environment.
    public init(in environment: EnvironmentValues = .current) {
      showFullScreenCover = ShowFullScreenCoverAction(in: environment)
    }

    /// Shows a cover and waits for the answer, as ``ShowFullScreenCoverAction`` does.
    ///
    /// - Throws: ``PresentationCancellation`` if it ended without an answer; ``RouterError`` if it could not be asked.
    nonisolated(nonsending) public func callAsFunction(
      _ sheet: S, options: PresentationOptions? = nil
    ) async throws -> S.Answer {
      try await showFullScreenCover(sheet, options: options)
    }

    /// Shows a cover that has no answer and waits until it is closed, as ``ShowFullScreenCoverAction`` does.
    ///
    /// - Throws: ``PresentationCancellation`` if it was not closed by a person; ``RouterError`` if it could not be asked.
    nonisolated(nonsending) public func callAsFunction(
      _ sheet: S, options: PresentationOptions? = nil
    ) async throws where S.Answer == Never {
      try await showFullScreenCover(sheet, options: options)
    }

    /// Shows a cover and does not wait, as ``ShowFullScreenCoverAction`` does.
    ///
    /// - Parameters:
    ///   - sheet: What is shown.
    ///   - options: How it is shown; ``EnvironmentValues/presentationOptions`` where they are left out.
    ///   - onDismiss: Called once when the cover has ended, however it ended.
    public func callAsFunction(_ sheet: S, options: PresentationOptions? = nil, onDismiss: DismissCallback? = nil) {
      showFullScreenCover(sheet, options: options, onDismiss: onDismiss)
    }

    /// Shows a cover and waits for its outcome, as ``ShowFullScreenCoverAction`` does.
    nonisolated(nonsending) public func outcome(
      of sheet: S, options: PresentationOptions? = nil
    ) async -> ShowOutcome<S.Answer> {
      await showFullScreenCover.outcome(of: sheet, options: options)
    }

    /// Shows a cover that has no answer while an operation runs, as ``ShowFullScreenCoverAction`` does.
    ///
    /// - Throws: What the operation throws; ``PresentationCancellation`` if the cover ended first and the operation threw for
    ///   it; ``RouterError`` if the cover could not be asked for.
    public func during<Value: Sendable>(
      _ sheet: S, options: PresentationOptions? = nil, operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value where S.Answer == Never {
      try await showFullScreenCover.during(sheet, options: options, operation: operation)
    }
  }
}
