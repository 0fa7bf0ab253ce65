import OrderedCollections
import Router

/// The hooks in an agent's settings, as JSON. Members keep their order, and other programs' entries are preserved.
struct HookSettings: Sendable, Hashable {
  private(set) var root: OrderedDictionary<String, JSONValue>
  private let form: HostSettings.Form
  private let timeout: String
  private let variable: String?

  /// Parses a settings file; blank text means no settings.
  ///
  /// - Throws: ``JSONError`` if hosts do not accept the structure.
  init(_ text: String, of host: AgentHost) throws(JSONError) {
    (form, timeout, variable) = (host.settings.form, host.settings.timeout, host.settings.environment)
    let json = text.allSatisfy(\.isWhitespace) ? [:] : try JSONValue(parsing: text, maximumDepth: MCPServer.maximumDepth)
    guard let root = json.object else { throw JSONError("must be an object, not \(json.typeName)") }
    guard let hooks = root["hooks"] else {
      self.root = root
      return
    }
    guard let events = hooks.object else { throw JSONError("must be an object, not \(hooks.typeName)", at: "/hooks") }
    for (event, groups) in events where groups.array == nil {
      throw JSONError("must be an array, not \(groups.typeName)", at: "/hooks/\(event)")
    }
    self.root = root
  }

  var text: String { JSONValue.object(root).indented() + "\n" }

  /// All commands, in order.
  var handlers: [Handler] {
    (root["hooks"]?.object ?? [:]).flatMap { event, groups in
      (groups.array ?? []).flatMap { group in
        handlers(in: group).compactMap { handler in
          handler["command"]?.string.map {
            Handler(event: event, command: $0, timeout: handler[timeout]?.number?.integer)
          }
        }
      }
    }
  }

  /// Adds Router's hook to the wanted events and removes it from all others.
  mutating func install(_ installation: HookInstallation) {
    if form == .handlers, root["version"] == nil { root.updateValue(1, forKey: "version", insertingAt: 0) }
    change(to: OrderedDictionary(uniqueKeysWithValues: installation.entries.map { ($0.event, $0.entry) }))
    setEnvironment(installation.environment)
  }

  mutating func uninstall() {
    change(to: [:])
    setEnvironment(nil)
    if root == ["version": 1] { root = [:] }
  }

  /// The file that the shell reads before each command.
  var environment: String? { variable.flatMap { root["env"]?[$0]?.string } }

  /// Sets the file, unless it is the user's.
  private mutating func setEnvironment(_ file: String?) {
    guard let variable, environment?.ends(with: "/router/agent/environment") != false, file != environment else { return }
    var members = root["env"]?.object ?? [:]
    members[variable] = file.map(JSONValue.string)
    root["env"] = members.isEmpty ? nil : .object(members)
  }

  private mutating func change(to wanted: OrderedDictionary<String, JSONValue>) {
    var hooks = root["hooks"]?.object ?? [:]
    for (event, groups) in hooks {
      let groups = groups.array ?? []
      // A correct entry keeps its position: Codex's trust in a hook depends on it.
      if let group = wanted[event], groups.filter(hasRouters) == [group] { continue }
      let others = withoutRouters(groups) + (wanted[event].map { [$0] } ?? [])
      hooks[event] = others.isEmpty && !groups.isEmpty ? nil : .array(others)
    }
    for (event, group) in wanted where hooks[event] == nil { hooks[event] = [group] }
    // Keeps an existing empty object.
    root["hooks"] = hooks.isEmpty && root["hooks"]?.object?.isEmpty != true ? nil : .object(hooks)
  }

  /// Returns the handlers of one element of an event's array.
  private func handlers(in group: JSONValue) -> [JSONValue] {
    form == .groups ? group["hooks"]?.array ?? [] : [group]
  }

  private func isRouters(_ handler: JSONValue) -> Bool {
    Handler(event: "", command: handler["command"]?.string ?? "", timeout: nil).isRouters
  }

  private func hasRouters(_ group: JSONValue) -> Bool { handlers(in: group).contains(where: isRouters) }

  /// Returns the groups without Router's handlers, dropping groups that become empty.
  private func withoutRouters(_ groups: [JSONValue]) -> [JSONValue] {
    groups.compactMap { group in
      guard hasRouters(group), var members = group.object else { return group }
      let others = handlers(in: group).filter { !isRouters($0) }
      members["hooks"] = .array(others)
      return others.isEmpty ? nil : .object(members)
    }
  }
}
