extension PresentationInput {
  /// What the rule against self-answers distinguishes: answering, dismissing and withdrawing.
  enum Act: Sendable, Hashable {
    /// Answers it, ends it in place of an answer, or puts it before others.
    case answer(PresentationID, Presentation.Responder?)
    /// Closes it without an answer, for good or for a while, which is never permission.
    case dismissal(PresentationID, Presentation.Responder?)
    /// Ends it on behalf of its requester.
    case withdrawal(PresentationID, Presentation.Responder)
    /// Neither answers nor ends another process's presentation. Requests that supersede one, and ends of pauses, are checked
    /// on their own.
    case none
  }

  /// A new kind of input needs a decision here.
  var act: Act {
    switch self {
    case .answer(let id, _, _, _, let resolver), .fail(let id, _, _, let resolver): .answer(id, resolver)
    case .wake(let id, let resolver), .raise(let id, let resolver): .answer(id, resolver)
    case .dismiss(let id, _, _, let resolver), .snooze(let id, _, _, let resolver): .dismissal(id, resolver)
    case .pauseSession(let id, _, let resolver): .dismissal(id, resolver)
    case .cancel(let id, let resolver, _), .finish(let id, let resolver, _): .withdrawal(id, resolver)
    case .request, .revoke, .endPause, .loadRules, .detach, .requesterGone, .claim, .presenterAttached, .presenterDetached:
      .none
    }
  }
}
