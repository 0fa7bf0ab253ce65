import ArgumentParser
import Router
import RouterClient

/// `routerctl top`.
struct Top: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "top",
    abstract: "Watch the queue, presenters and recent answers, and act on them.",
    discussion: """
      Shows what is open, who presents and what has ended, and keeps it current. Enter shows the selected prompt, to answer it as \
      in 'routerctl present'; Ctrl-X goes back without an answer. d closes a prompt without an answer, w withdraws it, and s \
      shows its story. Tab changes between open and ended prompts, / filters, and q quits.

      Needs the role present; withdrawing other users' prompts needs admin, and ended prompts and stories need audit.

      EXAMPLES
        routerctl top
        routerctl top --socket /run/routerd/routerd.sock
      """)

  @OptionGroup var daemon: DaemonOptions

  func run() async throws {
    guard TerminalModes.areThere(on: .output) else {
      throw CommandFailure(.usage, "cannot show this here: it needs a terminal. Use 'routerctl queue', 'status' or 'log'")
    }
    let (leaving, leave) = AsyncStream<Void>.makeStream()
    let keyboard = Keyboard { leave.finish() }
    let path = daemon.socket ?? RouterClient.defaultSocketPath()
    // Each call fails at once, and the next second's may succeed.
    let client = RouterClient(socketPath: path, app: "top", reconnect: .never)
    // What cannot be had from the start is an error, not something to wait for.
    let first = try await TopData(from: client)
    try await Signals.whileHandling {
      TerminalModes.restore()
      leave.finish()
    } perform: {
      try await keyboard.whileReading {
        let loop = TopLoop(client: client, keyboard: keyboard, screen: .terminal(.output))
        try await withThrowingTaskGroup { group in
          group.addTask { try await loop.run(from: first) }
          group.addTask { for await _ in leaving {} }
          try await group.next()
          group.cancelAll()
        }
        await loop.leave()
      }
    }
  }
}
