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
    let surfaces = try await client.surfaces()["surfaces"] ?? []
    let out = StandardStream.output
    if output.json {
      var members = status.object ?? [:]
      members["surfaces"] = surfaces
      out.line(JSONValue.object(members).escapedForTerminal)
    } else {
      for line in Self.lines(status, surfaces, out.style, now: PresentationClock.system.wall()) { out.line(line) }
    }
  }

  static func lines(_ status: JSONValue, _ surfaces: JSONValue, _ style: OutputStyle, now: Timestamp) -> [String] {
    let uptime = Duration.seconds(status["uptime"]?.number?.double ?? 0)
    var facts: [(String, String)] = [
      ("version", status["version"]?.string ?? "?"),
      ("uptime", style.isTerminal ? uptime.brief : String(uptime.components.seconds)),
      ("open", status["open"]?.description ?? "?"),
      ("database", (status["databaseBytes"]?.description ?? "?") + " bytes"),
      ("durability", status["durability"]?.string ?? "?"),
    ]
    if status["writable"]?.bool == false {
      facts.append(("log", style.text("not writable: requests and answers are refused", .red)))
    }
    for surface in status["shared"]?.array ?? [] {
      let role = surface["leading"]?.bool == true ? "this host leads" : "another host leads"
      let state = surface["reachable"]?.bool == true ? role : style.text("the database cannot be reached", .red)
      facts.append(("shared", "\(surface["name"]?.string ?? "?"): \(state)"))
    }
    var lines = facts.map { name, value in
      style.isTerminal
        ? style.text(name + String(repeating: " ", count: 12 - name.count), .dim) + value : "\(name)\t\(value)"
    }
    var table = Table(heading: ["SURFACE", "SHOWN", "WAITING", "PRESENTERS"])
    table.rows = (surfaces.array ?? []).map { surface in
      let presenters = (surface["presenters"]?.array ?? []).map { presenter in
        let since = presenter["since"]?.string.flatMap { Timestamp($0) }.map { ", \($0.text(style, now: now))" } ?? ""
        return "\(presenter["name"]?.string ?? "?") (uid \(presenter["uid"]?.description ?? "?")\(since))"
      }
      return [
        surface["name"]?.string ?? "?", (surface["presented"]?.array ?? []).compactMap(\.string).joined(separator: " "),
        surface["waiting"]?.description ?? "?", presenters.joined(separator: "; "),
      ]
    }
    if !table.rows.isEmpty { lines += (style.isTerminal ? [""] : []) + table.lines(style) }
    return lines
  }
}
