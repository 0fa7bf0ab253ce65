/// A place in the log with the hash that the chain has there, written `HASH@SEQ`: kept elsewhere, it tells later whether the
/// log is still the same up to there.
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
    guard parts.count == 2, let hash = [UInt8](hexadecimal: parts[0]), hash.count == SHA256.byteCount,
      let seq = Int64(parts[1]), seq >= 0
    else { return nil }
    self.init(seq: seq, hash: hash)
  }

  public var description: String { "\(hash.hexadecimal)@\(seq)" }
}

/// What a walk over the log found.
public struct AuditVerification: Sendable, Hashable {
  /// The first thing that is not as it was written.
  public struct Fault: Sendable, Hashable {
    /// The event; `nil` where it is a presentation's row.
    public let seq: Int64?
    public let presentation: PresentationID?
    /// What is wrong, as a clause: "its hash does not follow from the event before it".
    public let what: String
  }

  /// Up to where the record was pruned; `nil` if it begins with the first event.
  public let anchor: AuditHead?
  /// The newest event.
  public let head: AuditHead
  /// How many events were walked over, and how many presentations compared with theirs.
  public let events: Int
  public let presentations: Int
  public let fault: Fault?
}
