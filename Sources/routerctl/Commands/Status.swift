import ArgumentParser
import OrderedCollections
import Router
import RouterClient
import RouterCommandLine

struct Status: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the status of the daemon and its surfaces.",
    discussion: """
      EXAMPLES
        routerctl status
        routerctl status --json | jq .surfaces
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var daemon: DaemonOptions

  func run() async throws {
    let client = daemon.client()
    let status = try await client.status()
    let surfaces = try await client.surfaces()
    let switched = try await client.switched()
    let out = StandardStream.output
    if output.json {
      var members = status.json.object ?? [:]
      members["surfaces"] = .array(surfaces.map(\.json))
      members["switch"] = switched.json
      out.line(JSONValue.object(members).escapedForTerminal)
    } else {
      for line in Self.lines(status, surfaces, switched, out.style, now: PresentationClock.system.wall()) { out.line(line) }
    }
  }

  static func lines(
    _ status: DaemonStatus, _ surfaces: [SurfaceState], _ switched: Switch, _ style: OutputStyle, now: Timestamp
  ) -> [String] {
    var facts: [(String, String)] = [
      ("version", status.version),
      ("uptime", style.isTerminal ? status.uptime.brief : String(status.uptime.components.seconds)),
      ("open", String(status.open)), ("database", "\(status.databaseBytes) bytes"), ("durability", status.durability),
    ]
    if switched.isOff { facts.insert(("router", style.text(switched.words(now: now), .red)), at: 0) }
    if !status.isWritable {
      facts.append(("log", style.text("not writable: requests and answers are refused", .red)))
    }
    for surface in status.shared {
      let role = surface.isLeading ? "this host leads" : "another host leads"
      let state = surface.isReachable ? role : style.text("the database cannot be reached", .red)
      facts.append(("shared", "\(surface.name): \(state)"))
    }
    var lines = facts.map { name, value in
      style.isTerminal
        ? style.text(name + String(repeating: " ", count: 12 - name.count), .dim) + value : "\(name)\t\(value)"
    }
    var table = Table(heading: ["SURFACE", "SHOWN", "WAITING", "PRESENTERS"])
    table.rows = surfaces.map { surface in
      let presenters = surface.presenters.map { "\($0.name) (uid \($0.uid), \($0.since.text(style, now: now)))" }
      let shown = surface.presented.map(\.description).joined(separator: " ")
      return [surface.name, shown, String(surface.waiting), presenters.joined(separator: "; ")]
    }
    if !table.rows.isEmpty { lines += (style.isTerminal ? [""] : []) + table.lines(style) }
    return lines
  }
}
