import Router
import Testing

@testable import routerctl

struct LogStatsTextTests {
  private func statistics() throws -> AuditStatistics {
    let times = try JSONValue(parsing: #"{"p50": 0.3, "p90": 2, "p99": 65}"#)
    func group(_ key: String, _ name: String, _ count: Int, answered: Int) -> JSONValue {
      [
        key: .string(name), "count": .integer(count),
        "outcomes": ["answered": .integer(answered), "dismissed": .integer(count - answered)],
        "answers": ["yes": .integer(answered)],
        "waited": times, "shown": .null,
      ]
    }
    return try AuditStatistics(json: [
      "open": 2, "total": group("all", "", 40, answered: 30),
      "apps": [group("app", "deploy", 30, answered: 30), group("app", "back\u{1B}up", 10, answered: 0)],
      "outcomes": [group("outcome", "answered", 30, answered: 30)],
      "hours": [
        group("hour", "2026-11-21T07:00:00.000Z", 10, answered: 5), group("hour", "2026-11-21T09:00:00.000Z", 40, answered: 5),
      ],
    ])
  }

  private func lines(_ by: AuditStatistics.Dimension?, _ style: OutputStyle) throws -> [String] {
    LogStatsText(statistics: try statistics(), by: by, zone: .fixed(secondsEast: 3600), style: style).lines
  }

  @Test func `draws bars that fit the terminal, and a sparkline`() throws {
    for width in [80, 100, 200] {
      let lines = try lines(nil, .terminal(width))
      #expect(lines[0] == "42 prompts, 2 open")
      #expect(lines[1] == "▂ █ per hour since 2026-11-21 08:00")
      #expect(lines.allSatisfy { $0.columns <= max(width, 100) && !$0.contains("\u{1B}") }, "\(lines)")
      let deploy = lines.first { $0.hasPrefix("deploy") }
      #expect(deploy?.contains("████████") == true && deploy?.contains("100 %") == true && deploy?.contains("1m05s") == true)
    }
  }

  @Test func `shows local hours`() throws {
    #expect(try lines(.hour, .terminal(100)).contains { $0.hasPrefix("2026-11-21 08:00") })
  }

  @Test func `prints tab-separated columns in a pipe`() throws {
    #expect(
      try lines(.app, .plain) == [
        "deploy\t30\t30\t0\t0\t0\t0\t0.3\t2\t65\t-\t-\t-", "back\\u{1B}up\t10\t0\t10\t0\t0\t0\t0.3\t2\t65\t-\t-\t-",
      ])
  }

  @Test(
    arguments: [(0.0, "░░░░"), (1.0, "████"), (0.5, "██░░"), (0.03125, "▏░░░"), (2.0, "████"), (-1.0, "░░░░")]
      as [(Double, String)])
  func `draws a bar in proportion to its share`(share: Double, bar: String) {
    #expect(Bar.text(share, columns: 4, track: "░") == bar)
  }

  @Test func `draws a sparkline in proportion to its numbers`() {
    #expect(Bar.sparkline([0, 1, 4, 8]) == " ▁▄█")
    #expect(Bar.sparkline([]) == "")
    #expect(Bar.sparkline([0, 0]) == "  ")
  }

  @Test func `shows progress and the time left, and nothing for a quick run`() {
    let line = ProgressLine("verifying", style: .terminal(60)) { _ in }
    #expect(line.bar(0.25, passed: .seconds(10)).hasSuffix(" 25 %, 30s left"))
    #expect(line.bar(1, passed: .seconds(10)).contains("100 %"))
    #expect(line.bar(0.5, passed: .seconds(4000)).columns <= 60)
    let written = Mutex("")
    let quick = ProgressLine("verifying", style: .terminal(60)) { text in written.withLock { $0 += text } }
    quick.update(0.5)
    quick.finish()
    // It took less than a second.
    #expect(written.withLock(\.self) == "")
  }
}
