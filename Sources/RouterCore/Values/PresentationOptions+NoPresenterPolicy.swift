extension PresentationOptions {
  /// What happens to a request if no attached presenter may show it when it arrives.
  public enum NoPresenterPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// It waits until a presenter attaches.
    case wait
    /// It resolves at once as cancelled, noPresenter. If the presenters leave later, it waits for others.
    case fail
  }
}
