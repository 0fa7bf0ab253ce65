import ArgumentParser
import Router
import RouterClient
import RouterCommandLine

struct Queue: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "List open prompts, by session, in queue order.",
    discussion: """
      ID is the end of the full id; every command accepts it. Prompts of several sessions, as of two agents, are grouped by \
      session; # is the queue position. In a pipe, output is in queue order, tab-separated without a heading: id, surface, \
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
    guard style.isTerminal else {
      let rows = presentations.map { presentation in
        let request = presentation.request
        return [
          presentation.id.description, request.surface, presentation.endText, request.priority.rawValue,
          RequesterName(presentation).text, String(presentation.requester.process.uid),
          request.kind.rawValue, presentation.requestedAt.description, PresentationSummary(request).text,
        ]
      }
      return Table(heading: [], rows: rows).lines(style)
    }
    let groups = SessionGroups(presentations)
    let indent = groups.haveHeadings ? "  " : ""
    var inner = style
    inner.width -= indent.columns
    func cells(_ presentation: Presentation) -> PresentationCells {
      PresentationCells(
        presentation: presentation, zone: .system, users: users, now: now, style: inner)
    }
    let columns = groups.columns(PresentationTable.Column.queue)
    let table = PresentationTable(columns, fitting: presentations.map(cells), style: inner, isAll: true)
    let lines = groups.lines.map { line in
      switch line {
      case .heading(let prompts): cells(prompts[0]).heading(of: prompts.count)
      case .prompt(let presentation): indent + table.row(cells(presentation))
      }
    }
    return table.header.map { indent + $0 } + lines
  }
}
