import ArgumentParser
import Glibc
import Router
import RouterClient
import RouterCommandLine

struct Demo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Try everything in one terminal, without setup.",
    discussion: """
      Starts a daemon on a temporary socket, plays a program that asks where to ship an order, lets you answer in this
      terminal, and prints the audit log. If standard input is not a terminal, a script answers. All files are removed.

      EXAMPLES
        routerctl demo
        routerctl demo < /dev/null     # let it answer by itself
      """)

  func run() async throws {
    let (leaving, leave) = AsyncStream<Void>.makeStream()
    let isPerson = isatty(STDIN_FILENO) == 1
    let terminal = PresenterTerminal { leave.finish() }
    let out = StandardStream.output
    let style = out.style
    let say: @Sendable (String) -> Void = { out.line($0.escapedForTerminal()) }
    let narrate: @Sendable (String) -> Void = { text in
      let lines = style.isTerminal ? ("» " + text).wrapped(to: style.width) : ["» " + text]
      for line in lines { out.line(style.text(line, .green)) }
    }
    defer { Signals.endByReceived() }
    try await Signals.whileHandling {
      TerminalModes.restore()
      leave.finish()
    } perform: {
      narrate("Starting a temporary daemon; Ctrl-C stops it.")
      try await withDaemon { client in
        if !isPerson { narrate("Standard input is not a terminal: a script answers, over the same socket.") }
        let program = AddressBook(client: client, say: narrate)
        if isPerson {
          try await terminal.run(name: "terminal", client) { try await Self.play(program, to: $0, until: leaving) }
        } else {
          try await Self.play(program, to: ScriptedPresenter(say: say), until: leaving)
        }
        narrate("The audit log of this session, from GET /v1/log:")
        for line in try await Self.log(client).lines(style) { out.line(line) }
      }
      narrate("The daemon has stopped and its files are removed. Next, run routerd and routerctl present.")
    }
  }

  /// Runs `body` with a client of a temporary daemon, which it always stops.
  private func withDaemon(_ body: (RouterClient) async throws -> Void) async throws {
    let daemon = try await PrivateDaemon()
    do {
      try await body(RouterClient(socketPath: daemon.socket, app: "address-book"))
    } catch {
      try? await daemon.stop()
      throw error
    }
    try await daemon.stop()
  }

  /// Returns the session's audit log as a small table.
  private static func log(_ client: RouterClient) async throws -> Table {
    var table = Table(heading: ["TIME", "KIND", "WHAT", "SHOWN", "OUTCOME", "BY"], flexible: 4)
    for presentation in try await client.logPresentationPage().page.reversed() {
      let shown = presentation.resolvedAt.flatMap { end in presentation.presentedAt.map { end.duration(since: $0).brief } }
      table.rows.append([
        String(LocalTime.system.text(presentation.requestedAt).suffix(8)), presentation.request.kind.rawValue,
        PresentationSummary(presentation.request).text, shown ?? "", presentation.endText,
        presentation.resolvedBy?.presenter ?? "",
      ])
    }
    return table
  }

  /// Runs the program and the presenter concurrently until the program has finished.
  private static func play(
    _ program: AddressBook, to presenter: any Presenter, until leaving: AsyncStream<Void>
  ) async throws {
    try await withThrowingTaskGroup { group in
      group.addTask { try await program.run() }
      group.addTask { try await program.client.run(presenter, on: "main") }
      group.addTask {
        for await _ in leaving {}
        throw CommandFailure(.cancelled, "the demo was interrupted")
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}
