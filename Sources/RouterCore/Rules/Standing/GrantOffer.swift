/// What a person may have remembered with an answer: of what the request asks for, the part that the settings and the kernel's
/// facts about the requester allow. Recorded with the request. A class, because events and presentations are copied often.
package final class GrantOffer: Sendable, Hashable {
  /// A width, with the number of arguments that a prefix has.
  package struct Width: Sendable, Hashable {
    package let match: PresentationRequest.Remember.Match
    package let count: Int?

    package init(_ match: PresentationRequest.Remember.Match, count: Int? = nil) { (self.match, self.count) = (match, count) }
  }

  package let buttons: [String]
  package let widths: [Width]
  package let periods: [PresentationRequest.Remember.Period]
  /// The process with which a session ends: the agent, the shell that the request comes from, or the program that asks.
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
    let keeper = request.agent.flatMap(requester.ancestor) ?? requester.sessionProcess
    (anchor, boot) = (keeper ?? requester.caller, ask.boot)
    let (hasBoot, longest) = (ask.boot != nil, Int(policy.longest.components.seconds))
    periods = remember.periods.filter { [anchor] period in
      switch period {
      case .session: anchor != nil && hasBoot
      case .seconds(let seconds): seconds <= longest && keeper?.trustedExecutable != nil
      }
    }
    if buttons.isEmpty || widths.isEmpty || periods.isEmpty { return nil }
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

  package static func == (left: GrantOffer, right: GrantOffer) -> Bool {
    left === right
      || (left.buttons, left.widths, left.periods, left.anchor, left.boot)
        == (right.buttons, right.widths, right.periods, right.anchor, right.boot)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(buttons)
    hasher.combine(widths)
    hasher.combine(periods)
    hasher.combine(anchor)
    hasher.combine(boot)
  }
}

extension PresentationRequest {
  /// Whether any answer to it may be given without a person. Secrets, forms, flows and critical prompts always need a person.
  var isRememberable: Bool {
    kind.hasButtons && !options.sensitive && options.severity != .critical && options.priority != .critical
      && options.over == nil && suppressionToggle == nil && require == nil
  }
}

extension ProcessIdentity {
  /// The nearest shell of a person or terminal multiplexer above the process.
  fileprivate var sessionProcess: Ancestor? { shell ?? ancestry?.dropFirst().first(where: \.isMultiplexer) }
}

extension ProcessIdentity.Ancestor {
  fileprivate var isMultiplexer: Bool { ["tmux", "screen", "zellij"].contains(name) }

  /// The executable, unless it is in doubt: in another mount namespace, any program can have any path.
  var trustedExecutable: String? { executableDoubt == nil ? executable : nil }
}

extension Act {
  /// Returns a width with the number of arguments that it keeps; `nil` if the act does not allow it.
  fileprivate func width(_ match: PresentationRequest.Remember.Match, _ policy: GrantPolicy) -> GrantOffer.Width? {
    switch match {
    case .exact: return GrantOffer.Width(.exact)
    case .prefix: return prefixCount.map { GrantOffer.Width(.prefix, count: $0) }
    case .under:
      guard let directory, isFile(below: [directory]) == .yes else { return nil }
      return GrantOffer.Width(.under)
    case .verb: return policy.verbs.contains(verb) && directory != nil ? GrantOffer.Width(.verb) : nil
    }
  }

  /// The number of arguments of a prefix: the program and its first argument. `nil` for a program that runs others, and for an
  /// option, which may have a value and says little about what would happen.
  private var prefixCount: Int? {
    guard let arguments, arguments.count >= 2, !arguments[1].hasPrefix("-"), !isLauncher else { return nil }
    return 2
  }

