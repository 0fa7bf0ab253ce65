/// What a person may have remembered with an answer: of what the request asks for, the part that the settings and the kernel's
/// facts about the requester allow. Recorded with the request.
package struct GrantOffer: Sendable, Hashable {
  /// A width, with the number of arguments that a prefix has.
  package struct Width: Sendable, Hashable {
    package let match: PresentationRequest.Remember.Match
    package let count: Int?

    package init(_ match: PresentationRequest.Remember.Match, count: Int? = nil) { (self.match, self.count) = (match, count) }
  }

  package let buttons: [String]
  package let widths: [Width]
  package let periods: [PresentationRequest.Remember.Period]
  /// The process whose trust a session is: the agent, or the shell that the request comes from.
  package let anchor: ProcessIdentity.Ancestor?
  /// The boot in which ``anchor`` started.
  package let boot: String?

  /// Returns `nil` if no answer to the request may be remembered.
  init?(_ ask: PresentationAsk, _ policy: GrantPolicy) {
    let (request, requester) = (ask.request, ask.requester.process)
    guard policy.longest > .zero, let remember = request.remember, let act = request.act, request.isRememberable else {
      return nil
    }
    let asked = Set(remember.buttons ?? request.buttons.map(\.id))
    buttons = request.buttons.filter { asked.contains($0.id) && $0.role != .destructive }.map(\.id)
    widths = remember.matches.compactMap { act.width($0, policy) }
    let anchor = request.agent.flatMap(requester.ancestor) ?? requester.sessionProcess
    boot = ask.boot
    let (hasBoot, longest) = (ask.boot != nil, Int(policy.longest.components.seconds))
    periods = remember.periods.filter { period in
      switch period {
      case .session: anchor != nil && hasBoot
      case .seconds(let seconds): seconds <= longest && anchor?.trustedExecutable != nil
      }
    }
    self.anchor = anchor
    if buttons.isEmpty || widths.isEmpty || periods.isEmpty { return nil }
  }
}

extension PresentationRequest {
  /// Whether any answer to it may be remembered. Secrets, forms, flows and critical prompts always need a person.
  fileprivate var isRememberable: Bool {
    kind.hasButtons && !options.sensitive && options.severity != .critical && options.priority != .critical
      && options.over == nil
      && suppressionToggle == nil
  }
}

extension ProcessIdentity {
  /// The nearest shell of a person or terminal multiplexer above the process.
  fileprivate var sessionProcess: Ancestor? { shell ?? ancestry?.dropFirst().first(where: \.isMultiplexer) }
}

extension ProcessIdentity.Ancestor {
  fileprivate var isMultiplexer: Bool { ["tmux", "screen", "zellij"].contains(name) }

  /// The executable, unless it is one of another mount namespace, where any program can have any path.
  var trustedExecutable: String? { executableDoubt == .otherNamespace ? nil : executable }
}

extension Act {
  /// Returns a width with the number of arguments that it keeps; `nil` if the act does not allow it.
  fileprivate func width(_ match: PresentationRequest.Remember.Match, _ policy: GrantPolicy) -> GrantOffer.Width? {
    switch match {
    case .exact: return GrantOffer.Width(.exact)
    case .prefix: return prefixCount.map { GrantOffer.Width(.prefix, count: $0) }
    case .under:
      guard let directory, let object, Self.isPath(object, below: directory) else { return nil }
      return GrantOffer.Width(.under)
    case .verb: return policy.verbs.contains(verb) && directory != nil ? GrantOffer.Width(.verb) : nil
    }
  }

  /// The number of arguments of a prefix: up to the first that does not begin with a hyphen, and 2 to 3. `nil` for a program that runs others.
  private var prefixCount: Int? {
    guard let arguments, arguments.count >= 2, !Self.isLauncher(arguments) else { return nil }
    let first = arguments.dropFirst().firstIndex { !$0.hasPrefix("-") } ?? 1
    return min(first + 1, 3)
  }

  private static let launchers: Set = [
    "sh", "bash", "dash", "ash", "zsh", "fish", "ksh", "csh", "tcsh", "busybox", "env", "sudo", "doas", "su", "pkexec",
    "runuser",
    "ssh", "xargs", "find", "nice", "ionice", "nohup", "timeout", "time", "setsid", "stdbuf", "watch", "parallel", "docker",
    "podman", "kubectl", "npx", "npm", "pnpm", "yarn", "uv", "uvx", "pip", "make", "perl", "ruby", "node", "deno", "bun", "php",
    "lua", "awk", "gawk", "mawk", "sed", "eval", "exec", "command", "xterm", "systemd-run", "strace", "gdb",
  ]

  /// Whether the first arguments do not tell what would run, so that a prefix would allow anything.
  private static func isLauncher(_ arguments: [String]) -> Bool {
    let name = arguments[0].split(separator: "/").last.map(String.init) ?? arguments[0]
    if name.isEmpty || name.contains("=") || launchers.contains(name) { return true }
    if name.hasPrefix("python") || name.hasPrefix("pip") { return true }
    return name == "git" && arguments.dropFirst().contains { $0 == "-c" || $0.hasPrefix("--config-env") || $0 == "--exec-path" }
  }

  /// Whether an absolute path is below a directory, by its components.
  static func isPath(_ path: String, below directory: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard path.hasPrefix("/"), !path.utf8.contains(0), !parts.contains(where: { ["", ".", ".."].contains($0) }) else {
      return false
    }
    return directory == "/" ? path != "/" : path.utf8.starts(with: (directory + "/").utf8)
  }
}

extension GrantOffer: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("buttons", buttons)
    writer.add("match", widths)
    writer.add("for", .array(periods.map(\.json)))
    writer.add("anchor", ifPresent: anchor)
    writer.add("boot", ifPresent: boot)
  }

  /// Ignores unknown members of newer versions.
  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    buttons = try reader.strings("buttons") ?? []
    widths = try reader.objects("match", Width.init)
    var periods: [PresentationRequest.Remember.Period] = []
    for (index, value) in (try reader.array("for") ?? []).enumerated() {
      periods.append(try PresentationRequest.Remember.Period(json: value, at: "\(pointer)/for/\(index)"))
    }
    self.periods = periods
    anchor = try reader.object("anchor", ProcessIdentity.Ancestor.init)
    boot = try reader.string("boot")
  }
}

extension GrantOffer.Width: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("match", match.rawValue)
    if let count { writer.add("count", count) }
  }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    self.init(try reader.requiredChoice("match"), count: try reader.count("count"))
  }
}
