/// A value to ask a person with: a ``Sheet``, an ``AlertState`` or a ``ConfirmationDialogState``. Make your own a ``Sheet``.
public protocol Prompt<Answer>: Sendable {
  /// The type of the answer; `Never` for a prompt that can only be closed.
  associatedtype Answer: Sendable

  /// Returns the request. Called by ``ShowAction``.
  ///
  /// - Parameter kind: The kind of a sheet; other prompts have their own.
  func typedRequest(as kind: PresentationKind) -> PresentationRequest.Typed<Answer>
}

extension Sheet {
  public func typedRequest(as kind: PresentationKind) -> PresentationRequest.Typed<Answer> {
    PresentationRequest.Typed(self, as: kind)
  }
}

extension AlertState: Prompt {
  public func typedRequest(as kind: PresentationKind) -> PresentationRequest.Typed<Action> {
    PresentationRequest.Typed(PresentationRequest(self), buttons, called: "the alert")
  }
}

extension ConfirmationDialogState: Prompt {
  public func typedRequest(as kind: PresentationKind) -> PresentationRequest.Typed<Action> {
    PresentationRequest.Typed(PresentationRequest(self), buttons, called: "the confirmation dialog")
  }
}
