import Router

/// A presenter, and somebody who wants to know when a presentation has ended, however it did.
struct WatchedPresenter: Presenter {
  private let presenter: any Presenter
  private let ended: @Sendable () -> Void

  init(_ presenter: any Presenter, ended: @escaping @Sendable () -> Void) {
    self.presenter = presenter
    self.ended = ended
  }

  var name: String { presenter.name }

  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    try await presenter.present(presentation, waiting: waiting)
  }

  func willWithdraw(_ presentation: Presentation, because reason: PresenterEvent.Withdrawal) async {
    await presenter.willWithdraw(presentation, because: reason)
    // What is covered comes back.
    if reason != .covered { ended() }
  }

  func waitingCountChanged(to waiting: Int) async {
    await presenter.waitingCountChanged(to: waiting)
  }

  func answerRefused(_ error: RouterError, for presentation: Presentation) async {
    await presenter.answerRefused(error, for: presentation)
  }
}
