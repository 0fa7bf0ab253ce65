import ArgumentParser
import Glibc
import Router
import RouterClient
import RouterCommandLine
import RouterConfiguration

struct RulesSuggest: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "suggest",
    abstract: "Print rules for what you have answered again and again.",
    discussion: """
      Answers count if nobody has ever answered otherwise to the same, on at least two days, and took half a second or more. \
      Prints nothing for what the rules file already decides. Writes nothing.

      EXAMPLES
        routerctl rules suggest
        routerctl rules suggest --since 30d --min 10
      """)

  @OptionGroup var rules: RulesFileOption

  @Option(help: ArgumentHelp("At or after this time: \(LogMoment.help).", valueName: "time"), transform: LogFilters.moment)
  var since: Timestamp?

  @Option(help: ArgumentHelp("The fewest answers that make a rule.", valueName: "count"))
  var min = 5

  @OptionGroup(title: "Location") var location: LogLocation

  func validate() throws {
    guard min >= 2 else { throw ValidationError("--min must be 2 or more.") }
  }

  func run() async throws {
    let existing = access(rules.file, F_OK) == 0 || rules.path != nil ? try rules.read() : nil
    let commands = existing?.commands ?? CommandTable.configured(besides: rules.file)
    var suggestions = RuleSuggestions(minimum: min, commands)
    let source = try location.open()
    var query = AuditQuery()
    query.since = since
    try await source.forEachPage(query, newest: nil, read: source.presentationPage) { page in
      for presentation in page {
        let time = DayTime(presentation.requestedAt)
        let decision = existing?.rules.decision(on: presentation.sentRequest, by: presentation.requester, at: time, commands)
        if decision?.rule == nil { suggestions.add(presentation) }
      }
    }
    await location.noteUnindexedEvents(source)
    let found = suggestions.suggestions(besides: Set(existing?.rules.rules.map(\.id) ?? []))
    let (out, error) = (StandardStream.output, StandardStream.error)
    guard !found.isEmpty else { return error.line("routerctl: nothing to suggest") }
    var lines: [String] = []
    for suggestion in found {
      let zone = LocalTime.system
      let comment =
        "\(suggestion.rule.isDenial ? "No" : "Yes") \(suggestion.count) times, from \(zone.text(suggestion.first).prefix(10)) to "
        + "\(zone.text(suggestion.last).prefix(10)): \(suggestion.evidence.map(\.short).joined(separator: " "))"
      if let more = suggestion.rule.yaml(comment: comment, commands) {
        lines += more
      } else {
        error.line("routerctl: left out \(suggestion.rule.id): it has characters that the file cannot have")
      }
    }
    do throws(RulesError) {
      out.text(try RulesFile.addition(of: lines, to: existing?.rules.text ?? "", path: rules.file, commands))
    } catch let problem {
      error.line("routerctl: cannot append this to the rules: \("\(problem)".escapedForTerminal())")
      for line in lines { out.line(line) }
    }
  }
}

struct RulesAdd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Print the rule that a remembered answer amounts to.",
    discussion: "With --write, appends it to the rules file. Then reload the daemon: systemctl --user reload routerd.")

  @Option(
    help: ArgumentHelp("Id of a remembered answer, or at least 4 characters of its beginning or end.", valueName: "grant"))
  var from: IDArgument

  @Flag(help: "Append it to the rules file.")
  var write = false

  @OptionGroup var rules: RulesFileOption
  @OptionGroup var daemon: DaemonOptions

  func run() async throws {
    let client = daemon.client()
    let record = try from.find(in: try await client.grants(ended: true))
    let presentation: Presentation
    do {
      presentation = try await client.presentation(record.grant.presentation)
    } catch let error as RouterError where error.code == .notFound {
      throw CommandFailure(.refused, "cannot make a rule of \(from.text): the record no longer has the answered prompt")
    }
    guard let act = presentation.request.act else {
      throw CommandFailure(.defect, "cannot make a rule of \(from.text): the answered prompt has no act")
    }
    let program = try executable(of: record.grant, presentation)
    let existing = access(rules.file, F_OK) == 0 ? try rules.read() : nil
    let commands = existing?.commands ?? CommandTable.configured(besides: rules.file)
    var used = Set(existing?.rules.rules.map(\.id) ?? [])
    let rule: Rule
    do {
      rule = try Rule(of: record.grant, act, program: program, used: &used, commands)
    } catch {
      throw CommandFailure(.refused, "cannot make a rule of \(from.text): \(error.message)")
    }
    let comment = "From the remembered answer \(record.grant.id), used \(record.uses) times."
    guard let lines = rule.yaml(comment: comment, commands) else {
      throw CommandFailure(.refused, "cannot make a rule of \(from.text): it has characters that the file cannot have")
    }
    guard write else { return lines.forEach(StandardStream.output.line) }
    try append(lines, to: existing?.rules.text ?? "", commands)
    StandardStream.error.line("routerctl: appended \(rule.id) to \(rules.file.escapedForTerminal()); reload routerd to use it")
  }

  /// Returns the executable of the grant, or that of the process that the grant is bound to.
  private func executable(of grant: Grant, _ presentation: Presentation) throws -> String {
    if let executable = grant.condition.executable { return executable }
    guard let session = grant.condition.session,
      let path = presentation.requester.process.trustedExecutable(of: session.pid, started: session.started)
    else {
      throw CommandFailure(.refused, "cannot make a rule of \(from.text): the program that it is bound to could not be read")
    }
    return path
  }

  /// Appends to the file, unless the result would be invalid.
  private func append(_ lines: [String], to old: String, _ commands: CommandTable) throws {
    let path = rules.file
    let text: String
    do {
      text = try RulesFile.addition(of: lines, to: old, path: path, commands)
    } catch {
      throw CommandFailure(.usage, "cannot append to the rules: \(error)")
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CommandFailure(.defect, "cannot write \(path): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    let added = Array(text.utf8)
    guard Glibc.write(descriptor, added, added.count) == added.count else {
      throw CommandFailure(.defect, "cannot write \(path): \(String(cString: strerror(errno)))")
    }
  }
}
