extension Timestamp: LosslessStringConvertible {
  /// Parses RFC 3339, section 5.6, with a time zone, and rounds to the millisecond. Foundation's format style is less
  /// strict: it accepts February 30, 25 o'clock and trailing text.
  public init?(_ description: String) {
    let bytes = Array(description.utf8)
    func number(at start: Int, digits: Int = 2) -> Int64? {
      var number: Int64 = 0
      guard start + digits <= bytes.count else { return nil }
      for byte in bytes[start..<start + digits] {
        guard byte.isASCIIDigit else { return nil }
        number = number * 10 + Int64(byte - UInt8(ascii: "0"))
      }
      return number
    }
    func has(_ character: Unicode.Scalar, at index: Int) -> Bool {
      index < bytes.count && bytes[index] == UInt8(ascii: character)
    }
    guard let year = number(at: 0, digits: 4), has("-", at: 4), let month = number(at: 5), (1...12).contains(month),
      has("-", at: 7), let day = number(at: 8), has("T", at: 10) || has("t", at: 10), let hour = number(at: 11), hour < 24,
      has(":", at: 13), let minute = number(at: 14), minute < 60, has(":", at: 16),
      // A leap second counts as the first second of the next minute, as in POSIX.
      let second = number(at: 17), second <= 60
    else { return nil }
    let days = Self.days(before: year, month, day)
    // Rejects days that the month does not have.
    guard Self.calendar(days: days) == (year, month, day) else { return nil }
    var (fraction, zone): (Int64, Int) = (0, 19)
    if has(".", at: 19) {
      let digits = bytes[20...].prefix(while: \.isASCIIDigit)
      guard !digits.isEmpty else { return nil }
      // Three digits and one for rounding; further digits do not affect the result.
      for index in 20..<24 {
        fraction = fraction * 10 + (index < digits.endIndex ? Int64(digits[index] - UInt8(ascii: "0")) : 0)
      }
      (fraction, zone) = ((fraction + 5) / 10, digits.endIndex)
    }
    var offset: Int64 = 0
    if has("Z", at: zone) || has("z", at: zone) {
      guard bytes.count == zone + 1 else { return nil }
    } else {
      guard has("+", at: zone) || has("-", at: zone), let hours = number(at: zone + 1), hours < 24, has(":", at: zone + 3),
        let minutes = number(at: zone + 4), minutes < 60, bytes.count == zone + 6
      else { return nil }
      offset = (hours * 60 + minutes) * (has("-", at: zone) ? -1 : 1)
    }
    self.init(milliseconds: ((days * 24 + hour) * 60 + minute - offset) * 60_000 + second * 1000 + fraction)
  }

  /// Days from 1970-01-01 in the Gregorian calendar. Its years start in March, so that the leap day is last.
  private static func days(before year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    // There are 719,468 days between 0000-03-01 and 1970-01-01. Year -1 (January and February of 0) has no leap day to
    // drop.
    let leapDays = year < 0 ? -1 : year / 4 - year / 100 + year / 400
    return year * 365 + leapDays + dayOfYear - 719_468
  }
}
