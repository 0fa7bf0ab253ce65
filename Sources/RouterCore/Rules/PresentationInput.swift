/// An input of the rules, other than time.
package enum PresentationInput: Sendable, Hashable {
  indirect case request(PresentationAsk)
  case answer(PresentationID, generation: Int?, PresentationAnswer, AnswerExtra = AnswerExtra(), by: Presentation.Responder?)
  case dismiss(PresentationID, generation: Int?, AnswerExtra = AnswerExtra(), by: Presentation.Responder?)
  /// Takes it off the screen for a while.
  case snooze(PresentationID, generation: Int?, for: Duration, by: Presentation.Responder?)
  /// Ends a snooze before its time.
  case wake(PresentationID, by: Presentation.Responder)
  /// Lets the prompts of its session wait for a while.
  case pauseSession(PresentationID, for: Duration, by: Presentation.Responder)
  /// Ends a pause, named by the presentation that it was made at, before its time.
  case endPause(PresentationID, by: Presentation.Responder)
  /// Shows a waiting one at once.
  case raise(PresentationID, by: Presentation.Responder)
  case fail(PresentationID, generation: Int?, detail: String, by: Presentation.Responder?)
  /// Cancels it, for its owner or an administrator.
  case cancel(PresentationID, by: Presentation.Responder, isAdmin: Bool)
  /// Finishes a flow, or a screen of it, with the last answer.
  case finish(PresentationID, by: Presentation.Responder, isAdmin: Bool)
  /// Detaches a request from its connection.
  case detach(PresentationID)
  /// The last requester that waited for it has disconnected.
  case requesterGone(PresentationID, PresentationOutcome.CancellationReason)
  /// Ends a grant, for the user who gave it or whom it serves, or for an administrator; `by` is `nil` if the process that it is
  /// bound to has ended.
  case revoke(GrantID, by: Presentation.Responder?, isAdmin: Bool)
  /// Puts rules in force.
  case loadRules(Event.RulesLoaded)
  /// The requester of a presentation held after a restart has reconnected.
  case claim(PresentationID)
  case presenterAttached(PresenterID, PresenterIdentity, surface: String)
  case presenterDetached(PresenterID, surface: String)
}
