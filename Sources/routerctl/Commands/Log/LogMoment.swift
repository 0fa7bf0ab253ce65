import Glibc
import Router

enum LogMoment {
  static let help = """
    90s, 5m, 2h, 3d, 1w (ago), now, today, yesterday, 2026-11-21, "2026-11-21 07:00", or RFC 3339
    """

  /// Parses a time; `nil` if the format is invalid. `zone` applies to times without a zone.
  static func parse(_ text: String, now: Timestamp, zone: LocalTime) -> Timestamp? {
    switch text {
    case "now": now
    case "today": midnight(daysAgo: 0, now: now, zone: zone)
    case "yesterday": midnight(daysAgo: 1, now: now, zone: zone)
    default: ago(text, now: now) ?? local(text, zone: zone) ?? Timestamp(text)
    }
  }

  private static func midnight(daysAgo: Int, now: Timestamp, zone: LocalTime) -> Timestamp {
    var date = zone.date(now)
    (date.tm_hour, date.tm_min, date.tm_sec) = (0, 0, 0)
    guard daysAgo > 0 else { return zone.moment(date) }
    // Twelve hours before midnight is the previous day in every zone, even across clock changes.
    let noonBefore = zone.moment(date).advanced(by: .seconds(-12 * 3600))
    return midnight(daysAgo: daysAgo - 1, now: noonBefore, zone: zone)
  }

  /// Parses an age such as `2h` or `1d12h`, counted back from now. A day has 24 hours.
  private static func ago(_ text: String, now: Timestamp) -> Timestamp? {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    // The limit of ten thousand years prevents overflow.
    let longest: Int64 = 315_360_000_000
    var total: Int64 = 0
    var digits = ""
    for character in text {
      if character.isASCII, character.isNumber {
        digits.append(character)
      } else {
        guard let unit = units[character], let count = Int64(digits), count <= longest / unit else { return nil }
        total += count * unit
        digits = ""
      }
    }
    guard !text.isEmpty, digits.isEmpty, total <= longest else { return nil }
    return now.advanced(by: .seconds(-total))
  }

  /// Parses `2026-11-21`, `2026-11-21 07:00` or `2026-11-21 07:00:05`, with a space or `T`.
  private static func local(_ text: String, zone: LocalTime) -> Timestamp? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == " " || $0 == "T" }
    guard let day = numbers(parts[0], separator: "-", digits: [4, 2, 2]) else { return nil }
    var time = [0, 0]
    if parts.count > 1 {
      let given = numbers(parts[1], separator: ":", digits: [2, 2]) ?? numbers(parts[1], separator: ":", digits: [2, 2, 2])
      guard let given, parts.count == 2 else { return nil }
      time = given
    }
    return tm(
      year: day[0], month: day[1], day: day[2], hour: time[0], minute: time[1], second: time.count > 2 ? time[2] : 0
    ).map(zone.moment)
  }

  private static func numbers(_ text: Substring, separator: Character, digits: [Int]) -> [Int]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == digits, text.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "+") }) else { return nil }
    let numbers = parts.compactMap { Int($0) }
    return numbers.count == parts.count ? numbers : nil
  }
}
