/// A place in the log with the hash that the chain has there, written `HASH@SEQ`. A head that was kept elsewhere tells later
/// whether the log is still the same up to there.
public struct AuditHead: Sendable, Hashable, LosslessStringConvertible {
  /// The event's number; 0 before the first.
  public let seq: Int64
  /// SHA-256, 32 bytes.
  public let hash: [UInt8]

  public init(seq: Int64, hash: [UInt8]) {
    self.seq = seq
    self.hash = hash
  }

  /// Reads 64 hexadecimal digits, `@` and a number; `nil` for anything else.
  public init?(_ description: String) {
    let parts = description.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, let hash = [UInt8](hexadecimal: parts[0]), hash.count == AuditChain().hash.count,
      let seq = Int64(parts[1]), seq >= 0
    else { return nil }
    self.init(seq: seq, hash: hash)
  }

  public var description: String { "\(hash.hexadecimal)@\(seq)" }
}

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
    public let detail: Event.Pruned
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
