import Foundation
import Router
import RouterCommandLine
import Testing

@testable import routerctl

struct TableTests {
  private let table = Table(heading: ["ID", "TITLE"], rows: [["1", "a\tb\u{1B}"], ["22", "한글"]], flexible: 1)

  @Test func `aligns a table on a terminal`() {
    let style = OutputStyle(isTerminal: true, hasColor: false, width: 80)
    #expect(table.lines(style) == ["ID  TITLE", "1   a\\u{9}b\\u{1B}", "22  한글"])
  }

  @Test func `separates a table with tabs in a pipe`() {
    #expect(table.lines(.plain) == ["1\ta\\u{9}b\\u{1B}", "22\t한글"])
  }

  @Test func `truncates the flexible column of a table that is too wide`() {
    let style = OutputStyle(isTerminal: true, hasColor: false, width: 16)
    let table = Table(heading: ["A", "B", "C"], rows: [["1", String(repeating: "x", count: 40), "3"]], flexible: 1)
    #expect(table.lines(style).last == "1  xxxxxxxxx…  3")
  }

  @Test(arguments: [
    (0, "0 s ago"), (59, "59 s ago"), (60, "1 min ago"), (7200, "2 h ago"), (200_000, "2 d ago"), (-90, "in 1 min"),
  ])
  func `formats a time relative to now`(seconds: Int64, text: String) {
    let now = Timestamp(milliseconds: 1_700_000_000_000)
    #expect(now.advanced(by: .seconds(-seconds)).relative(to: now) == text)
  }

  @Test func `lists open presentations with their ids`() {
    let now = Timestamp(milliseconds: 1_700_000_060_000)
    #expect(
      Queue.lines([.sample(.deploy)], .plain, now: now) == [
        "01936f5e-1b2c-7def-8a90-112233445566\tmain\tpresented\tnormal\tdeploy\t7123\talert\t2023-11-14T22:13:20.000Z\tDeploy 1.4.2?"
      ])
  }

  @Test(arguments: [40, 60, 80, 120])
  func `lists open prompts within the terminal, and what all share above them`(width: Int) throws {
    let style = OutputStyle.terminal(width)
    let prompts: [Presentation] = [
      .agent("npm test", session: "a1b2c3"), .agent("make deploy", session: "d4e5f6"), .agent("ls", in: "/srv/blog"),
    ]
    let lines = Queue.lines(prompts, style, users: .samples, now: Presentation.asked.advanced(by: .seconds(180)))
    #expect(lines.count == 8)
    #expect(lines.allSatisfy { $0.columns <= width }, "\(lines)")
    #expect(lines[0].hasPrefix("  all rows: user ada"))
    for (line, name) in zip(
      [lines[2], lines[4], lines[6]], [" · shop · b2c3  1 prompt", " · shop · e5f6  1 prompt", " · blog · s  1 prompt"])
    {
      #expect(line.hasPrefix("claude-code\(name)"))
    }
    guard width >= 80 else { return }
    for (line, what) in zip([lines[3], lines[5], lines[7]], ["npm test", "make deploy", "ls"]) {
      #expect(line.hasPrefix("  1 5f0c1a2b 3 min ago shown ") && line.hasSuffix("Run this? · \(what)"))
    }
  }

  @Test func `lists the prompts of one session without a heading, and all in queue order in a pipe`() {
    func lines(_ prompts: [Presentation], _ style: OutputStyle) -> [String] {
      Queue.lines(prompts, style, users: .samples, now: Presentation.asked)
    }
    let one: [Presentation] = [.agent("npm test"), .agent("make deploy")]
    #expect(lines(one, .terminal(120)).map { String($0.prefix(9)) } == ["all rows:", "ID       ", "5f0c1a2b ", "5f0c1a2b "])
    let two: [Presentation] = [.agent("npm test"), .agent("ls", session: "t", in: "/srv/blog"), .agent("make deploy")]
    #expect(
      lines(two, .plain).map { $0.split(separator: "\t")[4] } == [
        "claude-code · shop · s", "claude-code · blog · t", "claude-code · shop · s",
      ])
  }

  @Test func `shows the daemon's state and surfaces`() {
    let status = DaemonStatus(
      version: "1", uptime: .seconds(3), surfaces: 1, open: 2, databaseBytes: 10, durability: "full", isWritable: false,
      database: "", shared: [DaemonStatus.SharedSurface(name: "ops", isLeading: true, isReachable: true)])
    let id = PresentationID(uuid: UUID())
    let presenter = AttachedPresenter(name: "t", uid: 0, since: Timestamp(milliseconds: 0))
    let surface = SurfaceState(name: "main", presented: [id], waiting: 1, presenters: [presenter], pauses: [])
    #expect(
      Status.lines(status, [surface], .on, .plain, now: Timestamp(milliseconds: 0)) == [
        "version\t1", "uptime\t3", "open\t2", "database\t10 bytes", "durability\tfull",
        "log\tnot writable: requests and answers are refused", "shared\tops: this host leads",
        "main\t\(id)\t1\tt (uid 0, 1970-01-01T00:00:00.000Z)",
      ])
  }
}
