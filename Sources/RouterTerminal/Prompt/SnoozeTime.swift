import Glibc
package import RouterCore

/// The end of a snooze.
package enum SnoozeTime: Sendable, Hashable, CaseIterable {
  case quarter, hour, morning

  package var label: String {
    switch self {
    case .quarter: "15 min"
    case .hour: "1 h"
    case .morning: "until 09:00"
    }
  }

  package func duration(from now: Timestamp, zone: LocalTime = .system) -> Duration {
    switch self {
    case .quarter: return .seconds(900)
    case .hour: return .seconds(3600)
    case .morning:
      var date = zone.date(now)
      (date.tm_hour, date.tm_min, date.tm_sec) = (9, 0, 0)
      // With less than a minute left, uses the next day.
      if zone.moment(date) <= now.advanced(by: .seconds(60)) { date.tm_mday += 1 }
      // A day on which clocks go back has 25 hours.
      return min(zone.moment(date).duration(since: now), .seconds(86_400))
    }
  }
}
