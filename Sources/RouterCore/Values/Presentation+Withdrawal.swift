extension Presentation {
  /// The reason of a withdrawal.
  public enum Withdrawal: String, Sendable, Hashable, CaseIterable {
    case answered, dismissed, cancelled, expired, failed, covered, snoozed
    /// The connection to the broker was lost, so responses cannot be sent. Clients of the daemon create this reason
    /// themselves; it never appears on the wire. Open presentations are shown again after the reconnect.
    case disconnected

    /// The reasons that appear on the wire.
    public static var allCases: [Withdrawal] { [.answered, .dismissed, .cancelled, .expired, .failed, .covered, .snoozed] }
  }
}
