public import FoundationEssentials

/// A wall-clock time in whole milliseconds. Its text is RFC 3339 in UTC with three fractional digits, so that sorting
/// the text sorts by time.
public struct Timestamp: Sendable, Hashable, Comparable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public let milliseconds: Int64

  /// Creates a time from milliseconds since 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Rounds a date to the millisecond.
  public init(_ date: Date) {
    milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded())
  }

  /// The time as a Foundation date.
  public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// Returns the time advanced by `duration`, in milliseconds precision.
  public func advanced(by duration: Duration) -> Timestamp {
    Timestamp(milliseconds: milliseconds + duration.milliseconds)
  }

  /// Returns the duration since `earlier`; negative if this time is earlier.
  public func duration(since earlier: Timestamp) -> Duration {
    .milliseconds(milliseconds - earlier.milliseconds)
  }
}

extension Timestamp {
  /// RFC 3339 in UTC with three fractional digits: `2026-11-21T07:00:00.123Z`.
  public var description: String {
    // Formatted by hand, because the log writes millions of these and a format style rounds instead of truncating.
    let (days, ofDay) = milliseconds.quotientAndFloorRemainder(dividingBy: 86_400_000)
    let (year, month, day) = Self.calendar(days: days)
    guard (0...9999).contains(year) else {
      return Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601)
    }
    return String(unsafeUninitializedCapacity: 24) { bytes in
      func put(_ number: Int64, at index: Int) {
        let number = UInt8(truncatingIfNeeded: number)
        bytes[index] = UInt8(ascii: "0") + number / 10
        bytes[index + 1] = UInt8(ascii: "0") + number % 10
      }
      put(year / 100, at: 0)
      put(year % 100, at: 2)
      bytes[4] = UInt8(ascii: "-")
      put(month, at: 5)
      bytes[7] = UInt8(ascii: "-")
      put(day, at: 8)
      bytes[10] = UInt8(ascii: "T")
      put(ofDay / 3_600_000, at: 11)
      bytes[13] = UInt8(ascii: ":")
      put(ofDay / 60_000 % 60, at: 14)
      bytes[16] = UInt8(ascii: ":")
      put(ofDay / 1000 % 60, at: 17)
      bytes[19] = UInt8(ascii: ".")
      put(ofDay / 10 % 100, at: 20)
      bytes[22] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: ofDay % 10)
      bytes[23] = UInt8(ascii: "Z")
      return 24
    }
  }

  /// Returns the Gregorian date of a number of days since 1970-01-01. Years start in March, so that the leap day is
  /// last.
  static func calendar(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // There are 719,468 days between 0000-03-01 and 1970-01-01, and 146,097 in four hundred years.
    let (era, dayOfEra) = (days + 719_468).quotientAndFloorRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }
}

extension Timestamp: Codable {
  public init(from decoder: any Decoder) throws { self = try decoder.decodeDescription(of: "an RFC 3339 time") }
  public func encode(to encoder: any Encoder) throws { try encoder.encodeDescription(of: self) }
}

extension Int64 {
  fileprivate func quotientAndFloorRemainder(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

extension Duration {
  /// Whole milliseconds, rounded towards zero and clamped to `Int64`.
  package var milliseconds: Int64 {
    Int64(clamping: Int128(components.seconds) * 1000 + Int128(components.attoseconds / 1_000_000_000_000_000))
  }
}
