/// An input of the rules, other than time.
package enum PresentationInput: Sendable, Hashable {
  case request(PresentationAsk)
  case answer(PresentationID, generation: Int?, PresentationAnswer, isSuppressed: Bool = false, by: Resolver?)
  case dismiss(PresentationID, generation: Int?, by: Resolver?)
  case fail(PresentationID, generation: Int?, detail: String, by: Resolver?)
  /// Cancels it, for its owner or an administrator.
  case cancel(PresentationID, by: Resolver, isAdmin: Bool)
  /// Finishes a flow, or a screen of it, with the last answer.
  case finish(PresentationID, by: Resolver, isAdmin: Bool)
  /// Detaches a request from its connection.
  case detach(PresentationID)
  /// The last requester that waited for it has disconnected.
  case requesterGone(PresentationID, PresentationOutcome.CancellationReason)
  /// The requester of a presentation held after a restart has reconnected.
  case claim(PresentationID)
  case presenterAttached(PresenterID, PresenterIdentity, surface: String)
  case presenterDetached(PresenterID, surface: String)
}
