import ArgumentParser
import Router
import RouterClient

struct Wait: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wait",
    abstract: "Wait for the outcome of a detached prompt.",
    discussion: """
      Prints the answer and exits like the command that asked with --detach. Ctrl-C does not cancel the prompt.

      EXAMPLES
        routerctl wait 5f0c1a2b
        routerctl wait --last
        id=$(routerctl confirm 'Deploy tonight?' --detach) && routerctl wait "$id"
      """)

  @OptionGroup var target: TargetArgument

  @OptionGroup var output: OutputOptions
  @OptionGroup var daemon: DaemonOptions

  func run() async throws {
    let client = daemon.client(mayStartLater: true)
    let id = try await target.find(in: client) {
      try LogLocation.parse(daemon.socket.map { ["--socket", $0] } ?? []).open()
    }
    let open = try await client.presentation(id)
    let wait = OutcomeWait(
      client: client, surface: open.request.surface, inline: nil, isQuiet: !StandardStream.error.style.isTerminal)
    let ended = try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await wait.attend(open) }
      defer { group.cancelAll() }
      return open.state == .resolved ? open : try await client.resolved(id)
    }
    try output.finish(ended)
  }
}
