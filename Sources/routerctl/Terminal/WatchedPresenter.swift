import Router

/// Wraps a presenter and reports when a presentation has ended.
struct WatchedPresenter: Presenter {
  let presenter: any Presenter
  /// Whether a withdrawn presentation, or one below it in its stack, is still open.
  let isOpen: @Sendable (Presentation) async -> Bool
  /// Called when the presentation and everything below it have ended.
  let ended: @Sendable () -> Void

  var name: String { presenter.name }

  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    try await presenter.present(presentation, waiting: waiting)
  }

  func willWithdraw(_ presentation: Presentation, because reason: Presentation.Withdrawal) async {
    await presenter.willWithdraw(presentation, because: reason)
    switch reason {
    // It will be shown again.
    case .covered: break
    // The state is known once the broker is back. Ends with that, or with the program.
    case .disconnected: Task { await lookAfter(presentation) }
    // A flow may continue after an answer.
    case .answered, .dismissed, .cancelled, .expired, .failed: await lookAfter(presentation)
    }
  }

  private func lookAfter(_ presentation: Presentation) async {
    if !(await isOpen(presentation)) { ended() }
  }

  func waitingCountChanged(to waiting: Int) async {
    await presenter.waitingCountChanged(to: waiting)
  }

  func progressChanged(to fraction: Double, label: String?, of presentation: Presentation) async {
    await presenter.progressChanged(to: fraction, label: label, of: presentation)
  }

  func answerRefused(_ error: RouterError, for presentation: Presentation) async {
    await presenter.answerRefused(error, for: presentation)
  }
}
