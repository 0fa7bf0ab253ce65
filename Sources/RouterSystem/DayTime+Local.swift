import Glibc
package import RouterCore

extension DayTime {
  /// Creates the local time in this process's time zone.
  package init(_ time: Timestamp) {
    var seconds = time_t(time.milliseconds.quotientAndRemainder(dividingBy: 1000).quotient)
    var date = tm()
    localtime_r(&seconds, &date)
    self.init(minute: Int(date.tm_hour) * 60 + Int(date.tm_min), weekday: Weekday.allCases[Int(date.tm_wday)])
  }
}
