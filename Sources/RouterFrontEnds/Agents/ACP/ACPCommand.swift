import ArgumentParser
import Glibc
import Router
import RouterCommandLine

/// `routerctl agent acp`: runs an agent that speaks the Agent Client Protocol, and answers its permission requests.
struct ACPCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "acp",
    abstract: "Run an ACP agent, and answer its permission requests.",
    discussion: """
      Configure your editor to start this command instead of the agent. Every line between them passes through unchanged, except
      'session/request_permission', which asks through Router. If nobody could be asked, the editor asks. Answers are not
      remembered. Exits with the agent's status.

      EXAMPLES
        routerctl agent acp -- vibe-acp
        routerctl agent acp --app my-agent -- node agent.js
      """)

  @Option(help: "Name of the agent shown in the prompt (default: the program's).")
  var app: String?

  @Option(help: ArgumentHelp("Expire a prompt after this time.", valueName: "time"))
  var timeout = DurationArgument(duration: .seconds(600))

  @Option(help: ArgumentHelp("The daemon's socket (default: $ROUTERD_SOCKET).", valueName: "path"))
  var socket: String?

  @Argument(parsing: .postTerminator, help: "The agent and its arguments.")
  var command: [String]

  func validate() throws {
    if command.isEmpty { throw ValidationError("Missing the agent's command, after --.") }
  }

  func run() async throws {
    // The end of a pipe shows up when reading.
    signal(SIGPIPE, SIG_IGN)
    guard let program = RealProgram.path(of: command[0]) else {
      throw CommandFailure(.usage, "cannot run \(command[0]): there is no such program")
    }
    let (toAgent, fromAgent) = (try Pipe(), try Pipe())
    let agent = try ChildProcess(
      program, Array(command.dropFirst()), descriptors: (toAgent.readEnd, fromAgent.writeEnd, STDERR_FILENO),
      leads: nil)
    close(toAgent.readEnd)
    close(fromAgent.writeEnd)
    let app = app ?? program.fileName
    var frontEnd = FrontEnd(socket: socket, patience: AgentHook.patience)
    frontEnd.callers = [agent.pid]
    // The agent is a descendant of this process, so it may not answer either.
    let gate = ToolGate(frontEnd: frontEnd, app: app, timeout: timeout.duration, agent: getpid(), remembers: false)
    let stream = ACPStream(relay: ACPRelay(app: app), agent: toAgent.writeEnd)
    try stream.start(agentsOutput: fromAgent.readEnd)
    await stream.answer { await gate.decide($0.call) }
    throw ExitCode(agent.wait())
  }
}
