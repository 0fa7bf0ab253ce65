import ArgumentParser
import Glibc
import Router
import RouterClient
import RouterCommandLine
import RouterFrontEnds

struct Present: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "present",
    abstract: "Show prompts in this terminal, and answer them.",
    discussion: """
      Runs until Ctrl-C or the end of input. If several presenters attach to a surface, all show the same prompt and the
      first answer wins. If the daemon stops, the prompt is removed and the presenter reconnects.

      Digits press buttons, arrows and letters move the selection, and Enter presses the selected button. In a form, Enter
      moves to the next field and submits from the last one. Esc cancels. On a dumb terminal (TERM=dumb) or a pipe, it asks
      line by line.

      With --exec, each prompt is passed to a /bin/sh command as JSON on standard input; the member "prompt" has the texts to
      show. The command prints the answer: a button's id, {"button":"ID"}, {"value":JSON}, {"typed":{"FIELD":"TEXT"}},
      {"dismiss":true} or {"snooze":SECONDS}. With a button, "remember":{"for":3600} has the answer remembered; the member \
      "remember" of the request says for how long it may be. If "typed" fails validation, the command runs again with "typed" and \
      "problems" in its input. Empty output dismisses. A nonzero exit status is a failure; the first line of \
      standard error is the reason. The command
      gets SIGTERM when the prompt is withdrawn.

      With --after, prompts are shown here once they have waited that long elsewhere: for a second screen, or a doorbell. With \
      --quiet, prompts below the priority of --below wait, or are shown by other presenters, during that part of the day.

      EXAMPLES
        routerctl present
        routerctl present --surface desk --once
        routerctl present --exec /usr/share/router/presenters/zenity
        routerctl present --quiet 22:00-07:00 --below critical
        routerctl present --name doorbell --after 2m --exec '/usr/share/router/presenters/doorbell mail -s Router ada'
        routerctl present --exec 'tee -a asked.jsonl | jq -r ".request.buttons[-1].id"'
      """)

  @Option(help: "Surface to present.")
  var surface = "main"

  @Option(help: "Name of this presenter in the log.")
  var name = "terminal"

  @Option(help: ArgumentHelp("Run this command for each prompt.", valueName: "command"))
  var exec: String?

  @Flag(help: "Exit after one prompt and all prompts below it have ended.")
  var once = false

  @Option(help: "Show prompts once they have been shown elsewhere for this time.")
  var after: DurationArgument?

  @Option(help: "Show only prompts of this priority and above.")
  var priority: PresentationOptions.Priority?

  @Option(help: ArgumentHelp("Show only urgent prompts at this time of day.", valueName: "hh:mm-hh:mm"))
  var quiet: QuietHours?

  @Option(help: "The priority below which --quiet shows nothing.")
  var below = PresentationOptions.Priority.high

  @Flag(help: "Do not ring the bell and set the terminal's title when a prompt appears.")
  var noBell = false

  @OptionGroup var daemon: DaemonOptions

  func validate() throws {
    let allowed = Duration.seconds(1)...Duration.seconds(86_400)
    if let after, !allowed.contains(after.duration) { throw ValidationError("Pass --after a time from 1s to 24h.") }
  }

  func run() async throws {
    SecretBytes.forbidCoreDumps()
    defer { Signals.endByReceived(unless: SIGINT) }
    let (leaving, leave) = AsyncStream<Void>.makeStream()
    if let exec {
      // The command may show prompts with zenity: prevents a link of that name from asking Router again.
      setenv(DialogProgram.presenterMarker, name, 1)
      let presenter = ExecPresenter(name: name, command: exec)
      return try await run(presenter, daemon.client(patience: nil, mayStartLater: true), until: leaving, leave)
    }
    let terminal = PresenterTerminal(announcement: noBell ? .none : .bellAndTitle, takesBack: !once) { leave.finish() }
    let client = daemon.client(patience: nil, mayStartLater: true) { terminal.say($0) }
    let output = StandardStream.output
    if output.style.isTerminal {
      for line in "Waiting for prompts on \(surface). Ctrl-C stops.".wrapped(to: output.style.width) { output.line(line) }
    }
    try await terminal.run(name: name, client) { presenter in
      try await run(presenter, client, until: leaving, leave)
    }
  }

  private func run(
    _ presenter: any Presenter, _ client: RouterClient, until leaving: AsyncStream<Void>,
    _ leave: AsyncStream<Void>.Continuation
  ) async throws {
    // A separate client, which checks presentations even while the daemon is briefly unavailable.
    let asking = RouterClient(
      socketPath: client.socketPath, reconnect: ReconnectPolicy(patience: client.reconnect.patience, waitsForDaemon: true))
    let watched = WatchedPresenter(presenter: presenter) { presentation in
      await asking.isStackOpen(presentation)
    } ended: {
      leave.finish()
    }
    try await Signals.whileHandling {
      // A second signal ends the program immediately.
      TerminalModes.restore()
      leave.finish()
    } perform: {
      try await withThrowingTaskGroup { group in
        group.addTask {
          try await present(once ? watched : presenter, client)
        }
        group.addTask { for await _ in leaving {} }
        try await group.next()
        group.cancelAll()
      }
    }
  }

  private func present(_ presenter: any Presenter, _ client: RouterClient) async throws {
    @Sendable func run(_ priority: PresentationOptions.Priority?) async throws {
      let scope = PresenterScope(after: after?.duration, priority: priority)
      try await client.run(presenter, over: client.attach(presenter: presenter.name, to: surface, scope))
    }
    guard let quiet else { return try await run(priority) }
    try await quiet.run(.system) { isQuiet in
      try await run(isQuiet ? [priority ?? .low, below].min { $0.lane < $1.lane } : priority)
    }
  }
}

extension RouterClient {
  /// Whether a presentation, or one below it in its stack, is still open.
  func isStackOpen(_ presentation: Presentation) async -> Bool {
    var next: PresentationID? = presentation.id
    while let id = next, let current = try? await self.presentation(id) {
      if current.state != .resolved { return true }
      next = current.request.over
    }
    return false
  }
}
