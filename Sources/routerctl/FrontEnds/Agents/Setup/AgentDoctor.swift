import ArgumentParser
import Router
import RouterClient

/// `routerctl agent doctor`: diagnoses why an agent does not ask through Router, or asks twice.
struct AgentDoctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check that agents ask through Router.",
    discussion: """
      Checks your settings and those of the project in the current directory: the hook is installed once, its command exists,
      the agent waits longer than the prompt, Codex trusts the hook, and routerd is reachable. Exits with 6 on problems.

      EXAMPLES
        routerctl agent doctor
        routerctl agent doctor claude
      """)

  @Argument(help: "The agent: claude or codex (default: all installed).")
  var agent: AgentHost?

  @Option(help: ArgumentHelp("The daemon's socket (default: $ROUTERD_SOCKET).", valueName: "path"))
  var socket: String?

  func run() async throws {
    var findings: [AgentFinding] = []
    let hosts = agent.map { [$0] } ?? AgentHost.allCases
    for host in hosts {
      let files = [false, true].map { SettingsFile(path: host.settings(isProject: $0)) }
      findings += AgentCheck(host: host, files: files, isWanted: agent != nil).findings()
    }
    if findings.isEmpty {
      findings.append(.problem("no agent has the hook: run \"routerctl agent install claude\" or \"… codex\""))
    }
    findings.append(await daemon())
    for finding in findings { StandardStream.output.line(finding.line.escapedForTerminal()) }
    if findings.contains(where: \.isProblem) { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  private func daemon() async -> AgentFinding {
    let client = FrontEnd(socket: socket).client
    do {
      let surfaces = try await client.surfaces()["surfaces"]?.array ?? []
      let isPresented = surfaces.contains { $0["name"] == "main" && $0["presenters"]?.array?.isEmpty == false }
      return isPresented
        ? .fine("routerd answers, and a presenter is attached")
        : .problem("routerd answers, but nothing presents on the surface main: run \"routerctl present\" or open the page")
    } catch {
      return .problem(CommandFailure(diagnosing: error)?.message ?? String(describing: error))
    }
  }
}

/// One line of the doctor's output.
enum AgentFinding: Sendable, Hashable {
  case fine(String)
  case problem(String)

  var isProblem: Bool { if case .problem = self { true } else { false } }
  var line: String {
    switch self {
    case .fine(let text): "ok       \(text)"
    case .problem(let text): "problem  \(text)"
    }
  }
}
