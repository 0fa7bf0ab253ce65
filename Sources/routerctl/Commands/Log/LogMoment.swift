import Router

/// A moment as people write it for `--since` and `--until`.
enum LogMoment {
  /// What may be written.
  static let help = """
    90s, 5m, 2h, 3d, 1w (ago), now, today, yesterday, 2026-11-21, "2026-11-21 07:00", or RFC 3339
    """

  /// Reads a moment; `nil` for what is none.
  ///
  /// - Parameters:
  ///   - now: What relative times count back from.
  ///   - zone: Where times without a zone of their own are meant.
  static func parse(_ text: String, now: Timestamp, zone: LocalTime) -> Timestamp? {
    switch text {
    case "now": now
    case "today": midnight(daysAgo: 0, now: now, zone: zone)
    case "yesterday": midnight(daysAgo: 1, now: now, zone: zone)
    default: ago(text, now: now) ?? local(text, zone: zone) ?? Timestamp(text)
    }
  }

  /// The beginning of a day here.
  private static func midnight(daysAgo: Int, now: Timestamp, zone: LocalTime) -> Timestamp {
    var fields = zone.fields(now)
    (fields.hour, fields.minute, fields.second) = (0, 0, 0)
    guard daysAgo > 0 else { return zone.moment(fields) }
    // Noon of the day before is at most two days off in no zone, whatever its clocks did.
    let noonBefore = zone.moment(fields).advanced(by: .seconds(-12 * 3600))
    return midnight(daysAgo: daysAgo - 1, now: noonBefore, zone: zone)
  }

  /// `2h`, or `1d12h`: so long before now. A day has 24 hours, a week seven days.
  private static func ago(_ text: String, now: Timestamp) -> Timestamp? {
    var total: Int64 = 0
    var digits = ""
    var hasUnit = false
    for character in text {
      if character.isASCII, character.isNumber {
        digits.append(character)
        continue
      }
      let seconds: Int64
      switch character {
      case "s": seconds = 1
      case "m": seconds = 60
      case "h": seconds = 3600
      case "d": seconds = 86_400
      case "w": seconds = 604_800
      default: return nil
      }
      // Ten thousand years are enough, and cannot overflow.
      guard let count = Int64(digits), count <= 315_360_000_000 / seconds else { return nil }
      total += count * seconds
      digits = ""
      hasUnit = true
    }
    guard hasUnit, digits.isEmpty, total <= 315_360_000_000 else { return nil }
    return now.advanced(by: .seconds(-total))
  }

  /// `2026-11-21`, `2026-11-21 07:00`, `2026-11-21 07:00:05`; also with a `T` between day and time.
  private static func local(_ text: String, zone: LocalTime) -> Timestamp? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == " " || $0 == "T" }
    guard let day = numbers(parts[0], separator: "-", digits: [4, 2, 2]) else { return nil }
    var fields = LocalTime.Fields(year: day[0], month: day[1], day: day[2])
    switch parts.count {
    case 1: break
    case 2:
      guard
        let time = numbers(parts[1], separator: ":", digits: [2, 2])
          ?? numbers(parts[1], separator: ":", digits: [2, 2, 2])
      else { return nil }
      (fields.hour, fields.minute, fields.second) = (time[0], time[1], time.count > 2 ? time[2] : 0)
    default: return nil
    }
    return fields.areOfTheCalendar ? zone.moment(fields) : nil
  }

  private static func numbers(_ text: Substring, separator: Character, digits: [Int]) -> [Int]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == digits, text.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "+") }) else { return nil }
    let numbers = parts.compactMap { Int($0) }
    return numbers.count == parts.count ? numbers : nil
  }
}
