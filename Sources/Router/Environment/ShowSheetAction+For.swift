extension ShowSheetAction {
  /// Shows the sheets of one type, so that `showSheet(.settings)` says it all. One line in an app makes it, and may
  /// give it the built-in name, which then means the app's own within its module:
  ///
  /// ```swift
  /// extension EnvironmentValues {
  ///   var showSheet: ShowSheetAction.For<AppSheet> { .init(in: self) }
  /// }
  /// ```
  public struct For<S: Sheet>: Sendable {
    private let showSheet: ShowSheetAction

    /// The action of an environment.
    public init(in environment: EnvironmentValues = .current) {
      showSheet = ShowSheetAction(in: environment)
    }

    /// Shows a sheet and waits for the answer, as ``ShowSheetAction`` does.
    ///
    /// - Throws: ``PresentationCancellation`` if it ended without an answer; ``RouterError`` if it could not be asked.
    nonisolated(nonsending) public func callAsFunction(
      _ sheet: S, options: PresentationOptions? = nil
    ) async throws -> S.Answer {
      try await showSheet(sheet, options: options)
    }

    /// Shows a sheet that has no answer and waits until it is closed, as ``ShowSheetAction`` does.
    ///
    /// - Throws: ``PresentationCancellation`` if it was not closed by a person; ``RouterError`` if it could not be asked.
    nonisolated(nonsending) public func callAsFunction(
      _ sheet: S, options: PresentationOptions? = nil
    ) async throws where S.Answer == Never {
      try await showSheet(sheet, options: options)
    }

    /// Shows a sheet and does not wait, as ``ShowSheetAction`` does.
    ///
    /// - Parameters:
    ///   - sheet: What is shown.
    ///   - options: How it is shown; ``EnvironmentValues/presentationOptions`` where they are left out.
    ///   - onDismiss: Called once when the sheet has ended, however it ended.
    public func callAsFunction(_ sheet: S, options: PresentationOptions? = nil, onDismiss: DismissCallback? = nil) {
      showSheet(sheet, options: options, onDismiss: onDismiss)
    }

    /// Shows a sheet and waits for its outcome, as ``ShowSheetAction`` does.
    nonisolated(nonsending) public func outcome(
      of sheet: S, options: PresentationOptions? = nil
    ) async -> ShowOutcome<S.Answer> {
      await showSheet.outcome(of: sheet, options: options)
    }

    /// Shows a sheet that has no answer while an operation runs, as ``ShowSheetAction`` does.
    ///
    /// - Throws: What the operation throws; ``PresentationCancellation`` if the sheet ended first and the operation threw for
    ///   it; ``RouterError`` if the sheet could not be asked for.
    public func during<Value: Sendable>(
      _ sheet: S, options: PresentationOptions? = nil, operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value where S.Answer == Never {
      try await showSheet.during(sheet, options: options, operation: operation)
    }
  }
}
