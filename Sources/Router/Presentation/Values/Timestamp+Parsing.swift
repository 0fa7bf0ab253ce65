extension Timestamp: LosslessStringConvertible {
  /// Reads RFC 3339, section 5.6, with a time zone, with or without a fraction, which is rounded to the millisecond;
  /// `nil` for anything else, a day that the month does not have included.
  ///
  /// Foundation's format style takes the 30th of February, 25 o'clock and anything after the time zone.
  public init?(_ description: String) {
    var reader = Reader(bytes: Array(description.utf8))
    guard let milliseconds = reader.time(), reader.isAtEnd else { return nil }
    self.init(milliseconds: milliseconds)
  }
}

/// Takes the parts of a time from the front of a text. By bytes and an index, since a page of the log has hundreds of these.
private struct Reader {
  let bytes: [UInt8]
  private var index = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { index == bytes.count }

  mutating func time() -> Int64? {
    guard let year = number(digits: 4), take("-"), let month = number(digits: 2), (1...12).contains(month), take("-"),
      let day = number(digits: 2), take("T") || take("t"),
      let hour = number(digits: 2), hour < 24, take(":"), let minute = number(digits: 2), minute < 60, take(":"),
      // A leap second counts as the first of the next minute, as POSIX has it.
      let second = number(digits: 2), second <= 60, let fraction = fraction(), let offset = offset()
    else { return nil }
    let days = Self.days(before: year, month, day)
    // A day that the month does not have is one of another month.
    guard Timestamp.calendar(days: days) == (year, month, day) else { return nil }
    return ((days * 24 + hour) * 60 + minute - offset) * 60_000 + second * 1000 + fraction
  }

  /// Milliseconds; 0 where there is no fraction.
  private mutating func fraction() -> Int64? {
    guard take(".") else { return 0 }
    let start = index
    // Three digits and the one that rounds; what comes after it cannot change the result.
    var tenths: Int64 = 0
    while let digit {
      if index - start < 4 { tenths = tenths * 10 + digit }
      index += 1
    }
    guard index > start else { return nil }
    for _ in min(index - start, 4)..<4 { tenths *= 10 }
    return (tenths + 5) / 10
  }

  /// Minutes east of Greenwich.
  private mutating func offset() -> Int64? {
    if take("Z") || take("z") { return 0 }
    let isWest = take("-")
    guard isWest || take("+"), let hours = number(digits: 2), hours < 24, take(":"), let minutes = number(digits: 2),
      minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (isWest ? -1 : 1)
  }

  private mutating func number(digits count: Int) -> Int64? {
    var number: Int64 = 0
    for _ in 0..<count {
      guard let digit else { return nil }
      number = number * 10 + digit
      index += 1
    }
    return number
  }

  /// The digit that is next.
  private var digit: Int64? {
    guard index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) else { return nil }
    return Int64(bytes[index] - UInt8(ascii: "0"))
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  /// Days from 1970-01-01 in the Gregorian calendar, with the year begun in March so that a leap day comes last.
  private static func days(before year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    // 719,468 days lie between 0000-03-01 and 1970-01-01. The year -1 (January and February of 0) has no leap day to drop.
    let leapDays = year < 0 ? -1 : year / 4 - year / 100 + year / 400
    return year * 365 + leapDays + dayOfYear - 719_468
  }
}
