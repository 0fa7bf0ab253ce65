public import FoundationEssentials

/// A moment of the wall clock in whole milliseconds, as the log and the wire have it: RFC 3339 in UTC, always with three
/// digits of fraction, so that sorting the text sorts by time.
public struct Timestamp: Sendable, Hashable, Comparable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public let milliseconds: Int64

  /// Takes milliseconds since 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Rounds a date to the millisecond.
  public init(_ date: Date) {
    milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded())
  }

  /// The same moment for Foundation.
  public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The moment later by `duration`, to the millisecond.
  public func advanced(by duration: Duration) -> Timestamp {
    Timestamp(milliseconds: milliseconds + duration.milliseconds)
  }

  /// How long after `earlier` this is; negative if it is before.
  public func duration(since earlier: Timestamp) -> Duration {
    .milliseconds(milliseconds - earlier.milliseconds)
  }
}

extension Timestamp {
  /// The form with three digits of fraction: `2026-11-21T07:00:00.123Z`.
  public var description: String {
    // Whole seconds and the fraction are put together here: a Double cannot hold every millisecond exactly, and the
    // format style cuts where it would have to round.
    let (seconds, fraction) = milliseconds.quotientAndFloorRemainder(dividingBy: 1000)
    let whole = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    let digits = String(fraction)
    return whole.dropLast() + "." + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
  }
}

extension Timestamp: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let timestamp = Timestamp(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an RFC 3339 time: \(text)")
    }
    self = timestamp
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Int64 {
  /// Quotient and remainder of a division that rounds down, so that the remainder is never negative.
  fileprivate func quotientAndFloorRemainder(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

extension Duration {
  /// Whole milliseconds, rounded towards zero.
  public var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
