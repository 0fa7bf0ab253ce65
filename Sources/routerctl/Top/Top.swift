import ArgumentParser
import Glibc
import Router
import RouterClient
import RouterCommandLine

/// `routerctl top`.
struct Top: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "top",
    abstract: "Watch and manage the queue, presenters and recent answers.",
    discussion: """
      Shows open prompts, attached presenters and recent outcomes, updated live. Enter shows the selected prompt, to answer it \
      as in 'routerctl present'; Esc or Ctrl-X goes back without an answer. s snoozes a prompt for 15 minutes, and + shows a \
      waiting one first. p lets all prompts of its session wait for an hour, or ends that. d closes a prompt without an answer, \
      w withdraws it, and t shows its timeline. g lists the remembered answers, and u there takes one back; u in the queue \
      takes back the last that was given here. r lists the rules. \
      Prompts of several sessions are grouped; o lists them in queue order, as # counts. Tab switches between open and ended prompts, / filters, and q quits.

      Requires the role present. Withdrawing other users' prompts requires admin; ended prompts and timelines require audit.

      EXAMPLES
        routerctl top
        routerctl top --socket /run/routerd/routerd.sock
      """)

  @OptionGroup var daemon: DaemonOptions

  func run() async throws {
    guard TerminalModes.areThere(on: .output) else {
      throw CommandFailure(.usage, "cannot run top: it requires a terminal. Use 'routerctl queue', 'status' or 'log'")
    }
    defer { Signals.endByReceived(unless: SIGINT) }
    let (leaving, leave) = AsyncStream<Void>.makeStream()
    let keyboard = Keyboard { leave.finish() }
    daemon.startDaemon()
    let path = daemon.socket ?? RouterClient.defaultSocketPath()
    // A failed call is repeated a second later.
    let client = RouterClient(socketPath: path, app: "top", reconnect: .never)
    // Exits with an error if the first fetch fails.
    let first = try await TopData(from: client)
    try await Signals.whileHandling {
      TerminalModes.restore()
      leave.finish()
    } perform: {
      try await keyboard.whileReading {
        let loop = TopLoop(client: client, keyboard: keyboard, screen: .terminal(.output))
        await withTaskGroup { group in
          group.addTask { await loop.run(from: first) }
          group.addTask { for await _ in leaving {} }
          await group.next()
          group.cancelAll()
        }
      }
    }
  }
}
