import ArgumentParser
import Router
import RouterClient
import RouterCommandLine
import RouterConfiguration

struct RulesExplain: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say which rule decides a request, and why the rules before it do not.",
    discussion: """
      Takes a prompt of the log, or the command that would ask.

      EXAMPLES
        routerctl rules explain 5f0c1a2b
        routerctl rules explain -- confirm 'Push?' --act-verb push --act-object origin/main
      """)

  @OptionGroup var rules: RulesFileOption
  @OptionGroup(title: "Location") var location: LogLocation

  @Argument(help: "Prompt id, or at least 4 characters of its beginning or end.")
  var id: IDArgument?

  @Argument(parsing: .postTerminator, help: "confirm or alert, with its options.")
  var ask: [String] = []

  func validate() throws {
    guard (id == nil) != ask.isEmpty else { throw ValidationError("Pass an id, or -- and a command that asks.") }
  }

  func run() async throws {
    let file = try rules.read()
    let out = StandardStream.output
    if let id {
      let source = try location.open()
      guard let found = try await id.find(in: source), let presentation = try await source.presentations([found])[found] else {
        throw RouterError(.notFound, "cannot find the prompt \(id.text)")
      }
      out.line("recorded: \(Self.recorded(presentation))".escapedForTerminal())
      explain(presentation.sentRequest, by: presentation.requester, at: DayTime(presentation.requestedAt), file)
    } else {
      let process = ProcessIdentity.current
      let request = try ValidRequest(try Self.request(ask)).request
      explain(
        request, by: Presentation.Requester(app: request.app ?? process.callerName, process: process),
        at: DayTime(PresentationClock.system.wall()), file)
    }
  }

  private static func recorded(_ presentation: Presentation) -> String {
    switch presentation.because {
    case .rule(let id, let rules): "\(presentation.ending), by the rule \(id) of sha256 \(rules.prefix(12))…"
    case .grant(let id): "\(presentation.ending), as remembered (\(id.short))"
    case .with, nil: presentation.ending + (presentation.ruling.map { ", under the rule \($0.rule)" } ?? "")
    }
  }

  private static func request(_ arguments: [String]) throws -> PresentationRequest {
    switch try Routerctl.parseAsRoot(arguments) {
    case let confirm as Confirm: return confirm.request
    case let alert as Alert: return try alert.request()
    default: throw ValidationError("After -- pass confirm or alert, with its options.")
    }
  }

  private func explain(
    _ request: PresentationRequest, by requester: Presentation.Requester, at time: DayTime, _ file: RulesFile
  ) {
    let out = StandardStream.output
    let decision = file.rules.decision(on: request, by: requester, at: time, file.commands)
    let facts = RuleFacts(request, by: requester, at: time, home: file.rules.host)
    for rule in file.rules.rules {
      let place = "\(file.rules.file):\(file.lines[rule.id] ?? 0): \(rule.id)"
      if rule == decision.rule {
        out.line("\(place): matches".escapedForTerminal())
        break
      }
      let reason =
        rule.failure(facts).map { "\($0.part.name) \($0.certainty == .no ? "does not match" : "cannot be told")" }
        ?? "matches, and cannot allow this: \(Self.obstacle(rule, request, file.commands))"
      out.line("\(place): \(reason)".escapedForTerminal())
    }
    out.line(Self.conclusion(decision, file).escapedForTerminal())
  }

  private static func obstacle(_ rule: Rule, _ request: PresentationRequest, _ commands: CommandTable) -> String {
    let obstacle = request.act.flatMap { rule.condition.obstacle(to: $0, commands) }
    return obstacle.map { "the request \($0.why)" } ?? "a person must be asked for such a prompt"
  }

  private static func conclusion(_ decision: RuleSet.Decision, _ file: RulesFile) -> String {
    guard let rule = decision.rule else { return "decision: a person is asked, unless an answer is remembered" }
    switch (rule.action, decision.outcome) {
    case (.allow, .answered(.button(let id))?): return "decision: allowed (\(id)), unless a refusal is remembered"
    case (.ask, _?): return "decision: refused; several people cannot be asked for it"
    case (.allow, _): return "decision: a person is asked"
    case (.deny, .answered?): return "decision: denied"
    case (.deny, _): return "decision: refused"
    case (.ask, _):
      var changes = Rule.Changes()
      if case .ask(let some) = rule.action { changes = some }
      let ruling = Ruling(rule: rule.id, rules: file.rules.digest, changes: changes)
      return "decision: a person is asked (\(ruling.words))"
    }
  }
}
