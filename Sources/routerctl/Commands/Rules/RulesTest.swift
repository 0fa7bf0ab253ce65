import ArgumentParser
import Router
import RouterCommandLine
import RouterConfiguration

struct RulesTest: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Try rules on the requests of the log, and compare them with what people answered.",
    discussion: """
      Reads the log and changes nothing. Answers of people count, and not those of rules or remembered ones. Exits with 8 if \
      --fail-on finds something.

      EXAMPLES
        routerctl rules test --since 30d
        routerctl rules test --rules new.yaml --fail-on contradiction
      """)

  enum Failure: String, CaseIterable, ExpressibleByArgument {
    /// A rule contradicts a person's answer.
    case contradiction
    /// The rules would decide a request differently.
    case change
  }

  @OptionGroup var rules: RulesFileOption

  @Option(help: ArgumentHelp("At or after this time: \(LogMoment.help).", valueName: "time"), transform: LogFilters.moment)
  var since: Timestamp?

  @Option(help: ArgumentHelp("Before this time.", valueName: "time"), transform: LogFilters.moment)
  var until: Timestamp?

  @Option(help: ArgumentHelp("Filter by app.", valueName: "name"))
  var app: [String] = []

  @Option(help: ArgumentHelp("Exit with 8 on a contradiction of people's answers, or on any change.", valueName: "what"))
  var failOn: Failure?

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Location") var location: LogLocation

  func run() async throws {
    let file = try rules.read()
    var replay = RulesReplay(file.rules, file.commands)
    let source = try location.open()
    var query = AuditQuery()
    (query.since, query.until, query.apps) = (since, until, app)
    try await source.forEachPage(query, newest: nil, read: source.presentationPage) { page in
      for presentation in page { replay.add(presentation, at: DayTime(presentation.requestedAt)) }
    }
    await location.noteUnindexedEvents(source)
    let out = StandardStream.output
    if output.json {
      out.line(replay.json.escapedForTerminal)
    } else {
      for line in replay.lines(out.style) { out.line(line) }
    }
    switch failOn {
    case .contradiction where !replay.contradictions.isEmpty, .change where replay.changes > 0:
      throw ExitCode(ExitStatus.faulty.rawValue)
    default: break
    }
  }
}

extension RulesReplay {
  /// The rules in order, followed by the requests without a matching rule.
  private var rows: [(rule: Rule?, tally: Tally)] {
    rules.rules.map { ($0, tally(of: $0.id)) } + [(nil, tally(of: nil))]
  }

  fileprivate func lines(_ style: OutputStyle) -> [String] {
    let contradicted = Set(contradictions.map(\.rule.id))
    var lines = [
      style.text("\(String(counting: count, "request")), \(rules.file) (sha256 \(rules.digest.prefix(12))…)", .bold)
    ]
    var table = Table(heading: ["RULE", "THEN", "MATCHED", "YES", "NO", "OTHER", "UNANSWERED", ""])
    table.rows = rows.map { rule, tally in
      let note = rule.map { contradicted.contains($0.id) } == true ? "contradicts you" : ""
      return [
        rule?.id ?? "(no rule)", rule?.action.word ?? "ask", String(tally.count), String(tally.yes), String(tally.no),
        String(tally.other), String(tally.unanswered), note,
      ]
    }
    lines += table.lines(style)
    if withoutAct > 0 {
      lines.append(
        "\(withoutAct) \(withoutAct == 1 ? "request has" : "requests have") no act, so no condition on acts can match.")
    }
    lines.append("\(agreements) would be answered as people did, without asking.")
    lines.append("\(changes) would be decided otherwise than they were.")
    if !contradictions.isEmpty { lines.append("\(contradictions.count) contradict what people answered:") }
    for contradiction in contradictions.prefix(50) { lines.append("  " + contradiction.line) }
    if contradictions.count > 50 { lines.append("  and \(contradictions.count - 50) more (--json has all)") }
    return lines
  }

  fileprivate var json: JSONValue {
    [
      "file": .string(rules.file), "sha256": .string(rules.digest), "requests": .integer(count), "changes": .integer(changes),
      "agreements": .integer(agreements),
      "withoutAct": .integer(withoutAct),
      "rules": .array(
        rows.map { rule, tally in
          [
            "id": .optional(rule?.id), "then": .string(rule?.action.word ?? "ask"), "matched": .integer(tally.count),
            "yes": .integer(tally.yes), "no": .integer(tally.no), "other": .integer(tally.other),
            "unanswered": .integer(tally.unanswered),
          ]
        }),
      "contradictions": .array(
        contradictions.map { contradiction in
          [
            "id": .string(contradiction.presentation.id.description),
            "at": .string(contradiction.presentation.requestedAt.description), "rule": .string(contradiction.rule.id),
            "answer": .string(contradiction.presentation.ending), "decision": contradiction.outcome.json,
          ]
        }),
    ]
  }
}

extension RulesReplay.Contradiction {
  /// The output line, such as `2026-11-03 14:02 0197c2ab Bash git push --force: you allowed, no-force denies`.
  fileprivate var line: String {
    let time = LocalTime.system.text(presentation.requestedAt).prefix(16)
    let what = presentation.request.act?.summary ?? presentation.request.heading
    let verb = if case .allow = rule.action { "allows" } else { "denies" }
    return
      "\(time) \(presentation.id.short) \(what.cut(to: 60)): the answer was “\(presentation.ending)”, \(rule.id) \(verb) it"
      .escapedForTerminal()
  }
}
