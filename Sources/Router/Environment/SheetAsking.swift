/// What sheets and full-screen covers have in common: they differ in their kind alone.
struct SheetAsking: Sendable {
  let asking: PresentationAsking
  let kind: PresentationKind

  init(_ kind: PresentationKind, in environment: EnvironmentValues) {
    asking = PresentationAsking(in: environment)
    self.kind = kind
  }

  /// Shows a sheet and waits for its outcome, in the sheet's own type.
  nonisolated(nonsending) func shown<S: Sheet>(
    _ sheet: S, options: PresentationOptions?
  ) async throws -> ShowOutcome<S.Answer> {
    let designation = designation(of: sheet)
    let outcome = try await asking.ask(for: designation, options: options) { try PresentationRequest(sheet, as: kind) }
    return try ShowOutcome(outcome) { try read($0, of: sheet) }
  }

  /// Shows a sheet and forgets it.
  func post(_ sheet: some Sheet, options: PresentationOptions?, onDismiss: DismissCallback?) {
    asking.post(designation(of: sheet), options: options, onDismiss: onDismiss) {
      try PresentationRequest(sheet, as: kind)
    }
  }

  /// Shows a sheet while an operation runs.
  func during<S: Sheet, Result: Sendable>(
    _ sheet: S, options: PresentationOptions?, operation: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await asking.during(designation(of: sheet), options: options, operation: operation) {
      try PresentationRequest(sheet, as: kind)
    }
  }

  /// What an error calls it.
  private func designation(of sheet: some Sheet) -> String {
    switch kind {
    case .fullScreenCover: "the full-screen cover \(sheet.sheetName)"
    case .sheet, .alert, .confirmationDialog: "the sheet \(sheet.sheetName)"
    }
  }

  /// The answer in the sheet's own type; `nil` for a sheet that has none.
  private func read<S: Sheet>(_ answer: PresentationAnswer, of sheet: S) throws -> S.Answer? {
    guard S.Answer.self != Never.self else { return nil }
    return try sheet.answer(from: answer, calledBy: designation(of: sheet))
  }
}

extension ShowOutcome<Never> {
  /// Returns if a person closed it.
  func close() throws(PresentationCancellation) {
    if case .dismissed = self { return }
    _ = try get()
  }
}
