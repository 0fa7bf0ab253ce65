extension PresentationOptions {
  /// The policy for a request that no attached presenter may show when it arrives.
  public enum NoPresenterPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// Waits until a presenter attaches.
    case wait
    /// Resolves immediately as cancelled, noPresenter. If the presenters leave later, the request waits for others.
    case fail
    /// Waits like ``wait``, but resolves as cancelled, off, while Router is switched off.
    case waitUnlessOff

    /// Whether the requester can do without Router while it is switched off.
    package var endsWhenOff: Bool { self != .wait }
  }
}
