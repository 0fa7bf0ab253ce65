import Glibc
import OrderedCollections
import Router
import RouterCommandLine

/// Checks one agent's settings for problems.
struct AgentCheck: Sendable {
  let host: AgentHost
  /// The settings of the user and the project, which are the same file in the home directory.
  let places: [any HookPlace]
  /// Whether a missing hook is a problem.
  let isWanted: Bool

  func findings() -> [Finding] {
    var findings: [Finding] = []
    var handlers: [HookSettings.Handler] = []
    var paths: Set<String> = []
    for file in places where paths.insert(file.resolvedPath ?? file.path).inserted {
      do {
        let own = try file.handlers().filter(\.isRouters)
        handlers += own
        if !own.isEmpty { findings.append(.fine("\(file.path) has the hook for \(own.map(\.event).joined(separator: ", "))")) }
      } catch {
        findings.append(.problem(CommandFailure(diagnosing: error)?.message ?? String(describing: error)))
      }
    }
    guard !handlers.isEmpty else {
      return findings
        + (isWanted ? [.problem("\(host.name) does not have the hook: run \"routerctl agent install \(host.id)\"")] : [])
    }
    return findings + duplicates(handlers) + missing(handlers) + commands(handlers) + timeouts(handlers) + [lateness]
      + host.check()
  }

  private func duplicates(_ handlers: [HookSettings.Handler]) -> [Finding] {
    Dictionary(grouping: handlers, by: \.event).filter { $0.value.count > 1 }.keys.sorted().map {
      .problem(
        "\(host.name) has the hook more than once for \($0): each tool call prompts more than once. "
          + "Uninstall it from the user's or the project's settings.")
    }
  }

  private var lateness: Finding {
    let (late, failed) = (host.clock.lateness, host.clock.failure)
    let early = late == .asks ? "" : "; the hook answers a second before that"
    return .fine(
      "if the hook is late, \(host.name) \(late.rawValue)\(early)"
        + (failed == late ? ". The same if it fails" : ". If it fails, it \(failed.rawValue)"))
  }

  private func missing(_ handlers: [HookSettings.Handler]) -> [Finding] {
    let missing = host.settings.events.filter { event in !handlers.contains { $0.event == event } }
    guard !missing.isEmpty else { return [] }
    return [
      .problem("\(host.name) has no hook for \(missing.joined(separator: ", ")): run \"routerctl agent install \(host.id)\"")
    ]
  }

  private func commands(_ handlers: [HookSettings.Handler]) -> [Finding] {
    Set(handlers.map(\.program)).sorted().map { program in
      access(program, X_OK) == 0
        ? .fine("\(program) is executable") : .problem("cannot run the hook's program \(program): install the hook again")
    }
  }

  private func timeouts(_ handlers: [HookSettings.Handler]) -> [Finding] {
    guard host.clock.isAdjustable else { return [] }
    return handlers.filter { host.events[$0.event]?.asks == true }.compactMap { handler in
      let limit = handler.timeout.map { Duration.seconds($0 / host.clock.unitsPerSecond) } ?? host.clock.standard
      let prompt = handler.promptTimeout
      guard limit < prompt else { return nil }
      return .problem(
        "\(host.name) times out the hook for \(handler.event) after \(limit.compact), but its prompt stays open for "
          + "\(prompt.compact): a late answer is lost. Install the hook again")
    }
  }

  /// Reports an additional permission tool: Claude Code then asks twice.
  @Sendable static func permissionTool() -> [Finding] {
    let home = AgentHost.userHome
    let places = [(home + "/.claude.json"), AgentHost.directory + "/.mcp.json"]
    for place in places {
      guard case .text(let text) = TextFile(place), let json = try? JSONValue(parsing: text, maximumDepth: 128) else {
        continue
      }
      let projects = json["projects"]?[AgentHost.directory].map { [$0] } ?? []
      let servers = ([json] + projects).flatMap { $0["mcpServers"]?.object?.elements.map(\.self) ?? [] }
      for (name, server) in servers where isRouters(server) {
        return [
          .problem(
            "\(place) has Router's MCP server \"\(name)\" in addition to the hook. Do not also start claude with "
              + "\"--permission-prompt-tool mcp__\(name)__approve\": each tool call would prompt twice.")
        ]
      }
    }
    return []
  }

  private static func isRouters(_ server: JSONValue) -> Bool {
    guard let command = server["command"]?.string else { return false }
    return command.ends(with: "routerctl") && server["args"]?.array?.first == "mcp"
  }

  @Sendable static func trust() -> [Finding] {
    guard let codex = CodexTrust.find() else {
      return [.problem("cannot check whether Codex trusts the hook: codex is not in PATH")]
    }
    do {
      let hooks = try codex.hooks(in: AgentHost.directory)
      guard !hooks.isEmpty else { return [.problem("Codex does not see the hook: features.hooks may be off in config.toml")] }
      let ignored = hooks.filter { !$0.isTrusted || !$0.isEnabled }
      return ignored.isEmpty
        ? [.fine("Codex trusts the hook")]
        : [
          .problem(
            "Codex ignores the hook for \(String(counting: ignored.count, "event")), because it is untrusted or disabled: run "
              + "\"routerctl agent install codex\", or enter /hooks in codex")
        ]
    } catch {
      return [.problem(CommandFailure(diagnosing: error)?.message ?? String(describing: error))]
    }
  }
}
