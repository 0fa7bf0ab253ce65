import ArgumentParser
import Router

struct LogShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the timeline of one prompt.",
    discussion: """
      EXAMPLES
        routerctl log show --last
        routerctl log show 5f0c1a2b
        routerctl log show 019aa3c4-7b1e-7c55-9f0e-3d215f0c1a2b --json
      """)

  @OptionGroup var target: TargetArgument

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Location") var location: LogLocation

  func run() async throws {
    let source = try location.open()
    let id = try await target.find(in: source)
    let events = try await source.events(of: id)
    guard !events.isEmpty else { throw RouterError(.notFound, "cannot find the prompt \(id) in the log") }
    try await Pager.run { out, style in
      let timeline = LogTimeline(events: events, zone: .system, users: .system, style: style)
      for line in output.json ? events.map(\.json.escapedForTerminal) : timeline.lines { out.line(line) }
    }
  }
}
