import ArgumentParser
import Router
import RouterClient
import RouterCommandLine

struct Pause: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause",
    abstract: "Let the prompts of a session wait, or list the paused sessions.",
    discussion: """
      Pauses the session of a prompt: its agent's session, or the app in one terminal. What it asks meanwhile waits, too. The timeouts \
      of its prompts run on, except those of agents whose hook allows for it ('routerctl agent install'). Says which expire before.

      In a pipe, the list is tab-separated without a heading: id, session, surface, until (RFC 3339), by.

      EXAMPLES
        routerctl pause 5f0c1a2b --for 1h
        routerctl pause --last
        routerctl pause
        routerctl resume 5f0c1a2b
      """)

  @Argument(help: "Id of a prompt of the session, or at least 4 characters of its beginning or end.")
  var id: IDArgument?

  @Flag(help: "Use the newest prompt instead of an id.")
  var last = false

  @Option(name: .customLong("for"), help: ArgumentHelp("How long, from 10s to 24h.", valueName: "duration"))
  var duration = DurationArgument(duration: .seconds(3600))

  @OptionGroup var output: OutputOptions
  @OptionGroup var daemon: DaemonOptions

  func validate() throws {
    if id != nil, last { throw ValidationError("Pass either an id or --last.") }
  }

  func run() async throws {
    let client = daemon.client()
    guard id != nil || last else { return list(try await client.pauses()) }
    guard let prompt = try await client.findOpen(id, where: { _ in true }) else {
      throw RouterError(.notFound, "cannot find \(id.map { "the prompt \($0.text)" } ?? "a prompt: there are none")")
    }
    _ = try await client.pauseSession(of: prompt, for: duration.duration)
    let pauses = try await client.pauses().filter { $0.presentation == prompt }
    list(pauses)
    let open = try await client.presentations(surface: pauses.first?.surface)
    for warning in pauses.compactMap({ $0.warning(about: open) }) { StandardStream.error.line("routerctl: \(warning)") }
  }

  private func list(_ pauses: [SessionPause]) {
    let out = StandardStream.output
    if output.json {
      for pause in pauses { out.line(JSONText(pause).escapedForTerminal) }
    } else if pauses.isEmpty, out.style.isTerminal {
      StandardStream.error.line("routerctl: no session is paused")
    } else {
      for pause in pauses { out.line(Self.line(pause, out.style)) }
    }
  }

  private static func line(_ pause: SessionPause, _ style: OutputStyle) -> String {
    let (id, label) = (pause.presentation.description, pause.label.escapedForTerminal())
    guard style.isTerminal else {
      let by = UserNames.system[pause.by.process.uid].escapedForTerminal()
      return [id, label, pause.surface, pause.until.description, by].joined(separator: "\t")
    }
    return "\(id.suffix(8))  \(pause.words(style))"
  }
}

extension SessionPause {
  /// The pause in one line of a terminal.
  func words(_ style: OutputStyle = .plain, now: Timestamp = PresentationClock.system.wall()) -> String {
    style.text(label.escapedForTerminal(), face: .session(session))
      + " paused until \(LocalTime.system.minutes(until, now: now))"
  }

  /// Returns a warning about the session's prompts that expire before the pause ends; `nil` if there are none.
  func warning(about open: [Presentation]) -> String? {
    let ends = open.filter(concerns).compactMap { prompt in
      prompt.request.timeout.map { prompt.requestedAt.advanced(by: $0) }
    }
    guard let first = ends.filter({ $0 < until }).min() else { return nil }
    let count = String(counting: ends.count { $0 < until }, "prompt")
    return
      "\(count) of it will expire before, the first at \(LocalTime.system.text(first)). An agent asks again if its hook has time; "
      + "otherwise its program goes on without your answer"
  }
}

struct Resume: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "End the pause of a session.",
    discussion: """
      EXAMPLES
        routerctl resume 5f0c1a2b
        routerctl resume --all
      """)

  @Argument(help: "Id of the prompt that the session was paused at, or at least 4 characters of its beginning or end.")
  var id: IDArgument?

  @Flag(help: "End all pauses.")
  var all = false

  @OptionGroup var daemon: DaemonOptions

  func validate() throws {
    guard (id == nil) == all else { throw ValidationError("Pass an id or --all.") }
  }

  func run() async throws {
    let client = daemon.client()
    let pauses = try await client.pauses()
    let found = try id.map { id in
      let match = try PresentationID(id.text) ?? id.find(among: pauses.map(\.presentation))
      return pauses.filter { $0.presentation == match }
    }
    if let id, found?.isEmpty != false {
      throw RouterError(.notFound, "cannot find a pause \(id.text); routerctl pause lists them")
    }
    for pause in found ?? pauses {
      try await client.endPause(pause.presentation)
      StandardStream.output.line("\(pause.label.escapedForTerminal()) may ask again.")
    }
  }
}
