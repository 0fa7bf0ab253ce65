import Glibc
import Router
import RouterCommandLine
import Testing

@testable import routerctl

struct LogMomentTests {
  /// 2026-11-21, 08:30 in a zone two hours east.
  let now = Timestamp("2026-11-21T06:30:00.000Z")!
  let zone = LocalTime.fixed(secondsEast: 7200)

  @Test(arguments: [
    ("now", "2026-11-21T06:30:00.000Z"), ("90s", "2026-11-21T06:28:30.000Z"), ("5m", "2026-11-21T06:25:00.000Z"),
    ("2h", "2026-11-21T04:30:00.000Z"), ("3d", "2026-11-18T06:30:00.000Z"), ("1w", "2026-11-14T06:30:00.000Z"),
    ("1d12h", "2026-11-19T18:30:00.000Z"), ("0s", "2026-11-21T06:30:00.000Z"),
    ("today", "2026-11-20T22:00:00.000Z"), ("yesterday", "2026-11-19T22:00:00.000Z"),
    ("2026-11-21", "2026-11-20T22:00:00.000Z"), ("2026-11-21 07:00", "2026-11-21T05:00:00.000Z"),
    ("2026-11-21 07:00:05", "2026-11-21T05:00:05.000Z"), ("2026-11-21T07:00", "2026-11-21T05:00:00.000Z"),
    ("2024-02-29", "2024-02-28T22:00:00.000Z"), ("2026-11-21T07:00:00Z", "2026-11-21T07:00:00.000Z"),
    ("2026-11-21T07:00:00.250+01:00", "2026-11-21T06:00:00.250Z"),
  ])
  func `parses times as people write them`(text: String, expected: String) {
    #expect(LogMoment.parse(text, now: now, zone: zone)?.description == expected)
  }

  @Test(arguments: [
    "", "2", "h", "2x", "h2", "2h3", "-2h", "2 h", "+2h", "99999999999999999999s", "9999999999999w", "Today", "2026-11",
    "2026-02-30", "2025-02-29", "2026-13-01", "2026-00-10", "2026-11-21 24:00", "2026-11-21 07:60", "2026-11-21 7:00",
    "2026-11-21 07:00 08:00", "2026-11-21 ", "2026-11-21  07:00", "+026-11-21", "٢h",
  ])
  func `refuses an invalid time`(text: String) {
    #expect(LogMoment.parse(text, now: now, zone: zone) == nil)
  }

  @Test func `starts a day at local midnight, not in UTC`() {
    // It is already the 22nd two hours further east.
    let late = Timestamp("2026-11-21T23:00:00.000Z")!
    #expect(LogMoment.parse("today", now: late, zone: zone)?.description == "2026-11-21T22:00:00.000Z")
    #expect(LogMoment.parse("yesterday", now: late, zone: zone)?.description == "2026-11-20T22:00:00.000Z")
    let west = LocalTime.fixed(secondsEast: -8 * 3600)
    #expect(LogMoment.parse("today", now: now, zone: west)?.description == "2026-11-20T08:00:00.000Z")
  }

  @Test func `converts to the machine's time zone and back`() throws {
    // Noon is never skipped or repeated.
    let noon = try #require(tm(year: 2026, month: 1, day: 1, hour: 12))
    for day in 0..<400 {
      let moment = LocalTime.system.moment(noon).advanced(by: .seconds(86_400 * day))
      #expect(LocalTime.system.moment(LocalTime.system.date(moment)) == moment)
    }
  }

  @Test func `formats a time in its zone`() {
    let moment = Timestamp("2026-01-02T22:04:05.067Z")!
    #expect(zone.text(moment) == "2026-01-03 00:04:05")
    #expect(zone.text(moment, precisely: true) == "2026-01-03 00:04:05.067")
    #expect(LocalTime.fixed(secondsEast: 0).text(Timestamp(milliseconds: -1), precisely: true) == "1969-12-31 23:59:59.999")
  }

  @Test(arguments: [
    (0, "0.0s"), (340, "0.3s"), (9999, "9.9s"), (10_000, "10s"), (59_999, "59s"), (185_000, "3m05s"),
    (7_980_000, "2h13m"), (370_800_000, "4d07h"), (-5, "0.0s"),
  ])
  func `formats a duration in two units`(milliseconds: Int, expected: String) {
    #expect(Duration.milliseconds(milliseconds).compact == expected)
  }
}
