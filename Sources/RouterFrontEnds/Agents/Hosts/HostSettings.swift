import Router

/// Where a host's settings start the hook.
struct HostSettings: Sendable {
  /// How the settings name a hook.
  enum Form: Sendable {
    /// JSON with groups of handlers for each event, as in Claude Code's settings.
    case groups
    /// JSON with handlers for each event, and a version.
    case handlers
    /// A directory with a program for each event.
    case programs
  }

  /// The environment variable with the directory of the user's settings.
  var variable: String?
  /// The directory in the home directory.
  let folder: String
  let file: String
  /// Further files of the user that decide whether the host runs the hook.
  var otherFiles: [String] = []
  /// What the host changes in the home directory, beside its directory.
  var otherState: [String] = []
  /// The directory and file in a project, if they differ.
  var project: (folder: String, file: String)?
  var form = Form.groups
  /// The member with a handler's time limit.
  var timeout = "timeout"
  /// The events to install the hook for, by the host's names: those that ask, and those that withdraw prompts.
  let events: [String]
  /// The event that asks about calls that the host would not ask about; `nil` if the others do.
  var always: String?
  /// The variable in the settings' `env` with a file that the shell reads before each command; `nil` if there is none.
  var environment: String?
  /// Further members of the handlers that ask.
  var asking: [(String, JSONValue)] = []

  /// The path of the project's settings in the current directory, or the user's.
  func path(isProject: Bool) -> String {
    if isProject { return "\(AgentHost.directory)/\(project?.folder ?? folder)/\(project?.file ?? file)" }
    return (variable.flatMap(environmentVariable) ?? "\(AgentHost.userHome)/\(folder)") + "/" + file
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
  /// The file that makes the agent's commands ask for passwords through Router; `nil` for none.
  var environment: String?

  var command: String {
    var words = [program, "agent", "hook", "--app", host.app]
    if escalationsOnly { words.append("--escalations-only") }
    if host.clock.isAdjustable {
      if timeout != Self.defaultTimeout { words += ["--timeout", Self.seconds(timeout - Self.margin)] }
      words += ["--limit", Self.seconds(hostTimeout - Self.margin)]
    }
    return words.map(\.shellQuoted).joined(separator: " ")
  }

  private var hostTimeout: Duration { timeout + Self.pauses }

  private static func seconds(_ duration: Duration) -> String { "\(duration.components.seconds)s" }

  /// The settings entry of each event.
  var entries: [(event: String, entry: JSONValue)] {
    let settings = host.settings
    let added = always == nil ? [] : [settings.always].compactMap(\.self)
    return (added + settings.events).map { event in
      let asks = host.events[event]?.asks == true
      var handler: [(String, JSONValue)] = [("type", "command"), ("command", .string(command))]
      // Only the asking event takes long.
      handler.append((settings.timeout, .integer(host.clock.units(asks ? hostTimeout : .seconds(30)))))
      if asks { handler += settings.asking }
      let pattern = event == settings.always ? always : nil
      let matcher: [(String, JSONValue)] = pattern.map { [("matcher", .string($0))] } ?? []
      switch settings.form {
      case .groups: return (event, .members(matcher + [("hooks", [.members(handler)])]))
      case .handlers, .programs: return (event, .members(matcher + handler))
      }
    }
  }
}
