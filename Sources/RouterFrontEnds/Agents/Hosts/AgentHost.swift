import ArgumentParser
import FoundationEssentials
import OrderedCollections
import Router
import RouterCommandLine

/// An agent whose own configuration starts `routerctl agent hook`: how it describes an event, how it takes an answer, and where
/// its settings are.
///
/// To add one, add a value to ``all``, and a folder with its payloads to Tests/routerctlTests/Payloads.
package struct AgentHost: Sendable {
  /// Returns the output for an answer to an event, which also has the host's name.
  typealias Output = @Sendable (HookAnswer, HookEvent.Name, _ hostsName: String) -> JSONValue

  /// The word on the command line, such as `claude`.
  let id: String
  let name: String
  /// The app name of its prompts.
  let app: String
  /// Whether an event comes from this host. Events that ask nothing may fit several hosts.
  let sends: @Sendable (JSONValue) -> Bool
  /// The member with the event's name.
  var nameMember = "hook_event_name"
  /// The events that Router handles, by the host's names.
  var events = HookEvent.Name.byClaudesNames
  /// Finds the kind of an event without a name.
  var unnamed: @Sendable (JSONValue) -> HookEvent.Name? = { _ in nil }
  var members = HookMembers()
  /// The tools that are the same as Claude Code's, by the host's names; `nil` if the host uses Claude Code's names.
  var tools: [String: HostTool]?
  /// The tools that the hook does not ask about, because they only read files or ask the person. The host decides them.
  var readingTools: Set<String> = []
  var modes = PermissionMode.byClaudesNames
  /// Whether an answer to PreToolUse can make the host ask.
  var asksForHooks = true
  let output: Output
  /// The output that ends the run until the prompt is answered; `nil` if the host cannot resume.
  var deferral: JSONValue?
  let clock: HookClock
  let settings: HostSettings
  /// Problems that only this host has.
  var check: @Sendable () -> [Finding] = { [] }
  /// The last step of an installation, with the file for ``HookInstallation/environment``.
  var finish: @Sendable (_ environment: String?) throws -> Void = { environment in
    guard let environment else { return }
    StandardStream.output.line(
      "To make its sudo, ssh and git ask through Router too, start it from a shell after: . \(environment.shellQuoted)")
  }
  /// The last step of an uninstallation.
  var undo: @Sendable () throws -> Void = {}

  static let all: [AgentHost] = [claude, codex, copilot, visualStudioCode, cursor, gemini, qwen, cline]

  /// Returns the host that sent an event.
  ///
  /// - Parameter installed: The host that the hook was installed for, if it says so. An event that fits no host is from this one.
  ///   One that fits another host gets no answer: that host reads the same settings, and has an installation for itself.
  static func sender(of event: JSONValue, installed: AgentHost?) -> AgentHost? {
    guard let installed else { return all.first { $0.sends(event) } }
    return installed.sends(event) || !all.contains { $0.sends(event) } ? installed : nil
  }

  /// Returns the output for a decision; `nil` to print nothing.
  func output(_ decision: ToolDecision, for event: HookEvent.Name, _ hostsName: String) -> JSONValue? {
    HookAnswer(decision, to: event, of: self).map { output($0, event, hostsName) }
  }

  static var directory: String { FileManager.default.currentDirectoryPath }
  package static var userHome: String { environmentVariable("HOME") ?? FileManager.default.homeDirectoryForCurrentUser.path }
}

extension AgentHost: ExpressibleByArgument {
  package init?(argument: String) {
    guard let host = Self.all.first(where: { $0.id == argument }) else { return nil }
    self = host
  }

  package static var allValueStrings: [String] { all.map(\.id) }
}

/// A tool of a host that has the effect of one of Claude Code's.
struct HostTool: Sendable, ExpressibleByStringLiteral {
  /// Claude Code's name.
  let name: String
  /// Claude Code's names of the input's members, by the host's.
  var members: [String: String] = [:]

  init(_ name: String, _ members: [String: String] = [:]) { (self.name, self.members) = (name, members) }
  init(stringLiteral name: String) { self.name = name }

  func input(_ input: JSONValue) -> JSONValue {
    guard let object = input.object else { return input }
    let renamed = object.map { (members[$0.key] ?? $0.key, $0.value) }
    return Set(renamed.map(\.0)).count == renamed.count ? .members(renamed) : input
  }
}

/// How long a host waits for a hook.
struct HookClock: Sendable {
  /// What the host does when a hook is late.
  enum Lateness: String, Sendable {
    case asks = "asks by itself"
    /// The hook answers a second earlier.
    case decides = "decides by its own rules, which may allow the call"
    case blocks = "blocks the call"
  }

  /// The limit without one in the settings.
  let standard: Duration
  let lateness: Lateness
  /// What the host does when a hook fails.
  let failure: Lateness
  /// Whether settings can raise the limit.
  var isAdjustable = true
  /// The number of the settings' units in a second.
  var unitsPerSecond = 1

  func units(_ time: Duration) -> Int { Int(time.components.seconds) * unitsPerSecond }
}
