import ArgumentParser
import FoundationEssentials
import Glibc
import OrderedCollections
import Router
import RouterClient

/// `routerctl agent doctor`: finds out why an agent does not ask through Router, or asks twice.
struct AgentDoctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check that agents ask through Router.",
    discussion: """
      Checks the user's settings and those of the project in the current directory: the hook is there once, its command
      exists, the agent waits longer than the prompt, Codex trusts it, and routerd can be reached. Exits with 6 if there is
      a problem.

      EXAMPLES
        routerctl agent doctor
        routerctl agent doctor claude
      """)

  @Argument(help: "The agent: claude or codex (default: those that are installed).")
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

/// One line of the doctor's.
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

/// What is right and wrong with one agent's settings.
struct AgentCheck: Sendable {
  let host: AgentHost
  /// The user's and the project's.
  let files: [SettingsFile]
  /// Whether an agent without the hook is a problem.
  let isWanted: Bool

  func findings() -> [AgentFinding] {
    var findings: [AgentFinding] = []
    var handlers: [HookSettings.Handler] = []
    for file in files {
      do {
        let own = try file.settings().handlers.filter(\.isRouters)
        handlers += own
        if !own.isEmpty { findings.append(.fine("\(file.path) has the hook for \(own.map(\.event).joined(separator: ", "))")) }
      } catch {
        findings.append(.problem(CommandFailure(diagnosing: error)?.message ?? String(describing: error)))
      }
    }
    guard !handlers.isEmpty else {
      return findings
        + (isWanted ? [.problem("\(host.name) does not have the hook: run \"routerctl agent install \(host)\"")] : [])
    }
    findings += duplicates(handlers) + missing(handlers) + commands(handlers) + timeouts(handlers)
    switch host {
    case .claude: findings += permissionTool()
    case .codex: findings += trust()
    }
    return findings
  }

  private func duplicates(_ handlers: [HookSettings.Handler]) -> [AgentFinding] {
    Dictionary(grouping: handlers, by: \.event).filter { $0.value.count > 1 }.keys.sorted().map {
      .problem(
        "\(host.name) has the hook more than once for \($0): each call is asked more than once. "
          + "Uninstall it from the user's or the project's settings.")
    }
  }

  private func missing(_ handlers: [HookSettings.Handler]) -> [AgentFinding] {
    let missing = host.events.map(\.rawValue).filter { event in !handlers.contains { $0.event == event } }
    guard !missing.isEmpty else { return [] }
    return [
      .problem("\(host.name) lacks the hook for \(missing.joined(separator: ", ")): run \"routerctl agent install \(host)\"")
    ]
  }

  private func commands(_ handlers: [HookSettings.Handler]) -> [AgentFinding] {
    Set(handlers.map(\.program)).sorted().map { program in
      access(program, X_OK) == 0 ? .fine("\(program) can be run") : .problem("the hook's program is missing: \(program)")
    }
  }

  private func timeouts(_ handlers: [HookSettings.Handler]) -> [AgentFinding] {
    handlers.filter { HookEvent.Name(rawValue: $0.event)?.asks == true }.compactMap { handler in
      // Both hosts wait ten minutes where nothing is said.
      let limit = Duration.seconds(handler.timeout ?? 600)
      let prompt = handler.promptTimeout
      guard limit < prompt else { return nil }
      return .problem(
        "\(host.name) gives up on the hook for \(handler.event) after \(limit.compact), but its prompt stays for "
          + "\(prompt.compact): a late answer would be lost")
    }
  }

  /// Claude Code asks both where it was started with a permission tool too.
  private func permissionTool() -> [AgentFinding] {
    let home = AgentHost.userHome
    let places = [(home + "/.claude.json"), AgentHost.directory + "/.mcp.json"]
    for place in places {
      guard case .text(let text) = TextFile(place), let json = try? JSONValue(parsing: text, maximumDepth: 128) else {
        continue
      }
      let projects = json["projects"]?[AgentHost.directory].map { [$0] } ?? []
      let servers = ([json] + projects).flatMap { $0["mcpServers"]?.object?.elements.map(\.self) ?? [] }
      for (name, server) in servers where Self.isRouters(server) {
        return [
          .problem(
            "\(place) has Router's MCP server \"\(name)\" beside the hook. Do not start claude with "
              + "\"--permission-prompt-tool mcp__\(name)__approve\" as well: each call would be asked twice.")
        ]
      }
    }
    return []
  }

  private static func isRouters(_ server: JSONValue) -> Bool {
    guard let command = server["command"]?.string else { return false }
    return command.hasSuffix("routerctl") && server["args"]?.array?.first == "mcp"
  }

  private func trust() -> [AgentFinding] {
    guard let codex = CodexTrust.find() else { return [.problem("cannot check Codex's trust: there is no codex in PATH")] }
    do {
      let hooks = try codex.hooks(in: AgentHost.directory)
      guard !hooks.isEmpty else { return [.problem("Codex does not see the hook: features.hooks may be off in config.toml")] }
      let ignored = hooks.filter { !$0.isTrusted || !$0.isEnabled }
      return ignored.isEmpty
        ? [.fine("Codex trusts the hook")]
        : [
          .problem(
            "Codex ignores the hook for \(ignored.count) events, since it is not trusted or disabled: run "
              + "\"routerctl agent install codex\", or enter /hooks in codex")
        ]
    } catch {
      return [.problem(CommandFailure(diagnosing: error)?.message ?? String(describing: error))]
    }
  }
}

extension HookSettings.Handler {
  /// The words of the command, as a shell would have them for what ``HookInstallation`` writes.
  private var words: [String] {
    var (words, word, isQuoted) = ([String](), "", false)
    for character in command {
      if character == "'" {
        isQuoted.toggle()
      } else if character == " ", !isQuoted {
        words.append(word)
        word = ""
      } else {
        word.append(character)
      }
    }
    return words + [word]
  }

  var program: String { words.first ?? "" }

  /// When the prompt expires.
  var promptTimeout: Duration {
    guard let index = words.firstIndex(of: "--timeout"), index + 1 < words.count,
      let argument = DurationArgument(argument: words[index + 1])
    else { return AgentHook.defaultTimeout }
    return argument.duration
  }
}
