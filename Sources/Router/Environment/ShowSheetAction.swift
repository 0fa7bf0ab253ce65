/// Shows sheets: `@Environment(\.showSheet) private var showSheet`.
///
/// ```swift
/// let address = try await showSheet(PickAddress(recent: recents))
/// showSheet(AppSheet.settings, onDismiss: settingsScreenDismissed)
/// let outcome = await showSheet.outcome(of: PickAddress(recent: recents))
/// ```
///
/// It asks the ``EnvironmentValues/presentationBroker`` of the environment it was read from, with the options given or else
/// ``EnvironmentValues/presentationOptions``.
public struct ShowSheetAction: Sendable {
  private let asking: SheetAsking

  /// The action of an environment.
  public init(in environment: EnvironmentValues = .current) {
    asking = SheetAsking(.sheet, in: environment)
  }

  /// Shows a sheet and waits for the answer. Cancelling the task takes the sheet away, and throws.
  ///
  /// - Throws: ``PresentationCancellation`` if it ended without an answer; ``RouterError`` if it could not be asked, such as
  ///   `notInjected`, or if the answer is not an `Answer`.
  nonisolated(nonsending) public func callAsFunction<S: Sheet>(
    _ sheet: S, options: PresentationOptions? = nil
  ) async throws -> S.Answer {
    try await asking.shown(sheet, options: options).get()
  }

  /// Shows a sheet that has no answer and waits until it is closed. Cancelling the task takes the sheet away, and throws.
  ///
  /// - Throws: ``PresentationCancellation`` if it was not closed by a person; ``RouterError`` if it could not be asked.
  nonisolated(nonsending) public func callAsFunction<S: Sheet>(
    _ sheet: S, options: PresentationOptions? = nil
  ) async throws where S.Answer == Never {
    try await asking.shown(sheet, options: options).close()
  }

  /// Shows a sheet and does not wait. The request stands in the broker's mailbox when this returns, so that two calls in a
  /// row keep their order. A request that cannot be made or is refused is logged as critical, and nothing is called.
  ///
  /// In asynchronous code say `onDismiss: nil`, or the form that waits is meant.
  ///
  /// - Parameters:
  ///   - sheet: What is shown.
  ///   - options: How it is shown; ``EnvironmentValues/presentationOptions`` where they are left out.
  ///   - onDismiss: Called once when the sheet has ended, however it ended, in the environment of this call.
  public func callAsFunction<S: Sheet>(
    _ sheet: S, options: PresentationOptions? = nil, onDismiss: DismissCallback? = nil
  ) {
    asking.post(sheet, options: options, onDismiss: onDismiss)
  }

  /// Shows a sheet and waits for its outcome, which is an answer in the sheet's own type or says why there is none. A sheet
  /// that has no answer ends as dismissed.
  nonisolated(nonsending) public func outcome<S: Sheet>(
    of sheet: S, options: PresentationOptions? = nil
  ) async -> ShowOutcome<S.Answer> {
    await ShowOutcome { try await asking.shown(sheet, options: options) }
  }

  /// Shows a sheet that has no answer while an operation runs: `try await showSheet.during(Uploading(file)) { … }`.
  ///
  /// The sheet is taken away when the operation has returned or thrown. If it ends first, the operation is cancelled. Inside
  /// the operation, ``EnvironmentValues/dismiss`` takes the sheet away.
  ///
  /// - Returns: What the operation returns, also where the sheet ended first and it returned all the same.
  /// - Throws: What the operation throws; ``PresentationCancellation`` if the sheet ended first and the operation threw for
  ///   it; ``RouterError`` if the sheet could not be asked for, and then the operation does not run.
  public func during<S: Sheet, Value: Sendable>(
    _ sheet: S, options: PresentationOptions? = nil, operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value where S.Answer == Never {
    try await asking.during(sheet, options: options, operation: operation)
  }
}
