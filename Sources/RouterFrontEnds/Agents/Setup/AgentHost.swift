import ArgumentParser
import FoundationEssentials
import Router

/// An agent whose own configuration starts `routerctl agent hook`.
package enum AgentHost: String, ExpressibleByArgument, CaseIterable, Sendable {
  case claude, codex

  /// The app name of its prompts.
  var app: String { self == .claude ? "claude-code" : "codex" }
  var name: String { self == .claude ? "Claude Code" : "Codex" }

  /// Whether a PreToolUse hook may make the agent ask. Codex runs the tool instead.
  var asksForHooks: Bool { self == .claude }

  /// The events to install the hook for: the asking event, and the events that withdraw orphaned prompts.
  var events: [HookEvent.Name] {
    switch self {
    case .claude: [.permissionRequest, .postToolUse, .postToolUseFailure, .permissionDenied, .stop, .sessionEnd]
    case .codex: [.permissionRequest, .postToolUse, .stop, .interrupt, .sessionEnd]
    }
  }

  /// The path of the settings file: the project's in the current directory, or the user's.
  func settings(isProject: Bool) -> String {
    switch self {
    case .claude: (isProject ? Self.directory + "/.claude" : Self.home("CLAUDE_CONFIG_DIR", ".claude")) + "/settings.json"
    case .codex: (isProject ? Self.directory + "/.codex" : Self.home("CODEX_HOME", ".codex")) + "/hooks.json"
    }
  }

  static var directory: String { FileManager.default.currentDirectoryPath }
  package static var userHome: String { environmentVariable("HOME") ?? FileManager.default.homeDirectoryForCurrentUser.path }

  private static func home(_ variable: String, _ folder: String) -> String {
    environmentVariable(variable) ?? userHome + "/" + folder
  }
}

/// The hook command to install, and its options.
struct HookInstallation: Sendable {
  static let defaultTimeout = Duration.seconds(600)
  /// The time between the prompt's timeout and the host's hook timeout.
  static let margin = Duration.seconds(10)
  /// The additional time that the host waits, so that a session's pause does not expire its prompts.
  static let pauses = Duration.seconds(86_400)

  let host: AgentHost
  /// The absolute path of routerctl.
  let program: String
  /// The timeout of a prompt, excluding pauses.
  var timeout = Self.defaultTimeout
  /// A pattern of tools to ask about before the host applies its own rules; `nil` for none.
  var always: String?
  /// Whether to leave these tools to the host's classifier in auto mode.
  var escalationsOnly = false

  var command: String {
    var words = [program, "agent", "hook"]
    if host != .claude { words += ["--app", host.app] }
    if escalationsOnly { words.append("--escalations-only") }
    if timeout != Self.defaultTimeout { words += ["--timeout", Self.seconds(timeout - Self.margin)] }
    words += ["--limit", Self.seconds(hostTimeout - Self.margin)]
    return words.map(\.shellQuoted).joined(separator: " ")
  }

  private var hostTimeout: Duration { timeout + Self.pauses }

  private static func seconds(_ duration: Duration) -> String { "\(duration.components.seconds)s" }

  /// The settings entry of each event.
  var groups: [(event: String, group: JSONValue)] {
    let events = (always == nil ? [] : [HookEvent.Name.preToolUse]) + host.events
    return events.map { event in
      var handler: [(String, JSONValue)] = [("type", "command"), ("command", .string(command))]
      // Only the asking event takes long.
      handler.append(("timeout", .integer(event.asks ? Int(hostTimeout.components.seconds) : 30)))
      var group: [(String, JSONValue)] = []
      if event == .preToolUse { group.append(("matcher", .string(always ?? "*"))) }
      return (event.rawValue, .members(group + [("hooks", [.members(handler)])]))
    }
  }
}
