import OrderedCollections

extension PromptDescription {
  /// The requester in one line, from the kernel's facts: `ada · claude-code in ~/shop · bash ← tmux`.
  ///
  /// Uses the app name only if it matches one of the requester's processes. Marks names that cannot be checked, such as
  /// gpg-agent's, as unverified.
  static func brief(_ requester: Presentation.Requester, userName: String?) -> String {
    let process = requester.process
    let user = userName ?? "uid \(process.uid)"
    var parts = [process.host.isEmpty ? user : "\(user) on \(process.host)"]
    let names = process.briefCallNames.map(plain)
    let own = process.executable.map { plain($0.fileName) }
    let program = process.isNamed(requester.app) ? requester.app : names.first ?? own ?? "a program that cannot be seen"
    parts.append(program + (process.directory.map { " in " + plain(short($0, userName: userName)) } ?? ""))
    let rest = names.drop { Self.fits(requester.app, $0) || $0 == program }
    if !rest.isEmpty { parts.append(rest.joined(separator: " ← ")) }
    if !process.isNamed(requester.app) { parts.append("calls itself “\(requester.app)”") }
    let unverified = process.unseenPrograms.filter { Self.hidingPrograms.contains($0) }.map { $0 + " is unverified" }
    parts += Array(OrderedSet(unverified))
    return parts.joined(separator: " · ")
  }

  /// Programs that hide their executable from other programs of their user. Any program could claim these names.
  private static let hidingPrograms: Set = ["gpg-agent", "ssh-agent"]

  /// Cautions about a requester: only facts that are unusual among prompts.
  ///
  /// - Parameter viewer: The user who sees the prompt; `nil` if unknown.
  static func oddities(_ requester: Presentation.Requester, userName: String?, viewer: UInt32?) -> [String] {
    let process = requester.process
    var oddities: [String] = []
    if !process.host.isEmpty {
      oddities.append("asked on another host: \(process.host)")
    } else if let viewer, viewer != process.uid {
      oddities.append("another user asks: \(userName ?? "uid \(process.uid)")")
    }
    if !process.unseenPrograms.allSatisfy(hidingPrograms.contains) { oddities.append("not all of its programs can be seen") }
    let near = process.nearAncestry
    if let doubt = process.executableDoubt { oddities.append("its program is \(doubt.words)") }
    if near.dropFirst().contains(where: { $0.executableDoubt == .otherNamespace }) {
      oddities.append("one of its programs is \(ProcessIdentity.ExecutableDoubt.otherNamespace.words)")
    }
    return oddities
  }

  /// The number of approvals needed, and the people who approved.
  static func approvals(of presentation: Presentation) -> [String] {
    guard let require = presentation.request.require else { return [] }
    let people = presentation.approvals.map { approval in
      let (process, button) = (approval.by.process, presentation.request.buttons.first { $0.id == approval.button })
      let person = "uid \(process.uid)\(process.host.isEmpty ? "" : " on \(process.host)")"
      let comment = approval.comment.map { ": " + $0.split(whereSeparator: \.isNewline).joined(separator: " ").shortened } ?? ""
      return "\(person) chose \(button?.label ?? approval.button)\(comment)"
    }
    return ["\(require.people) must answer"] + people
  }

  /// Path components that do not name a program.
  private static let places: Set = [
    "usr", "bin", "sbin", "lib", "local", "share", "home", "root", "opt", "versions", "nodemodules",
  ]

  /// Whether a name matches a path component: one is a prefix of the other, ignoring punctuation and case.
  static func fits(_ app: String, _ path: String) -> Bool {
    func plain(_ text: some StringProtocol) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
    let name = plain(app)
    return path.split(at: "/").map(plain).contains {
      $0.count > 1 && !places.contains($0) && ($0.hasPrefix(name) || name.hasPrefix($0))
    }
  }

  /// A path or name without the marks that separate the facts.
  private static func plain(_ text: String) -> String { text.replacing(anyOf: "·←", with: "?") }

  /// A path with the user's home directory as `~`.
  static func short(_ path: String, userName: String?) -> String {
    guard let name = userName else { return path }
    let home = name == "root" ? "/root" : "/home/\(name)"
    if path == home { return "~" }
    return path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
  }
}

extension ProcessIdentity {
  /// The ancestry up to the first shell. Further up are login programs, often of another user.
  fileprivate var nearAncestry: some Collection<Ancestor> {
    (ancestry ?? []).prefix { $0.pid != 1 }.prefix { !$0.isPlainShell }
  }

  /// The names claimed by nearby programs with unreadable executables. Excludes programs that run as root, such as sudo, whose
  /// names the user cannot forge.
  fileprivate var unseenPrograms: [String] {
    let unseen = nearAncestry.filter { $0.executable == nil && ($0.uid ?? uid) != 0 }.map(\.name)
    return executable == nil && unseen.isEmpty && uid != 0 ? [name] : unseen
  }

  /// Whether the app name matches the executable or one of the ancestors.
  func isNamed(_ app: String) -> Bool {
    let paths = [executable, name] + (ancestry ?? []).flatMap { [$0.script, $0.executable, $0.command] }
    return paths.contains { $0.map { PromptDescription.fits(app, $0) } ?? false }
  }
}
