import ArgumentParser
import Router
import RouterClient
import RouterCommandLine
import RouterConfiguration

struct Rules: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract: "List, try and write the daemon's rules.",
    discussion: """
      EXAMPLES
        routerctl rules
        routerctl rules check
        routerctl rules test --since 30d
        routerctl rules suggest >> ~/.config/routerd/rules.yaml
      """,
    subcommands: [
      List.self, RulesCheck.self, RulesExplain.self, RulesTest.self, RulesSuggest.self, RulesAdd.self,
    ], defaultSubcommand: List.self)
}

extension Rules {
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the rules in force.",
      discussion: """
        Counts the requests of the last 30 days that each rule decided or changed. In a pipe, output is tab-separated without a \
        heading: id, action, matched, last (RFC 3339).
        """)

    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
      let status = try await daemon.client().rules()
      let (out, error) = (StandardStream.output, StandardStream.error)
      if output.json { return out.line(status.json.escapedForTerminal) }
      let now = PresentationClock.system.wall()
      for line in Rules.lines(status, out.style, now: now) { out.line(line) }
      if let problem = status.problem { error.line("routerctl: \(problem.escapedForTerminal())") }
      if let since = status.pending?.since {
        error.line(
          "routerctl: the file has changed (\(since.relative(to: now))) and waits for your confirmation: answer the prompt of routerd"
        )
      }
    }
  }

  static func lines(_ status: RulesStatus, _ style: OutputStyle, now: Timestamp) -> [String] {
    let rows = status.rules.map { record in
      [
        record.rule.id, record.rule.action.word, String(record.uses),
        style.isTerminal ? record.lastUse.map { $0.relative(to: now) } ?? "" : record.lastUse?.description ?? "",
      ]
    }
    guard style.isTerminal else { return Table(heading: [], rows: rows).lines(style) }
    guard let digest = status.digest else { return ["No rules are in force: \(status.file.escapedForTerminal())"] }
    let place = "\(status.file) (sha256 \(digest.prefix(12))…)".escapedForTerminal()
    return Table(heading: ["ID", "THEN", "MATCHED", "LAST"], rows: rows).lines(style) + [style.text(place, .dim)]
  }
}

extension Rule.Action {
  /// The keyword in the rules file.
  var word: String {
    switch self {
    case .allow: "allow"
    case .deny: "deny"
    case .ask(let changes): changes.require == nil ? "ask" : "require"
    }
  }
}

/// The rules file that a command reads.
struct RulesFileOption: ParsableArguments {
  @Option(
    name: .customLong("rules"),
    help: ArgumentHelp("The rules file (default: rules.yaml beside routerd.yaml).", valueName: "path"),
    completion: .file())
  var path: String?

  var file: String { path ?? Self.defaultPath }

  static var defaultPath: String { DefaultPaths.rules(besides: DefaultPaths.current.configuration) }

  func read() throws -> RulesFile { try Self.read(file) }

  static func read(_ path: String) throws -> RulesFile {
    let bytes = try InputFile(path: path).bytes(for: "the rules")
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandFailure(.usage, "cannot use \(path): it is not UTF-8")
    }
    do {
      return try RulesFile(path: path, text: text, CommandTable.configured(besides: path))
    } catch {
      throw CommandFailure(error.isExample ? .faulty : .usage, "\(error)")
    }
  }
}

struct RulesCheck: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a rules file and its examples.",
    discussion: "Exits with 64 for a mistake, with its file and line, and with 8 if an example is not decided as it says.")

  @Argument(help: "The rules file (default: rules.yaml beside routerd.yaml).", completion: .file())
  var file: String?

  func run() async throws {
    let path = file ?? RulesFileOption.defaultPath
    let found = try RulesFileOption.read(path)
    for warning in found.warnings(uid: ProcessIdentity.current.uid) {
      StandardStream.error.line("routerctl: warning: \(warning.escapedForTerminal())")
    }
    let count = found.rules.rules.count
    StandardStream.output.line(
      "\(path.escapedForTerminal()): \(String(counting: count, "rule")), sha256 \(found.rules.digest)")
  }
}
