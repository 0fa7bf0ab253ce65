import ArgumentParser
import Glibc
import Router
import RouterClient
import RouterCommandLine

/// `routerctl agent opencode`: answers the permission requests of OpenCode's server.
struct OpenCodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "opencode",
    abstract: "Answer the permission requests of a running OpenCode.",
    discussion: """
      Follows the events of OpenCode's server on this machine, and answers its questions with "once" or "reject". OpenCode asks at
      the same time: an answer there withdraws the prompt. Answers are not remembered. Runs until it is stopped, also while
      OpenCode restarts. $OPENCODE_SERVER_PASSWORD is the server's password.

      EXAMPLES
        routerctl agent opencode --port 4096
      """)

  @Option(help: "Port of OpenCode's server.")
  var port: UInt16 = 4096

  @Option(help: ArgumentHelp("Directory of the project (default: the server's).", valueName: "path"))
  var directory: String?

  @Option(help: ArgumentHelp("Expire a prompt after this time.", valueName: "time"))
  var timeout = DurationArgument(duration: .seconds(3600))

  @Option(help: ArgumentHelp("The daemon's socket (default: $ROUTERD_SOCKET).", valueName: "path"))
  var socket: String?

  func run() async throws {
    let gate = ToolGate(
      frontEnd: FrontEnd(socket: socket, patience: AgentHook.patience), app: "opencode", timeout: timeout.duration, agent: nil,
      remembers: false)
    await OpenCodeFollower(port: port, directory: directory) { await gate.decide($0) }.run()
  }
}
