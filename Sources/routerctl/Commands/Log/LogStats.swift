import ArgumentParser
import Router

struct LogStats: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Count what was asked, and say how long people were kept waiting and took.",
    discussion: """
      WAITED is the time until it was first shown, SHOWN from then until it ended: half of them, nine of ten, and 99 of 100 \
      took no longer. Each is within a sixteenth of the truth. Hours and days are local; asked of the daemon, days are in UTC. \
      In a pipe the columns are separated by tabs and times are in seconds.

      EXAMPLES
        routerctl log stats --since 1w
        routerctl log stats --by app --since today
        routerctl log stats --by day --outcome expired
        routerctl log stats --json
      """)

  @Option(
    help: ArgumentHelp("Count by app, hour, day or outcome.", valueName: "what"),
    completion: .list(["app", "hour", "day", "outcome"]))
  var by: AuditStatistics.Dimension?

  @OptionGroup(title: "Which") var filters: LogFilters
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Where") var location: LogLocation

  func run() async throws {
    let zone = LocalTime.system
    let dimensions: Set<AuditStatistics.Dimension> =
      by.map { [$0] } ?? (output.json ? [.app, .hour, .day, .outcome] : [.app, .hour, .outcome])
    let statistics = try await location.open().statistics(filters.query, by: dimensions) { moment in
      String(zone.text(moment).prefix(10))
    }
    let out = StandardStream.output
    if output.json { return out.line(statistics.json.escapedForTerminal) }
    let text = LogStatsText(statistics: statistics, by: by, zone: zone, style: out.style)
    for line in text.lines { out.line(line) }
  }
}
