import ArgumentParser
import Glibc
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
        routerctl grants revoke 2
        routerctl grants revoke --directory .
        routerctl grants revoke --unused 30d
      """,
    subcommands: [List.self, Show.self, Revoke.self], defaultSubcommand: List.self)
}

extension Grants {
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List everything that answers without a person: remembered answers in force, and rules.",
      discussion: """
        # numbers the remembered answers for 'revoke', the oldest first, and ID is the end of the full id. Rules follow, with the \
        word rule instead of a number; their file changes them. In a pipe, output has only remembered answers, tab-separated \
        without a heading: id, answer, app, surface, act, until (RFC 3339, session or always), uses, end, since, last use, uid of \
        the person.
        """)

    @Flag(help: "List those that have ended too.")
    var all = false

    @OptionGroup var filter: GrantFilter
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
      let client = daemon.client()
      let records = try await filter.records(of: client, ended: all)
      let out = StandardStream.output
      if output.json {
        for record in records { out.line(JSONText(record).escapedForTerminal) }
      } else {
        // Without a role that may see the rules, only the remembered answers are listed.
        let rules = out.style.isTerminal && filter.isEmpty ? (try? await client.rules().rules) ?? [] : []
        if records.isEmpty, rules.isEmpty, out.style.isTerminal {
          return StandardStream.error.line("routerctl: no answers are remembered")
        }
        for line in Grants.lines(records, rules: rules, out.style, now: PresentationClock.system.wall()) { out.line(line) }
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

    @Argument(help: "Numbers in the list, or ids, or at least 4 characters of their beginnings or ends.")
    var id: [GrantArgument] = []

    @Flag(help: "Revoke all that you gave or benefit from.")
    var all = false

    @OptionGroup var filter: GrantFilter
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
      guard [!id.isEmpty, all, !filter.isEmpty].count(where: { $0 }) == 1 else {
        throw ValidationError("Pass numbers or ids, --all, or --app, --directory and --unused.")
      }
    }

    func run() async throws {
      let client = daemon.client()
      let records = try await filter.records(of: client, ended: !id.isEmpty)
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

  /// Returns the lines of a list, with rules after the remembered answers.
  static func lines(
    _ records: [GrantRecord], rules: [RuleRecord] = [], _ style: OutputStyle, now: Timestamp
  ) -> [String] {
    guard style.isTerminal else { return Table(heading: [], rows: records.map(\.fields)).lines(style) }
    let numbers = GrantArgument.numbered(records)
    let columns: [(heading: String, isConstant: Bool, value: (GrantRecord) -> String)] = [
      ("#", false, { record in numbers.firstIndex { $0.grant.id == record.grant.id }.map { String($0 + 1) } ?? "" }),
      ("ID", false, { String($0.grant.id.description.suffix(8)) }), ("ANSWER", false, \.grant.label),
      ("APP", true, \.grant.app), ("SURFACE", true, \.grant.condition.surface), ("FOR", false, \.grant.coverage),
      ("BY", true, { UserNames.system[$0.grant.by.process] }), ("SINCE", false, { $0.grant.grantedAt.relative(to: now) }),
      ("UNTIL", false, { $0.timeLeft(at: now) }), ("USED", false, { String($0.uses) }),
      ("LAST", false, { $0.lastUse?.relative(to: now) ?? "" }), ("ENDED", true, { $0.end?.rawValue ?? "" }),
    ]
    // Constant columns are redundant.
    let shown = columns.filter { column in !column.isConstant || Set(records.map(column.value)).count > 1 }
    let rows = records.map { record in shown.map { $0.value(record) } }
    let ruled = rules.map { rule in
      let texts = [
        "#": "rule", "ANSWER": rule.rule.action.word, "FOR": "the rule \(rule.rule.id)", "UNTIL": "file",
        "USED": String(rule.uses), "LAST": rule.lastUse?.relative(to: now) ?? "",
      ]
      return shown.map { texts[$0.heading] ?? "" }
    }
    return Table(
      heading: shown.map(\.heading), rows: rows + ruled, flexible: shown.firstIndex { $0.heading == "FOR" }
    ).lines(style)
  }
}

/// Which remembered answers a command concerns.
struct GrantFilter: ParsableArguments {
  @Option(help: "Only those of this app.")
  var app: String?

  @Option(help: "Only those for acts in this directory or below.", completion: .directory)
  var directory: String?

  @Option(help: ArgumentHelp("Only those that were not used for this time, such as 30d.", valueName: "time"))
  var unused: DurationArgument?

  var isEmpty: Bool { app == nil && directory == nil && unused == nil }

  func records(of client: RouterClient, ended: Bool) async throws -> [GrantRecord] {
    let path = try directory.map(Self.absolute)
    let now = PresentationClock.system.wall()
    return try await client.grants(ended: ended, app: app).filter { record in
      let last = record.lastUse ?? record.grant.grantedAt
      return (path.map(record.grant.isBelow) ?? true) && (unused.map { now.duration(since: last) >= $0.duration } ?? true)
    }
  }

  private static func absolute(_ path: String) throws -> String {
    guard let resolved = realpath(path, nil) else { throw ValidationError("Pass --directory a directory that exists.") }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

/// A remembered answer: its number in the list, or its id, or a part of it.
struct GrantArgument: ExpressibleByArgument, Sendable, Hashable {
  private let number: Int?
  private let id: IDArgument?

  init?(argument: String) {
    number = argument.utf8.count < 4 ? Int(argument).flatMap { $0 > 0 ? $0 : nil } : nil
    id = IDArgument(argument: argument)
    if number == nil, id == nil { return nil }
  }

  /// The remembered answers in force as the list numbers them: the oldest is first, so that a new one changes no number.
  static func numbered(_ records: [GrantRecord]) -> [GrantRecord] {
    records.filter { $0.end == nil }.sorted { $0.grant.id < $1.grant.id }
  }

  func find(in records: [GrantRecord]) throws -> GrantRecord {
    if let id { return try id.find(in: records) }
    let numbered = Self.numbered(records)
    guard let number, number <= numbered.count else {
      throw RouterError(.notFound, "cannot find the remembered answer \(number ?? 0): the list has \(numbered.count)")
    }
    return numbered[number - 1]
  }
}

extension Grant {
  /// Whether its acts are in a directory or below.
  fileprivate func isBelow(_ path: String) -> Bool {
    directory.map { $0.isSame(as: path) || path == "/" || $0.begins(with: path + "/") } ?? false
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
  /// The fields of a line in a pipe.
  fileprivate var fields: [String] {
    [
      grant.id.description, grant.label, grant.app, grant.condition.surface, grant.coverage, until, String(uses),
      end?.rawValue ?? "", grant.grantedAt.description, lastUse?.description ?? "", String(grant.by.process.uid),
    ]
  }

  /// The end as a time, `session` or `always`.
  private var until: String { grant.isAlways ? "always" : grant.until?.description ?? "session" }

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
      ("prompt", grant.presentation.description),
      ("until", grant.isAlways ? "somebody takes it back" : grant.until?.description ?? "the end of \(grant.anchor)"),
      ("used", "\(uses) times" + (lastUse.map { ", last \($0)" } ?? "")),
    ]
    if let session = grant.condition.session { facts.append(("bound to", "\(grant.anchor), pid \(session.pid)")) }
    if let executable = grant.condition.executable { facts.append(("bound to", executable)) }
    if let end { facts.append(("ended", end.rawValue + (endedAt.map { " \($0)" } ?? ""))) }
    return facts
  }
}
