import ArgumentParser
import Glibc
import Router
import RouterClient
import RouterCommandLine

/// `routerctl agent run`: runs an agent in bubblewrap, where it can ask, but not answer, read or edit.
struct AgentRun: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run an agent in a sandbox in which it can only ask.",
    discussion: """
      Runs the agent with bwrap (the package bubblewrap). It has the system's files, the current directory and its own directory in
      your home, such as ~/.claude, but cannot change the settings that start the hook, or .git/hooks and .git/config. It has the
      network. Of Router, it has the socket for asking: no process in the sandbox can answer, show or read a prompt, including
      those of other programs, or read the log. 'routerctl doctor --attack' tries. Exits with the agent's status.

      Programs with the set-user-ID bit, such as sudo, get no privileges. What the agent changes in the current directory can run
      when you run it, so look at it first.

      EXAMPLES
        routerctl agent run -- claude
        routerctl agent run --read ~/.npmrc --write ~/.cache/pip -- codex
        routerctl agent run --agent claude -- routerctl doctor --attack
        routerctl agent run --show -- claude   # print the command
      """)

  @Option(help: "The agent whose directory and settings the sandbox has (default: by the command's name).")
  var agent: AgentHost?

  @Option(help: ArgumentHelp("Let the agent read a file or directory. Repeatable.", valueName: "path"))
  var read: [String] = []

  @Option(help: ArgumentHelp("Let the agent change a file or directory. Repeatable.", valueName: "path"))
  var write: [String] = []

  @Flag(help: "Leave the network out.")
  var noNetwork = false

  @Flag(help: "Print the command instead of running it.")
  var show = false

  @Option(help: ArgumentHelp("The daemon's socket (default: see 'routerctl socket').", valueName: "path"))
  var socket: String?

  @Argument(parsing: .postTerminator, help: "The agent and its arguments.")
  var command: [String]

  func validate() throws {
    if command.isEmpty { throw ValidationError("Missing the agent's command, after --.") }
  }

  func run() async throws {
    guard let program = RealProgram.path(of: command[0]) ?? (isOwn ? RealProgram.own : nil) else {
      throw CommandFailure(.usage, "cannot run \(command[0]): there is no such program")
    }
    guard let bubblewrap = RealProgram.path(of: "bwrap") else {
      throw CommandFailure(.defect, "cannot run the agent in a sandbox: there is no bwrap. Install the package bubblewrap")
    }
    let sandbox = try sandbox()
    try prepare(sandbox)
    let arguments = sandbox.arguments(for: program) + [program] + command.dropFirst()
    if show { return StandardStream.output.line(([bubblewrap] + arguments).map(\.shellQuoted).joined(separator: " ")) }
    guard Confinement.forbidTerminalInput() else { throw Self.failure("cannot restrict the agent's system calls") }
    if !Confinement.forbidAbstractSockets(), sandbox.hasNetwork {
      FrontEnd.warn(
        "routerctl",
        "before Linux 6.12, the agent can connect to sockets without a file, such as an X server's. Pass --no-network")
    }
    // The terminal's keys interrupt the agent, and not bwrap, whose end would end the agent.
    for number in [SIGINT, SIGQUIT] { signal(number, SIG_IGN) }
    RealProgram.replace(with: bubblewrap, arguments)
    throw Self.failure("cannot run \(bubblewrap)")
  }

  private static func failure(_ what: String) -> CommandFailure {
    CommandFailure(.defect, "\(what): \(String(cString: strerror(errno)))")
  }

  /// Whether the command is routerctl, which ``RealProgram/path(of:)`` leaves out.
  private var isOwn: Bool { command[0].fileName == "routerctl" }

  private func sandbox() throws -> Sandbox {
    if socket == nil { try UserDaemon.startIfNeeded { FrontEnd.warn("routerctl", $0) } }
    let paths = DefaultPaths.current
    let socket = try Self.absolute(socket ?? paths.socketToUse)
    let askSocket = environmentVariable("ROUTERD_ASK_SOCKET") ?? DefaultPaths.askSocket(besides: socket)
    guard access(askSocket, W_OK) == 0 else {
      throw CommandFailure(
        .unreachable,
        "cannot run the agent in a sandbox: there is no socket for asking at \(askSocket). Start routerd; if its socket is not the "
          + "default one, set askSocket in routerd.yaml, and ROUTERD_ASK_SOCKET here")
    }
    var sandbox = Sandbox(
      project: AgentHost.directory, home: try Self.absolute(AgentHost.userHome), socket: socket, askSocket: askSocket,
      runtime: paths.runtime)
    sandbox.host = agent ?? AgentHost.all.first { $0.id == command[0].fileName }
    sandbox.readable = try read.map(Self.absolute)
    sandbox.writable = try write.map(Self.absolute)
    sandbox.hasNetwork = !noNetwork
    let own = [
      sandbox.home, paths.databaseToUse.parentDirectory, paths.configuration.parentDirectory, socket, askSocket, "/etc/routerd",
    ]
    for path in [sandbox.project] + sandbox.readable + sandbox.writable {
      if let own = own.first(where: { Self.isSame($0, orBelow: path) }) {
        throw CommandFailure(
          .usage,
          "cannot let the agent have \(path): \(own) is in it. Start it in a project's directory, and pass smaller directories")
      }
    }
    return sandbox
  }

  /// Checks that the hook is installed, and creates the files and directories of the agent that the sandbox needs.
  private func prepare(_ sandbox: Sandbox) throws {
    guard let host = sandbox.host else { return }
    let handlers = try [false, true].flatMap { try host.place(isProject: $0).handlers() }
    guard handlers.contains(where: \.isRouters) else {
      throw CommandFailure(.usage, "\(host.name) does not have the hook: run \"routerctl agent install \(host.id)\"")
    }
    guard !show else { return }
    try? Directories.make(host.settings.directory)
    for path in host.settings.files where access(path, F_OK) != 0 {
      // A missing file cannot be protected.
      try FileReplacement.write(Array((path.ends(with: ".json") ? "{}\n" : "").utf8), to: path, mode: 0o600)
    }
  }

  private static func absolute(_ path: String) throws -> String {
    guard let path = ToolPath.resolve(ToolPath(path, in: AgentHost.directory).file) else {
      throw CommandFailure(.usage, "cannot use \(path): it has too many links")
    }
    return path
  }

  private static func isSame(_ path: String, orBelow directory: String) -> Bool {
    (path + "/").begins(with: directory == "/" ? directory : directory + "/")
  }
}
