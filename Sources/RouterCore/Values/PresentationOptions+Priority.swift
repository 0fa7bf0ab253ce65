extension PresentationOptions {
  /// Queue priority. Within one priority, users take turns, and each user's requests are first in, first out.
  public enum Priority: String, Sendable, Hashable, Codable, CaseIterable {
    case low, normal, high, critical
  }
}
