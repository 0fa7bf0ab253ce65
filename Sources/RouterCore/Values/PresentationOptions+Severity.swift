extension PresentationOptions {
  /// The visual severity of a prompt. It does not affect the queue position; see ``Priority``.
  public enum Severity: String, Sendable, Hashable, Codable, CaseIterable {
    case standard, critical
  }
}
