public import Router

/// A sheet that is shown to a test, which answers it in its own type. Its calls throw as those of ``TestPresenter`` do.
public struct ShownSheet<S: Sheet>: Sendable {
  public let presentation: Presentation
  /// The sheet as the code under test asked for it.
  public let sheet: S
  let presenter: TestPresenter

  /// Answers it. Leaves out the members that its form does not show.
  @discardableResult
  public func answer(_ answer: S.Answer) async throws -> Presentation {
    var value = try JSONValue(encoding: answer)
    if let fields = presentation.request.schema?.properties, let members = value.object {
      value = .object(
        members.filter { name, value in fields.contains { $0.name == name && ($0.isNullable || value != .null) } })
    }
    return try await presenter.answer(value, on: presentation)
  }

  /// Continues from a flow's screen that has no answer.
  @discardableResult
  public func proceed() async throws -> Presentation where S.Answer == Never {
    try await presenter.answer([:], on: presentation)
  }

  /// Closes it.
  @discardableResult
  public func dismiss() async throws -> Presentation { try await presenter.dismiss(presentation) }
}
