extension PresentationCoordinator {
  /// Why an asker has to wait before asking again; `nil` if it has not.
  func backoffError(for requester: Requester) -> RouterError? {
    guard let remaining = backoff?.remaining(for: requester.asker, at: clock.now()) else { return nil }
    let seconds = remaining.wholeSeconds
    return RouterError(
      .full,
      "cannot take the request: what \(requester.app) asked was refused too often in a row; it may ask again in \(seconds) s",
      retryAfter: .seconds(seconds))
  }

  /// Counts how a presentation ended, now that it is on record.
  func countRefusal(_ presentation: Presentation, outcome: PresentationOutcome) {
    guard backoff != nil, let isRefusal = presentation.request.isRefused(by: outcome) else { return }
    let asker = presentation.requester.asker
    guard isRefusal else { return backoff!.answered(asker) }
    guard let pause = backoff!.refused(asker, at: clock.now()) else { return }
    let detail: JSONValue = ["uid": .integer(Int(asker.uid)), "app": .string(asker.app), "for": .seconds(pause)]
    note(AuditEntry(at: clock.wall(), kind: .throttled, presentation: presentation.id, detail: detail))
  }
}

extension Requester {
  fileprivate var asker: DismissalBackoff.Asker { DismissalBackoff.Asker(uid: process.uid, app: app) }
}

extension PresentationRequest {
  /// Whether an end is a person's no; `nil` for one that says nothing about what the person wants.
  fileprivate func isRefused(by outcome: PresentationOutcome) -> Bool? {
    switch outcome {
    case .answered(.button(let id)): buttons.first { $0.id == id }?.role == .cancel
    case .answered: false
    // Closing a flow's screen is going back.
    case .dismissed: flow && over != nil ? nil : true
    case .cancelled, .expired, .failed: nil
    }
  }
}
