/// An event for a presenter.
package enum PresenterEvent: Sendable, Hashable {
  /// Show a presentation in place of the current one.
  case present(Presentation, waiting: Int)
  /// Withdraw a presentation.
  case withdraw(PresentationID, generation: Int, reason: Presentation.Withdrawal)
  /// The number of waiting presentations has changed.
  case queue(waiting: Int)
  /// The requester reported progress, from 0 to 1, optionally with a line of text.
  case progress(PresentationID, fraction: Double, label: String?)

  package static func progress(_ id: PresentationID, _ progress: PresentationProgress) -> PresenterEvent {
    .progress(id, fraction: progress.fraction, label: progress.label)
  }
}
