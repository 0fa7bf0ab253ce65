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
  private let asking: PresentationAsking

  /// The action of an environment.
  public init(in environment: EnvironmentValues = .current) {
    asking = PresentationAsking(in: environment)
  }

  /// Shows a sheet and waits for the answer. Cancelling the task takes the sheet away, and throws.
  ///
  /// - Throws: ``PresentationCancellation`` if it ended without an answer; ``RouterError`` if it could not be asked, such as
  ///   `notInjected`, or if the answer is not an `Answer`.
  nonisolated(nonsending) public func callAsFunction<S: Sheet>(
    _ sheet: S, options: PresentationOptions? = nil
  ) async throws -> S.Answer {
    try await shown(sheet, options: options).get()
  }

  /// Shows a sheet that has no answer and waits until it is closed. Cancelling the task takes the sheet away, and throws.
  ///
  /// - Throws: ``PresentationCancellation`` if it was not closed by a person; ``RouterError`` if it could not be asked.
  nonisolated(nonsending) public func callAsFunction<S: Sheet>(
    _ sheet: S, options: PresentationOptions? = nil
  ) async throws where S.Answer == Never {
    try await shown(sheet, options: options).close()
  }

  /// Shows a sheet and does not wait. The request stands in the broker's mailbox when this returns, so that two calls in a
  /// row keep their order. A request that cannot be made or is refused is logged as critical, and nothing is called.
  ///
  /// In asynchronous code say `onDismiss: nil`, or the form that waits is meant.
  ///
  /// - Parameter onDismiss: Called once when the sheet has ended, however it ended.
  public func callAsFunction<S: Sheet>(
    _ sheet: S, options: PresentationOptions? = nil, onDismiss: DismissCallback? = nil
  ) {
    asking.post(sheet.designation, options: options, onDismiss: onDismiss) { try PresentationRequest(sheet) }
  }

  /// Shows a sheet and waits for its outcome, which is an answer in the sheet's own type or says why there is none. A sheet
  /// that has no answer ends as dismissed.
  nonisolated(nonsending) public func outcome<S: Sheet>(
    of sheet: S, options: PresentationOptions? = nil
  ) async -> ShowOutcome<S.Answer> {
    await ShowOutcome { try await shown(sheet, options: options) }
  }

  nonisolated(nonsending) private func shown<S: Sheet>(
    _ sheet: S, options: PresentationOptions?
  ) async throws -> ShowOutcome<S.Answer> {
    let outcome = try await asking.ask(for: sheet.designation, options: options) { try PresentationRequest(sheet) }
    return try ShowOutcome(outcome, read: sheet.read)
  }
}

extension Sheet {
  /// What an error calls it.
  fileprivate var designation: String { "the sheet \(sheetName)" }

  /// The answer in the sheet's own type; `nil` for a sheet that has none.
  fileprivate func read(_ answer: PresentationAnswer) throws -> Answer? {
    guard Answer.self != Never.self else { return nil }
    guard case .value(let value) = answer else {
      throw RouterError(.invalid, "cannot read the answer to \(designation): it is not a value")
    }
    do {
      return try value.decode(Answer.self)
    } catch {
      throw RouterError(.invalid, "cannot read the answer to \(designation) as \(Answer.self)", cause: error)
    }
  }
}

extension ShowOutcome<Never> {
  /// Returns if a person closed it.
  func close() throws(PresentationCancellation) {
    if case .dismissed = self { return }
    _ = try get()
  }
}
