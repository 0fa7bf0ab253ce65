/// A local time of day and day of the week, as rules compare it.
package struct DayTime: Sendable, Hashable {
  package enum Weekday: String, Sendable, Hashable, CaseIterable {
    case sun, mon, tue, wed, thu, fri, sat
  }

  /// Minutes since midnight.
  package let minute: Int
  package let weekday: Weekday

  package init(minute: Int, weekday: Weekday) { (self.minute, self.weekday) = (minute, weekday) }

  /// A part of the day, which may span midnight: `22:00-07:00`, excluding the end.
  package struct Span: Sendable, Hashable, CustomStringConvertible {
    let (start, end): (Int, Int)

    /// Parses two different times; `nil` for anything else.
    package init?(_ text: String) {
      let times = text.split(at: "-", omittingEmptySubsequences: false).map { Self.minute($0) }
      guard times.count == 2, let start = times[0], let end = times[1], start != end else { return nil }
      (self.start, self.end) = (start, end)
    }

    private static func minute(_ text: Substring) -> Int? {
      let parts = text.split(at: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isNumber) }), let hour = Int(parts[0]),
        let minute = Int(parts[1]), hour <= 24, minute < 60, hour < 24 || minute == 0
      else { return nil }
      return hour * 60 + minute
    }

    package func contains(_ minute: Int) -> Bool {
      start < end ? (start..<end).contains(minute) : minute >= start || minute < end
    }

    package var description: String {
      [start, end].map { time in
        [time / 60, time % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
      }.joined(separator: "-")
    }
  }
}
