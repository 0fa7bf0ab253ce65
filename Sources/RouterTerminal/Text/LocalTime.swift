package import Glibc
package import RouterCore

/// A time zone. FoundationEssentials supports only GMT; the C library supports all zones, but only one per process at a time.
package struct LocalTime: Sendable {
  /// The offset from UTC; `nil` for the process's zone: `TZ`, otherwise the machine's.
  private let secondsEast: Int?

  package static let system = LocalTime(secondsEast: nil)

  /// Returns a zone with a fixed offset from UTC.
  package static func fixed(secondsEast: Int) -> LocalTime { LocalTime(secondsEast: secondsEast) }

  package func date(_ moment: Timestamp) -> tm {
    var seconds = time_t(moment.wholeSeconds) + (secondsEast ?? 0)
    var date = tm()
    if secondsEast == nil { localtime_r(&seconds, &date) } else { gmtime_r(&seconds, &date) }
    return date
  }

  /// Returns the time of a calendar date. A local time that is skipped or repeated gives a time close to it.
  package func moment(_ date: tm) -> Timestamp {
    var date = date
    date.tm_isdst = -1
    let seconds = secondsEast.map { timegm(&date) - $0 } ?? mktime(&date)
    return Timestamp(milliseconds: Int64(seconds) * 1000)
  }

  /// Formats a time as `2026-11-21 07:00:00`, with milliseconds if `precisely`.
  package func text(_ moment: Timestamp, precisely: Bool = false) -> String {
    var date = date(moment)
    let text = String(unsafeUninitializedCapacity: 40) { buffer in
      buffer.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress!, $0.count, "%F %T", &date) }
    }
    // Adding 1000 gives four digits; the leading 1 is dropped.
    return precisely ? "\(text).\("\(1000 + moment.milliseconds - moment.wholeSeconds * 1000)".dropFirst())" : text
  }

  /// Formats a time as people say it: `19:30` today, otherwise with the date, `11-28 09:00`.
  package func minutes(_ moment: Timestamp, now: Timestamp) -> String {
    let text = text(moment)
    return String(text.dropFirst(text.prefix(10) == self.text(now).prefix(10) ? 11 : 5).dropLast(3))
  }

  /// Formats a time like `ls -l`: the time for today, otherwise the date, with the time in the same year.
  package func short(_ moment: Timestamp, now: Timestamp) -> String {
    let text = text(moment)
    let today = self.text(now)
    if text.prefix(10) == today.prefix(10) { return String(text.dropFirst(11)) }
    return text.prefix(4) == today.prefix(4) ? String(text.dropFirst(5).prefix(11)) : String(text.prefix(10))
  }
}

extension tm {
  /// A calendar date and time; `nil` if it does not exist.
  package init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    guard (1...9999).contains(year), (1...12).contains(month), (0..<24).contains(hour), (0..<60).contains(minute),
      (0..<60).contains(second)
    else { return nil }
    self.init()
    (tm_year, tm_mon, tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
    (tm_hour, tm_min, tm_sec) = (Int32(hour), Int32(minute), Int32(second))
    var normalized = self
    timegm(&normalized)
    guard normalized.tm_mon == tm_mon, normalized.tm_mday == tm_mday else { return nil }
  }
}

extension Timestamp {
  fileprivate var wholeSeconds: Int64 { (milliseconds - (milliseconds % 1000 + 1000) % 1000) / 1000 }
}
