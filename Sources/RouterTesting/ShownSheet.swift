public import Router

/// A shown sheet, which a test answers in the sheet's type. Its calls throw the same errors as those of ``TestPresenter``.
public struct ShownSheet<S: Sheet>: Sendable {
  public let presentation: Presentation
  /// The sheet as requested by the code under test.
  public let sheet: S
  let presenter: TestPresenter

  /// Answers the sheet. Omits members that its form does not show.
  @discardableResult
  public func answer(_ answer: S.Answer) async throws -> Presentation {
    var value = try JSONValue(encoding: answer)
    if let fields = presentation.request.schema?.properties, let members = value.object {
      value = .object(
        members.filter { name, value in fields.contains { $0.name == name && ($0.isNullable || value != .null) } })
    }
    return try await presenter.answer(value, on: presentation)
  }

  /// Continues from a screen of a flow without an answer.
  @discardableResult
  public func proceed() async throws -> Presentation where S.Answer == Never {
    try await presenter.answer([:], on: presentation)
  }

  /// Closes the sheet.
  @discardableResult
  public func dismiss() async throws -> Presentation { try await presenter.dismiss(presentation) }
}
