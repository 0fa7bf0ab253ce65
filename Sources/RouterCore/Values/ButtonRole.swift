/// A button's role, which determines its style and key. Pressing any button is an answer.
public enum ButtonRole: String, Sendable, Hashable, Codable, CaseIterable {
  case destructive, cancel
}
