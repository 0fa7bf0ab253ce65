import Glibc
import Router

/// A time zone. FoundationEssentials has only GMT; the C library has all zones, but a process uses one at a time.
struct LocalTime: Sendable {
  /// `nil` for the process' own zone: `TZ`, else the machine's.
  private let secondsEast: Int?

  static let system = LocalTime(secondsEast: nil)

  /// A zone with a constant offset from Greenwich.
  static func fixed(secondsEast: Int) -> LocalTime { LocalTime(secondsEast: secondsEast) }

  func date(_ moment: Timestamp) -> tm {
    var seconds = time_t(moment.wholeSeconds) + (secondsEast ?? 0)
    var date = tm()
    if secondsEast == nil { localtime_r(&seconds, &date) } else { gmtime_r(&seconds, &date) }
    return date
  }

  /// The moment of a date and time. One that the clocks skip or show twice gives a moment close to it.
  func moment(_ date: tm) -> Timestamp {
    var date = date
    date.tm_isdst = -1
    let seconds = secondsEast.map { timegm(&date) - $0 } ?? mktime(&date)
    return Timestamp(milliseconds: Int64(seconds) * 1000)
  }

  /// A moment as people read it: `2026-11-21 07:00:00`, with milliseconds if `precisely`.
  func text(_ moment: Timestamp, precisely: Bool = false) -> String {
    let date = date(moment)
    var text = ""
    text.append(Int(date.tm_year) + 1900, digits: 4)
    text.append(Int(date.tm_mon) + 1, after: "-")
    text.append(Int(date.tm_mday), after: "-")
    text.append(Int(date.tm_hour), after: " ")
    text.append(Int(date.tm_min), after: ":")
    text.append(Int(date.tm_sec), after: ":")
    if precisely { text.append(Int(moment.milliseconds - moment.wholeSeconds * 1000), digits: 3, after: ".") }
    return text
  }
}

extension tm {
  /// A date and time of the calendar; `nil` if there is no such day or time.
  init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
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
  /// Seconds since 1970, rounded down.
  fileprivate var wholeSeconds: Int64 { (milliseconds - (milliseconds % 1000 + 1000) % 1000) / 1000 }
}

extension String {
  fileprivate mutating func append(_ number: Int, digits: Int = 2, after separator: String = "") {
    let written = String(number)
    self += separator + String(repeating: "0", count: max(0, digits - written.utf8.count)) + written
  }
}
