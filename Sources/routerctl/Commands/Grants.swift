import ArgumentParser
import Router
import RouterClient
import RouterCommandLine

struct Grants: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grants",
    abstract: "List and revoke remembered answers.",
    discussion: """
      EXAMPLES
        routerctl grants
        routerctl grants revoke 5f0c1a2b
        routerctl grants revoke --all
      """,
    subcommands: [List.self, Show.self, Revoke.self], defaultSubcommand: List.self)
}

extension Grants {
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the remembered answers in force.",
      discussion: """
        ID is the end of the full id; every command accepts it. In a pipe, output is tab-separated without a heading: id, answer,
        app, surface, act, until (RFC 3339, session or always), uses, end.
        """)

    @Flag(help: "List those that have ended too.")
    var all = false

    @Option(help: "Filter by app.")
    var app: String?

    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
      let records = try await daemon.client().grants(ended: all, app: app)
      let out = StandardStream.output
      if output.json {
        for record in records { out.line(JSONText(record).escapedForTerminal) }
      } else if records.isEmpty, out.style.isTerminal {
        StandardStream.error.line("routerctl: no answers are remembered")
      } else {
        for line in Grants.lines(records, out.style, now: PresentationClock.system.wall()) { out.line(line) }
      }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show a remembered answer: what it covers, who gave it, and its uses.")

    @Argument(help: "Id of a remembered answer, or at least 4 characters of its beginning or end.")
    var id: IDArgument

    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
      let client = daemon.client()
      let record = try id.find(in: try await client.grants(ended: true))
      if output.json { return StandardStream.output.line(JSONText(record).escapedForTerminal) }
      for (name, text) in record.facts {
        let label = name + ":"
        StandardStream.output.line(label + String(repeating: " ", count: max(1, 11 - label.count)) + text.escapedForTerminal())
      }
    }
  }

  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "revoke",
      abstract: "End remembered answers: the person is asked again.", discussion: "Prints the ids.")

    @Argument(help: "Ids, or at least 4 characters of their beginnings or ends.")
    var id: [IDArgument] = []

    @Flag(help: "Revoke all that you gave or benefit from.")
    var all = false

    @Option(help: "Revoke those of this app.")
    var app: String?

    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
      guard [!id.isEmpty, all, app != nil].count(where: { $0 }) == 1 else {
        throw ValidationError("Pass ids, --all or --app.")
      }
    }

    func run() async throws {
      let client = daemon.client()
      let records = try await client.grants(ended: !id.isEmpty, app: app)
      let ids = id.isEmpty ? records.map(\.grant.id) : try id.map { try $0.find(in: records).grant.id }
      var failure: RouterError?
      for id in ids {
        do {
          StandardStream.output.line(try await client.revoke(id).grant.id.description)
        } catch let error as RouterError where [.resolved, .forbidden].contains(error.code) {
          // A listed grant may have ended since, or belong to another user that an auditor can see. For a named grant this is
          // an error, but the remaining grants are still revoked.
          guard !self.id.isEmpty else { continue }
          if let failure { StandardStream.error.line("routerctl: \(failure.message.escapedForTerminal())") }
          failure = error
        }
      }
      if let failure { throw failure }
    }
  }

  static func lines(_ records: [GrantRecord], _ style: OutputStyle, now: Timestamp) -> [String] {
    let rows = records.map { record in
      let grant = record.grant
      return [
        style.isTerminal ? String(grant.id.description.suffix(8)) : grant.id.description, grant.label, grant.app,
        grant.condition.surface, grant.coverage, style.isTerminal ? record.timeLeft(at: now) : record.until,
        String(record.uses), record.end?.rawValue ?? "",
      ]
    }
    let heading = ["ID", "ANSWER", "APP", "SURFACE", "FOR", "UNTIL", "USED", "ENDED"]
    // Constant columns are redundant in a terminal.
    let hasEnded = records.contains { $0.end != nil }
    guard style.isTerminal, !hasEnded else { return Table(heading: heading, rows: rows, flexible: 4).lines(style) }
    return Table(heading: Array(heading.dropLast()), rows: rows.map { Array($0.dropLast()) }, flexible: 4).lines(style)
  }
}

extension IDArgument {
  func find(in records: [GrantRecord]) throws -> GrantRecord {
    guard let found = try find(among: records.map(\.grant.id)), let record = records.first(where: { $0.grant.id == found })
    else {
      throw RouterError(.notFound, "cannot find the remembered answer \(text)")
    }
    return record
  }
}

extension GrantRecord {
  /// The end as a time, `session` or `always`.
  fileprivate var until: String { grant.isAlways ? "always" : grant.until?.description ?? "session" }

  fileprivate func timeLeft(at now: Timestamp) -> String {
    if grant.isAlways { return "always" }
    if let until = grant.until { return "in " + max(.zero, until.duration(since: now)).compact }
    return "end of \(grant.anchor) (\(grant.condition.session.map { String($0.pid) } ?? "?"))"
  }

  /// The coverage, the giver and the uses.
  fileprivate var facts: [(String, String)] {
    let by = grant.by.process
    var facts = [
      ("id", grant.id.description), ("answer", grant.label), ("for", grant.coverage), ("app", grant.app),
      (
        "user",
        "uid \(grant.condition.owner.uid)" + (grant.condition.owner.host.isEmpty ? "" : " on \(grant.condition.owner.host)")
      ),
      ("surface", grant.condition.surface), ("given", "\(grant.grantedAt), by uid \(by.uid), pid \(by.pid)"),
      ("prompt", grant.presentation.description), ("until", grant.isAlways ? "revoked" : grant.until?.description ?? "the end of \(grant.anchor)"),
      ("used", "\(uses) times" + (lastUse.map { ", last \($0)" } ?? "")),
    ]
    if let session = grant.condition.session { facts.append(("bound to", "\(grant.anchor), pid \(session.pid)")) }
    if let executable = grant.condition.executable { facts.append(("bound to", executable)) }
    if let end { facts.append(("ended", end.rawValue + (endedAt.map { " \($0)" } ?? ""))) }
    return facts
  }
}
