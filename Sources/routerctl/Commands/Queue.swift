import ArgumentParser
import Router
import RouterClient
import RouterCommandLine

struct Queue: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "List open prompts, in queue order.",
    discussion: """
      ID is the end of the full id; every command accepts it. In a pipe, output is tab-separated without a heading: id, surface,
      state, priority, app, uid, kind, time (RFC 3339), title.

      EXAMPLES
        routerctl queue
        routerctl queue --surface desk --state queued
        routerctl queue --json | jq -r .request.title
      """)

  @Option(help: "Filter by surface.")
  var surface: String?

  @Option(help: "Filter by app.")
  var app: String?

  @Option(help: "Filter by state: queued or presented.")
  var state: Presentation.State?

  @OptionGroup var output: OutputOptions
  @OptionGroup var daemon: DaemonOptions

  func run() async throws {
    let presentations = try await daemon.client().presentations(surface: surface, app: app, state: state)
    let out = StandardStream.output
    if output.json {
      for presentation in presentations { out.line(presentation.jsonText.escapedForTerminal) }
    } else if presentations.isEmpty, out.style.isTerminal {
      StandardStream.error.line("routerctl: no open prompts")
    } else {
      for line in Self.lines(presentations, out.style, now: PresentationClock.system.wall()) { out.line(line) }
    }
  }

  static func lines(
    _ presentations: [Presentation], _ style: OutputStyle, users: UserNames = .system, now: Timestamp
  ) -> [String] {
    let names = RequesterNames(presentations)
    guard style.isTerminal else {
      let rows = presentations.map { presentation in
        let request = presentation.request
        return [
          presentation.id.description, request.surface, presentation.endText, request.priority.rawValue,
          names[presentation].parts.joined(separator: " · "), String(presentation.requester.process.uid),
          request.kind.rawValue, presentation.requestedAt.description, PresentationSummary(request).text,
        ]
      }
      return Table(heading: [], rows: rows).lines(style)
    }
    let cells = presentations.map {
      PresentationCells(
        presentation: $0, zone: .system, users: users, now: now, style: style, name: names[$0])
    }
    let table = PresentationTable(PresentationTable.Column.queue, fitting: cells, style: style, isAll: true)
    return table.header + cells.map(table.row)
  }
}
