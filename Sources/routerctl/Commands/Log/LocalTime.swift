import Glibc
import Router

/// A time zone, as the calendar's numbers of a moment and back.
///
/// FoundationEssentials knows no zone but GMT; the C library knows them all, but only the one that the process is in.
struct LocalTime: Sendable {
  /// The calendar's numbers: year, month 1…12, day, hour, minute, second.
  struct Fields: Sendable, Hashable {
    var year, month, day: Int
    var hour = 0
    var minute = 0
    var second = 0
  }

  /// The zone's numbers of a moment.
  var fields: @Sendable (Timestamp) -> Fields
  /// The moment of the zone's numbers, which are a day of the calendar. Numbers that the clocks skipped or showed twice mean
  /// one of the moments near by.
  var moment: @Sendable (Fields) -> Timestamp

  /// The zone of this process: `TZ`, else the machine's.
  static let system = LocalTime(
    fields: { moment in
      var seconds = time_t(moment.wholeSeconds)
      var parts = tm()
      localtime_r(&seconds, &parts)
      return Fields(parts)
    },
    moment: { fields in
      var parts = tm(fields)
      parts.tm_isdst = -1
      return Timestamp(milliseconds: Int64(mktime(&parts)) * 1000)
    })

  /// A zone that is always so far east of Greenwich.
  static func fixed(secondsEast offset: Int) -> LocalTime {
    LocalTime(
      fields: { moment in
        var seconds = time_t(moment.wholeSeconds) + offset
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return Fields(parts)
      },
      moment: { fields in
        var parts = tm(fields)
        return Timestamp(milliseconds: Int64(timegm(&parts) - offset) * 1000)
      })
  }

  /// The moment as people read it here: `2026-11-21 07:00:00`, and with milliseconds where `precisely`.
  func text(_ moment: Timestamp, precisely: Bool = false) -> String {
    let fields = fields(moment)
    var text = ""
    text.append(fields.year, digits: 4)
    text.append(fields.month, after: "-")
    text.append(fields.day, after: "-")
    text.append(fields.hour, after: " ")
    text.append(fields.minute, after: ":")
    text.append(fields.second, after: ":")
    if precisely { text.append(Int(moment.milliseconds - moment.wholeSeconds * 1000), digits: 3, after: ".") }
    return text
  }
}

extension LocalTime.Fields {
  /// Whether there is such a day and such a time of the day.
  var areOfTheCalendar: Bool {
    guard (1...9999).contains(year), (1...12).contains(month), (0..<24).contains(hour), (0..<60).contains(minute),
      (0..<60).contains(second)
    else { return false }
    var parts = tm(self)
    timegm(&parts)
    return parts.tm_mon == month - 1 && parts.tm_mday == day
  }

  fileprivate init(_ parts: tm) {
    self.init(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday), hour: Int(parts.tm_hour),
      minute: Int(parts.tm_min), second: Int(parts.tm_sec))
  }
}

extension tm {
  fileprivate init(_ fields: LocalTime.Fields) {
    self.init()
    tm_year = Int32(fields.year - 1900)
    tm_mon = Int32(fields.month - 1)
    tm_mday = Int32(fields.day)
    tm_hour = Int32(fields.hour)
    tm_min = Int32(fields.minute)
    tm_sec = Int32(fields.second)
  }
}

extension Timestamp {
  /// Seconds since 1970, rounded down.
  fileprivate var wholeSeconds: Int64 { (milliseconds - (milliseconds % 1000 + 1000) % 1000) / 1000 }
}

extension String {
  /// Adds a number, with zeros before it where it has fewer digits.
  fileprivate mutating func append(_ number: Int, digits: Int = 2, after separator: String = "") {
    let written = String(number)
    self += separator
    for _ in 0..<max(0, digits - written.utf8.count) { self += "0" }
    self += written
  }
}
