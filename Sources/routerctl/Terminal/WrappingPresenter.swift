import Router

/// A presenter that extends another one.
protocol WrappingPresenter: Presenter {
  var presenter: any Presenter { get }
}

extension WrappingPresenter {
  var name: String { presenter.name }

  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    try await presenter.present(presentation, waiting: waiting)
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
