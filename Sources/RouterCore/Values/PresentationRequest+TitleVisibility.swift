extension PresentationRequest {
  /// Whether a confirmation dialog shows its title.
  public enum TitleVisibility: String, Sendable, Hashable, Codable, CaseIterable {
    case automatic, visible, hidden
  }
}