  /// Programs whose first argument does not tell what they run.
  private static let launchers: Set = [
    "sh", "bash", "dash", "ash", "zsh", "fish", "ksh", "csh", "tcsh", "busybox", "toybox", "env", "sudo", "doas", "su",
    "pkexec", "runuser", "setpriv", "ssh", "sshpass", "xargs", "find", "nice", "ionice", "nohup", "timeout", "time", "setsid",
    "setarch", "stdbuf", "watch", "parallel", "entr", "flock", "taskset", "chrt", "numactl", "prlimit", "chroot", "fakeroot",
    "unshare", "nsenter", "bwrap", "firejail", "systemd-run", "docker", "podman", "kubectl", "npx", "npm", "pnpm", "yarn",
    "uv", "uvx", "pip", "pipx", "pipenv", "poetry", "pdm", "hatch", "conda", "mamba", "tox", "nox", "bundle", "rake", "make",
    "just", "cargo", "go", "dotnet", "mvn", "gradle", "ansible", "python", "pypy", "perl", "ruby", "node", "deno", "bun",
    "php", "lua", "java", "awk", "gawk", "mawk", "sed", "tar", "rsync", "eval", "exec", "command", "xterm", "tmux", "screen",
    "script", "expect", "unbuffer", "strace", "ltrace", "perf", "valgrind", "gdb", "lldb", "run0", "gosu", "su-exec", "chpst",
    "setuidgid", "sg", "newgrp", "start-stop-daemon", "dbus-run-session", "xvfb-run", "cpulimit", "choom", "hyperfine",
    "direnv", "mise", "asdf", "nix", "nix-shell", "nix-build", "guix", "snap", "flatpak", "toolbox", "distrobox", "lxc",
    "vagrant", "terraform", "helm", "pwsh", "tclsh", "wish", "R", "Rscript", "julia", "elixir", "iex", "mix", "erl", "ghci",
    "runghc", "stack", "cabal", "scala", "sbt", "kotlin", "groovy", "lein", "clojure", "ocaml", "dart", "flutter", "swift",
    "ts-node", "tsx", "nodemon", "pytest", "jest", "vitest", "ctest", "cmake", "ninja", "meson", "scons", "bazel", "rustc",
    "rustup", "gcc", "g++", "cc", "c++", "clang", "clang++", "ld", "ld-linux-x", "m4", "dc", "sqlite", "psql", "mysql", "zip",
    "man", "less", "more", "vi", "vim", "nvim", "ex", "ed", "emacs", "rg", "fd", "fdfind", "split", "sort", "socat", "nc",
    "ncat", "scp", "sftp", "lftp", "ftp", "mosh", "wget", "ip", "openssl", "apt", "apt-get", "dpkg", "dnf", "rpm", "crontab",
    "at", "batch", "systemctl", "hg", "svn", "ssh-keygen", "ssh-agent", "gpg-agent", "rbash", "mksh", "yash", "elvish", "nu",
    "linux32", "linux64", "arch", "i386", "x86_64", "docker-compose", "podman-compose", "nerdctl", "ctr", "crictl", "oc",
    "gmake", "remake", "yarnpkg", "bunx", "pnpx", "corepack", "gradlew", "mvnw", "mvnd", "rye", "pixi", "turbo", "nx", "lerna",
    "pre-commit", "husky", "tini", "dumb-init", "catatonit", "rlwrap", "watchexec", "cross-env", "dotenv", "autossh", "pdsh",
    "ansible-playbook", "ansible-console", "salt", "pulumi", "tofu", "ipython", "bpython", "jupyter", "curl", "aria2c",
    "chronic", "eatmydata", "proxychains", "torsocks", "aa-exec", "runcon",
  ]

  /// Subcommands of git whose arguments name nothing to run, options apart. Not `push`, which may name a repository with hooks.
  private static let gitCommands: Set = [
    "add", "blame", "branch", "cat-file", "check-ignore", "checkout", "cherry", "cherry-pick", "commit", "count-objects",
    "describe", "diff", "diff-tree", "fetch", "for-each-ref", "grep", "log", "ls-files", "ls-tree", "merge", "merge-base", "mv",
    "name-rev", "pull", "range-diff", "reflog", "reset", "restore", "rev-list", "rev-parse", "revert", "rm", "shortlog",
    "show", "show-branch", "show-ref", "stash", "status", "switch", "tag", "version",
  ]

  /// Long options with which git runs a program or writes a file that they name.
  private static let gitLaunches = [
    "--config-env", "--exec", "--exec-path", "--upload-pack", "--receive-pack", "--open-files-in-pager", "--ext-diff",
    "--extcmd",
    "--output", "--output-directory",
  ]

  /// Whether git may run a program, or write a file, that an argument names. Git takes abbreviations of long options, and letters of
  /// short ones together.
  private static func isGitLaunch(_ argument: String) -> Bool {
    if argument.hasPrefix("--") {
      let name = argument.prefix { $0 != "=" }
      return name.count > 2 && gitLaunches.contains { $0.hasPrefix(name) }
    }
    return argument.hasPrefix("-") && argument.contains { "cOox".contains($0) }
  }

  /// Whether the first arguments do not tell what would run, so that a prefix would allow anything.
  var isLauncher: Bool {
    guard let arguments, let first = arguments.first else { return false }
    let name = first.fileName
    // A version may follow, as in python3.12, g++-12 and busybox.static.
    var stem = name.prefix { $0.isLetter || $0 == "-" || $0 == "+" }
    while stem.last == "-" { stem.removeLast() }
    if stem.isEmpty || name.contains("=") || !Self.launchers.isDisjoint(with: [name, String(stem)]) { return true }
    guard name == "git" else { return false }
    // Other options before it choose another repository, whose configuration names programs.
    let rest = arguments.dropFirst().drop { ["--no-pager", "-P", "--no-optional-locks"].contains($0) }
    return arguments.contains(where: Self.isGitLaunch) || rest.first.map { !Self.gitCommands.contains($0) } ?? false
  }

  /// Whether it acts on a file below one of some directories. A command may only look like one.
  func isFile(below directories: [String]) -> Certainty {
    guard let object else { return .no }
    if arguments == nil, !object.pathDoubts.isEmpty { return .unknown }
    if directories.contains(where: { Self.isPath(object, below: $0) }) {
      return arguments == nil && !hasShellSyntax ? .yes : .unknown
    }
    // One with `.` and `..` components may lead there.
    return !object.hasPrefix("/") || Self.isPath(object, below: "/") ? .no : .unknown
  }

  /// Whether a shell might read another command or file in the object.
  var hasShellSyntax: Bool {
    guard let object else { return false }
    return object.utf8.contains(where: ";|&<>`\n\r".utf8.contains) || object.contains("$(")
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

extension String {
  /// Why a program may take the path for another, such as "begins with ~".
  package var pathDoubts: [String] {
    let (first, last) = (unicodeScalars.first, unicodeScalars.last)
    let hasSpace = [first, last].contains { $0?.properties.isWhitespace == true || $0 == "\u{FEFF}" }
    return (first == "~" ? ["begins with ~"] : []) + (hasSpace ? ["begins or ends with a space"] : [])
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
