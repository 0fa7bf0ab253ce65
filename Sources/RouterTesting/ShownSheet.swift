public import Router

/// A sheet that is shown to a test, which answers it in its own type.
public struct ShownSheet<S: Sheet>: Sendable {
  public let presentation: Presentation
  /// The sheet as the code under test asked for it.
  public let sheet: S
  let presenter: TestPresenter

  /// Answers it.
  @discardableResult
  public func answer(_ answer: S.Answer) async throws -> Presentation {
    try await presenter.answer(try JSONValue(encoding: answer), on: presentation)
  }

  /// Closes it.
  @discardableResult
  public func dismiss() async throws -> Presentation { try await presenter.dismiss(presentation) }
}
