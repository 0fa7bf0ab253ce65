import ArgumentParser
import Glibc
import Router
import RouterCommandLine

/// `routerctl agent install`: adds the hook to an agent's settings.
struct AgentInstall: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Make an agent ask through Router.",
    discussion: """
      Adds 'routerctl agent hook' to the agent's settings, such as ~/.claude/settings.json, or with --project to those in the
      current directory. Keeps all other settings and a backup of the file. Makes Codex trust the hook. Restart running
      sessions if they do not use the hook.

      EXAMPLES
        routerctl agent install claude
        routerctl agent install claude --project --always 'Bash|Write'
        routerctl agent install codex
      """)

  @Argument(help: "The agent.")
  var agent: AgentHost

  @Flag(help: "Change the settings of the project in the current directory.")
  var project = false

  @Option(
    help: ArgumentHelp(
      "How long a prompt waits for an answer, less 10s. Pauses of the session do not count.", valueName: "time"))
  var timeout = DurationArgument(duration: HookInstallation.defaultTimeout)

  @Option(help: ArgumentHelp("Also ask about these tools when the agent would not.", valueName: "matcher"))
  var always: String?

  @Flag(help: "With --always: not in auto mode, in which the agent's classifier decides what to ask.")
  var escalationsOnly = false

  @Flag(help: "Do not make the agent's sudo, ssh and git ask for passwords through Router.")
  var noAskpass = false

  func validate() throws {
    guard timeout.duration >= .seconds(30) else { throw ValidationError("--timeout must be at least 30s.") }
    guard always != nil || !escalationsOnly else { throw ValidationError("--escalations-only requires --always.") }
    guard always == nil || agent.settings.always != nil else {
      throw ValidationError("--always is not for \(agent.name): its hook asks before the agent's own rules anyway.")
    }
    guard agent.clock.isAdjustable || timeout.duration == HookInstallation.defaultTimeout else {
      throw ValidationError("--timeout is not for \(agent.name): it waits \(agent.clock.standard.compact) for a hook.")
    }
  }

  func run() async throws {
    let environment = AgentEnvironment.own
    if !noAskpass { try environment.install() }
    let installation = HookInstallation(
      host: agent, program: RealProgram.own, timeout: timeout.duration, always: always, escalationsOnly: escalationsOnly,
      environment: noAskpass ? nil : environment.file)
    try agent.place(isProject: project).install(installation)
    try agent.finish(noAskpass ? nil : environment.file)
  }
}

/// `routerctl agent uninstall`.
struct AgentUninstall: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall",
    abstract: "Remove Router's hook from an agent's settings.",
    discussion: """
      Keeps ~/.local/lib/router/agent, which other agents and projects may use.

      EXAMPLES
        routerctl agent uninstall claude
        routerctl agent uninstall codex --project
      """)

  @Argument(help: "The agent.")
  var agent: AgentHost

  @Flag(help: "Change the settings of the project in the current directory.")
  var project = false

  func run() async throws {
    try agent.place(isProject: project).uninstall()
    try agent.undo()
    let isUsed = AgentHost.all.contains { host in
      (try? host.place(isProject: false).handlers().contains(where: \.isRouters)) ?? true
    }
    let environment = AgentEnvironment.own
    guard !isUsed, access(environment.file, F_OK) == 0 else { return }
    StandardStream.output.line(
      "Kept \(environment.directory), which projects' settings and your shells may name. To remove it: rm -r "
        + environment.directory.shellQuoted)
  }
}
