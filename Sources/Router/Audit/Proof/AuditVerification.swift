/// What the tamper check found.
public struct AuditVerification: Sendable, Hashable {
  /// One thing that does not follow from the events.
  public struct Fault: Sendable, Hashable {
    /// The event, where one is to blame.
    public var seq: Int64?
    public var presentation: PresentationID?
    /// The column of the presentation's row, and the two values as a person reads them, shortened.
    public var column: String?
    public var expected: String?
    public var found: String?
    /// What is wrong, as a clause: "its hash does not follow from the event before it".
    public var what: String
  }

  /// A `pruned` event on record.
  public struct Pruning: Sendable, Hashable {
    public let seq: Int64
    public let at: Timestamp
    /// The last event that was pruned.
    public let anchor: AuditHead
    /// What happened before this time was to go.
    public let before: Timestamp
    /// How many events were pruned.
    public let events: Int
    /// Who asked for it; `nil` for the daemon's retention.
    public let by: Resolver?
  }

  /// Up to where the log was pruned; `nil` if it begins with the first event.
  public let anchor: AuditHead?
  /// The newest event.
  public let head: AuditHead
  /// How many events were checked, and how many rows.
  public let events: Int
  public let presentations: Int
  /// What was pruned after the expected head; everything on record if no head was expected.
  public let prunings: [Pruning]
  /// What does not fit, the first few of it; empty if the log can be trusted.
  public let faults: [Fault]

  public var fault: Fault? { faults.first }
}
