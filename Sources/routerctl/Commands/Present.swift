import ArgumentParser
import Glibc
import Router
import RouterClient

struct Present: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "present",
    abstract: "Show what is asked, in this terminal, and answer it.",
    discussion: """
      Stays until Ctrl-C or the end of its input. Several presenters may watch a surface: all show the same, and the first
      answer counts. When the daemon goes away, what is shown is taken down, and it attaches again when there is one.

      Digits press buttons, arrows and letters find them, Enter presses what is marked; in a form Enter goes on to the next
      field and answers in the last one. Esc cancels. Where the terminal can do no more than lines (TERM=dumb, a pipe), it
      asks line by line.

      With --exec each presentation goes to the command (of /bin/sh) as JSON on its standard input, with a member "prompt" that
      says how it reads to a person. What it writes is the answer: a button's id, or {"button":"ID"}, {"value":JSON},
      {"typed":{"FIELD":"TEXT"}} or {"dismiss":true}. A form that was typed and does not fit comes again, with "typed" and
      "problems". To write nothing dismisses. Any exit status but 0 means that it could not be shown, and the first line of its
      standard error says why. The command is ended (SIGTERM) when the presentation is withdrawn.

      EXAMPLES
        routerctl present
        routerctl present --surface desk --once
        routerctl present --exec /usr/share/router/presenters/zenity
        routerctl present --exec 'tee -a asked.jsonl | jq -r ".request.buttons[-1].id"'
      """)

  @Option(help: "Where to present.")
  var surface = "main"

  @Option(help: "What the record calls this presenter.")
  var name = "terminal"

  @Option(help: ArgumentHelp("Give each presentation to this command instead.", valueName: "command"))
  var exec: String?

  @Flag(help: "Leave after one presentation has ended, and what it is stacked on.")
  var once = false

  @OptionGroup var daemon: DaemonOptions

  func run() async throws {
    let (leaving, leave) = AsyncStream<Void>.makeStream()
    if let exec {
      // The command may show prompts with zenity: routerctl under that name must not ask in turn.
      setenv(DialogProgram.presenterMarker, name, 1)
      let presenter = ExecPresenter(name: name, command: exec)
      return try await run(presenter, daemon.client(patience: nil), until: leaving, leave)
    }
    let terminal = PresenterTerminal { leave.finish() }
    let client = daemon.client(patience: nil) { terminal.say($0) }
    if StandardStream.output.style.isTerminal {
      StandardStream.output.line("presenting on \(surface) until Ctrl-C")
    }
    try await terminal.run(name: name, client) { presenter in
      try await run(presenter, client, until: leaving, leave)
    }
  }

  private func run(
    _ presenter: any Presenter, _ client: RouterClient, until leaving: AsyncStream<Void>,
    _ leave: AsyncStream<Void>.Continuation
  ) async throws {
    // Says how a presentation stands also when the daemon is away for the moment.
    let asking = RouterClient(
      socketPath: client.socketPath, reconnect: ReconnectPolicy(patience: client.reconnect.patience, waitsForDaemon: true))
    let watched = WatchedPresenter(presenter: presenter) { presentation in
      await asking.isStackOpen(presentation)
    } ended: {
      leave.finish()
    }
    try await Signals.whileHandling {
      // A second signal ends the program at once.
      TerminalModes.restore()
      leave.finish()
    } perform: {
      try await withThrowingTaskGroup { group in
        group.addTask {
          if once { try await client.run(watched, on: surface) } else { try await client.run(presenter, on: surface) }
        }
        group.addTask { for await _ in leaving {} }
        try await group.next()
        group.cancelAll()
      }
    }
  }
}

extension RouterClient {
  /// Whether a presentation, or anything below it in its stack, has not ended.
  fileprivate func isStackOpen(_ presentation: Presentation) async -> Bool {
    var next: PresentationID? = presentation.id
    while let id = next, let current = try? await self.presentation(id) {
      if current.state != .resolved { return true }
      next = current.request.over
    }
    return false
  }
}
