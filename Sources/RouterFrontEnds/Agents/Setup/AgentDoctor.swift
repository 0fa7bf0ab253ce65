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
      the agent waits longer than the prompt, Codex trusts the hook, and routerd is reachable. Says what the agent does if the
      hook is late or fails. Names other programs that ran the hook in the last 30 days and got no answer, because it does not
      know them. Exits with 8 on problems.

      EXAMPLES
        routerctl agent doctor
        routerctl agent doctor claude
      """)

  @Argument(help: "The agent (default: all installed).")
  var agent: AgentHost?

  @Option(help: ArgumentHelp("The daemon's socket (default: $ROUTERD_SOCKET).", valueName: "path"))
  var socket: String?

  func run() async throws {
    var findings: [Finding] = []
    let hosts = agent.map { [$0] } ?? AgentHost.all
    for host in hosts {
      let places = [false, true].map { host.place(isProject: $0) }
      findings += AgentCheck(host: host, places: places, isWanted: agent != nil).findings()
    }
    if findings.isEmpty {
      findings.append(
        .problem(
          "no agent asks through Router yet: run \"routerctl agent install claude\", or with another agent: "
            + AgentHost.allValueStrings.dropFirst().joined(separator: ", ")))
    }
    findings += UnknownHost.names.map {
      .problem(
        "\($0) runs the hook from another agent's settings, and Router does not know its events: it gets no answer, and asks by itself"
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
