import ArgumentParser
import Router
import RouterClient
import RouterCommandLine

/// `routerctl agent doctor`: finds out why an agent does not ask through Router, or asks twice.
struct AgentDoctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check that agents ask through Router.",
    discussion: """
      Checks your settings and those of the project in the current directory: the hook is installed once, its command exists,
      the agent waits longer than the prompt, Codex trusts the hook, and routerd is reachable. Names other programs that ran the
      hook in the last 30 days and got no answer, because it does not know their dialect. Exits with 8 on problems.

      EXAMPLES
        routerctl agent doctor
        routerctl agent doctor claude
      """)

  @Argument(help: "The agent: claude or codex (default: all installed).")
  var agent: AgentHost?

  @Option(help: ArgumentHelp("The daemon's socket (default: $ROUTERD_SOCKET).", valueName: "path"))
  var socket: String?

  func run() async throws {
    var findings: [Finding] = []
    let hosts = agent.map { [$0] } ?? AgentHost.allCases
    for host in hosts {
      let files = [false, true].map { SettingsFile(path: host.settings(isProject: $0)) }
      findings += AgentCheck(host: host, files: files, isWanted: agent != nil).findings()
    }
    if findings.isEmpty {
      findings.append(
        .problem(
          "Claude Code and Codex do not ask through Router yet: run \"routerctl agent install claude\" or \"… codex\""))
    }
    findings += UnknownHost.names.map {
      .problem(
        "\($0) runs the hook from an agent's settings, in a dialect that Router does not know: it gets no answer, and asks by itself"
      )
    }
    findings.append(await daemon())
    try findings.report()
  }

  private func daemon() async -> Finding {
    let client = FrontEnd(socket: socket).client
    do {
      let isPresented = try await client.surfaces().contains { $0.name == "main" && !$0.presenters.isEmpty }
      return isPresented
        ? .fine("routerd is running, and a presenter is attached")
        : .problem("routerd is running, but surface main has no presenter: run \"routerctl present\" or open the page")
    } catch {
      return .problem(CommandFailure(diagnosing: error)?.message ?? String(describing: error))
    }
  }
}
