import Router

/// Wraps a presenter and reports when a presentation has ended.
struct WatchedPresenter: WrappingPresenter {
  let presenter: any Presenter
  /// Whether a withdrawn presentation, or one below it in its stack, is still open.
  let isOpen: @Sendable (Presentation) async -> Bool
  /// Called when the presentation and everything below it have ended.
  let ended: @Sendable () -> Void

  func willWithdraw(_ presentation: Presentation, because reason: Presentation.Withdrawal) async {
    await presenter.willWithdraw(presentation, because: reason)
    switch reason {
    // The presentation will be shown again.
    case .covered: break
    case .snoozed: ended()
    // The state is known once the broker is back. Ends then, or with the program.
    case .disconnected: Task { await lookAfter(presentation) }
    // A flow may continue after an answer.
    case .answered, .dismissed, .cancelled, .expired, .failed: await lookAfter(presentation)
    }
  }

  private func lookAfter(_ presentation: Presentation) async {
    if !(await isOpen(presentation)) { ended() }
  }
}
