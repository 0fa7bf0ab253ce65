import ArgumentParser
import Router
import RouterClient
import RouterCommandLine

struct Queue: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "List open prompts, in queue order.",
    discussion: """
      ID is the end of the full id; every command accepts it. In a pipe, output is tab-separated without a heading, with full
      ids and times in RFC 3339.

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
      for line in Self.table(presentations, out.style, now: PresentationClock.system.wall()).lines(out.style) { out.line(line) }
    }
  }

  static func table(_ presentations: [Presentation], _ style: OutputStyle, now: Timestamp) -> Table {
    var table = Table(
      heading: ["ID", "SURFACE", "STATE", "PRIORITY", "APP", "UID", "KIND", "ASKED", "TITLE"], flexible: 8)
    table.rows = presentations.map { presentation in
      let request = presentation.request
      return [
        style.isTerminal ? presentation.id.short : presentation.id.description, request.surface, presentation.endText,
        request.priority.rawValue, presentation.requester.app, String(presentation.requester.process.uid),
        request.kind.rawValue, presentation.requestedAt.text(style, now: now), request.heading,
      ]
    }
    return table
  }
}
