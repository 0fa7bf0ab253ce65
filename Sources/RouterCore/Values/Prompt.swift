/// A question to a person: a ``Sheet``, an ``AlertState`` or a ``ConfirmationDialogState``. Conform your own types to
/// ``Sheet``.
public protocol Prompt<Answer>: Sendable {
  /// The type of the answer; `Never` for a prompt that can only be closed.
  associatedtype Answer: Sendable

  /// Returns the request to send.
  ///
  /// - Parameter kind: The kind of a sheet; ignored by other prompts.
  /// - Throws: ``RouterError`` if the prompt cannot be shown; any error of a sheet's `encode(to:)`.
  func request(as kind: PresentationKind) throws -> PresentationRequest

  /// Returns a person's answer in the prompt's type; `nil` for a button without an action.
  ///
  /// - Throws: ``RouterError``, ``JSONError`` or a `DecodingError` if the answer does not fit this prompt.
  func answer(from answer: PresentationAnswer) throws -> Answer?
}

extension Sheet {
  public func request(as kind: PresentationKind) throws -> PresentationRequest { try PresentationRequest(self, as: kind) }

  public func answer(from answer: PresentationAnswer) throws -> Answer? {
    if Answer.self == Never.self { return nil }
    guard case .value(let value) = answer else { throw JSONError("it is not a value", at: "") }
    return try form?.read(value) ?? value.decode(Answer.self)
  }
}

extension AlertState: Prompt {
  public func request(as kind: PresentationKind) throws -> PresentationRequest {
    try buttons.checkActions(of: "the alert")
    return PresentationRequest(self)
  }

  public func answer(from answer: PresentationAnswer) throws -> Action? { try buttons.action(for: answer) }
}

extension ConfirmationDialogState: Prompt {
  public func request(as kind: PresentationKind) throws -> PresentationRequest {
    try buttons.checkActions(of: "the confirmation dialog")
    return PresentationRequest(self)
  }

  public func answer(from answer: PresentationAnswer) throws -> Action? { try buttons.action(for: answer) }
}

extension Array {
  fileprivate func checkActions<Action>(of what: String) throws(RouterError) where Element == ButtonState<Action> {
    let silent = indices.filter { self[$0].action == nil }.map { "\($0 + 1)" }
    guard silent.count < 2 else {
      throw RouterError(
        .invalid,
        "cannot show \(what): its buttons \(silent.joined(separator: " and ")) have no action, so you could not tell which was "
          + "pressed; give all but one an action", field: "/buttons")
    }
  }
}
