extension ButtonState {
  /// Calls a closure with the button's action; `nil` if it has none.
  public func withAction<Result>(_ perform: (Action?) throws -> Result) rethrows -> Result {
    try perform(action)
  }

  /// Calls an asynchronous closure with the button's action, on the caller's actor.
  nonisolated(nonsending) public func withAction<Result>(
    _ perform: nonisolated(nonsending) (Action?) async throws -> Result
  ) async rethrows -> Result {
    try await perform(action)
  }
}

extension AlertState {
  /// Returns the action of a button by its wire id (its own, or `b1`, `b2`, … by position); `nil` for a button without an
  /// action.
  ///
  /// - Throws: ``RouterError`` if there is no such button.
  public func action(ofButton id: String) throws -> Action? { try buttons.action(for: .button(id)) }
}

extension ConfirmationDialogState {
  /// Returns the action of a button, like ``AlertState/action(ofButton:)``.
  public func action(ofButton id: String) throws -> Action? { try buttons.action(for: .button(id)) }
}

extension Array {
  /// Returns the action of the pressed button; `nil` for a button without an action, such as a default `ok`.
  func action<Action>(for answer: PresentationAnswer) throws -> Action? where Element == ButtonState<Action> {
    guard case .button(let id) = answer else { throw RouterError(.invalid, "cannot read the answer: it is not a button") }
    if isEmpty { return nil }
    for (position, button) in enumerated() where button.wireID(at: position) == id { return button.action }
    throw RouterError(.invalid, "cannot read the answer: there is no such button")
  }
}
