/// The result of a tamper check.
public struct AuditVerification: Sendable, Hashable {
  /// A discrepancy between the events and the rest of the log.
  public struct Fault: Sendable, Hashable {
    /// The faulty event, if known.
    public var seq: Int64?
    public var presentation: PresentationID?
    /// The column of the presentation's row.
    public var column: String?
    /// The expected and the stored value, as shortened display text.
    public var expected: String?
    public var found: String?
    /// A description of the fault as a clause, for example "its hash does not match its content and the hash before it".
    public var what: String
  }

  /// A recorded `pruned` event.
  public struct Pruning: Sendable, Hashable {
    public let seq: Int64
    public let at: Timestamp
    /// The last event that was pruned.
    public let anchor: AuditHead
    /// The cutoff time of the pruning.
    public let before: Timestamp
    /// The number of pruned events.
    public let events: Int
    /// The party that asked for it; `nil` for the daemon's retention.
    public let by: Resolver?
  }

  /// The last pruned event; `nil` if the log starts with its first event.
  public let anchor: AuditHead?
  /// The newest event.
  public let head: AuditHead
  /// The number of checked events.
  public let events: Int
  /// The number of checked rows of presentations.
  public let presentations: Int
  /// The prunings after the expected head; all recorded prunings if no head was expected.
  public let prunings: [Pruning]
  /// The first few faults; empty if the check passed.
  public let faults: [Fault]

  public var fault: Fault? { faults.first }
}
