import ArgumentParser
import Router

struct LogStats: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Count prompts by outcome, and show how long they took.",
    discussion: """
      WAITED is the time until a prompt was first shown, SHOWN the time from then until it ended: median, 90th and 99th \
      percentile, accurate to about 6%. Hours and days are local; from the daemon, days are in UTC. In a pipe, columns \
      are separated by tabs and times are in seconds.

      EXAMPLES
        routerctl log stats --since 1w
        routerctl log stats --by app --since today
        routerctl log stats --by day --outcome expired
        routerctl log stats --json
      """)

  @Option(
    help: ArgumentHelp("Group by app, hour, day, outcome or answer.", valueName: "what"),
    completion: .list(AuditStatistics.Dimension.allCases.map(\.rawValue)))
  var by: AuditStatistics.Dimension?

  @OptionGroup(title: "Filters") var filters: LogFilters
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Location") var location: LogLocation

  func run() async throws {
    let zone = LocalTime.system
    let dimensions: Set<AuditStatistics.Dimension> =
      by.map { [$0] } ?? (output.json ? Set(AuditStatistics.Dimension.allCases) : [.app, .hour, .outcome, .answer])
    let source = try location.open()
    let statistics = try await source.statistics(filters.query, by: dimensions) { moment in
      String(zone.text(moment).prefix(10))
    }
    await location.noteUnindexedEvents(source)
    if output.json { return StandardStream.output.line(statistics.json.escapedForTerminal) }
    try await Pager.run { out, style in
      for line in LogStatsText(statistics: statistics, by: by, zone: zone, style: style).lines { out.line(line) }
    }
  }
}
