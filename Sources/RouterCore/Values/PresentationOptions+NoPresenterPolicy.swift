extension PresentationOptions {
  /// What happens to a request at the head of the queue if no presenter is attached.
  public enum NoPresenterPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// It waits until a presenter attaches.
    case wait
    /// It resolves as cancelled, noPresenter.
    case fail
  }
}
