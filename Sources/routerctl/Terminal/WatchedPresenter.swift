import Router

/// A presenter, and somebody who wants to know when a presentation has ended, however it did.
struct WatchedPresenter: Presenter {
  private let presenter: any Presenter
  private let isOpen: @Sendable (Presentation) async -> Bool
  private let ended: @Sendable () -> Void

  /// - Parameters:
  ///   - isOpen: Whether something that was withdrawn, or what is below it in its stack, goes on.
  ///   - ended: Called when it does not.
  init(
    _ presenter: any Presenter, isOpen: @escaping @Sendable (Presentation) async -> Bool,
    ended: @escaping @Sendable () -> Void
  ) {
    self.presenter = presenter
    self.isOpen = isOpen
    self.ended = ended
  }

  var name: String { presenter.name }

  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    try await presenter.present(presentation, waiting: waiting)
  }

  func willWithdraw(_ presentation: Presentation, because reason: PresenterEvent.Withdrawal) async {
    await presenter.willWithdraw(presentation, because: reason)
    switch reason {
    // It comes back.
    case .covered: break
    // How it stands is known when the broker is back. Ends with that, or with the program.
    case .disconnected: Task { await lookAfter(presentation) }
    // A flow goes on after an answer.
    case .answered, .dismissed, .cancelled, .expired, .failed: await lookAfter(presentation)
    }
  }

  private func lookAfter(_ presentation: Presentation) async {
    if !(await isOpen(presentation)) { ended() }
  }

  func waitingCountChanged(to waiting: Int) async {
    await presenter.waitingCountChanged(to: waiting)
  }

  func answerRefused(_ error: RouterError, for presentation: Presentation) async {
    await presenter.answerRefused(error, for: presentation)
  }
}
