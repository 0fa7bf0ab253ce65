extension PresentationOptions {
  /// How serious a prompt looks. It does not change the place in the queue; see ``Priority``.
  public enum Severity: String, Sendable, Hashable, Codable, CaseIterable {
    case standard, critical
  }
}
