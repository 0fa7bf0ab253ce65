extension ProcessIdentity {
  /// A process in another one's ancestry, as `/proc` showed it when the connection was accepted.
  public struct Ancestor: Sendable, Hashable {
    public package(set) var pid: Int32
    /// The start time in clock ticks since boot. Distinguishes the process from a later one with the same id.
    public package(set) var started: Int
    /// The path of the executable; `nil` if it could not be read.
    public package(set) var executable: String?
    /// Why ``executable`` may not name the program; `nil` without a known reason.
    package var executableDoubt: ExecutableDoubt?
    /// The kernel's name of the process (`comm` of proc_pid_stat(5)), if the executable could not be read.
    public package(set) var command: String?
    /// The script that the executable runs, if the executable is an interpreter. The process can change this text.
    public package(set) var script: String?
    /// Whether the process is a shell that a program, not a person, started for one command line (`sh -c`).
    package var runsCommand = false
    /// The systemd unit, if it differs from the unit of the previous process in the ancestry.
    public package(set) var unit: String?
    /// The user id, if it differs from the user id of the process with this ancestry.
    public package(set) var uid: UInt32?

    package init(
      pid: Int32, started: Int, executable: String? = nil, executableDoubt: ExecutableDoubt? = nil, command: String? = nil,
      script: String? = nil, unit: String? = nil, uid: UInt32? = nil
    ) {
      self.pid = pid
      self.started = started
      self.executable = executable
      self.executableDoubt = executableDoubt
      self.command = command
      self.script = script
      self.unit = unit
      self.uid = uid
    }

    package mutating func setUser(_ uid: UInt32?) { self.uid = uid }

    /// The maximum length of an ancestry. More distant ancestors are not read.
    package static let limit = 16

    /// The name for people: the file name of the script or of the executable.
    public var name: String {
      let name = (script ?? executable ?? command ?? "").fileName
      return name.isEmpty ? "pid \(pid)" : name
    }

    /// Whether the process is a shell without a script.
    package var isPlainShell: Bool {
      script == nil && Self.shells.contains(name)
    }

    private static let shells: Set = ["sh", "bash", "dash", "ash", "zsh", "fish", "ksh"]

    /// Whether the process only runs another program, such as a wrapper that a person would not name.
    fileprivate var isWrapper: Bool {
      script == nil && (runsCommand || Self.wrappers.contains(name))
    }

    private static let wrappers: Set = [
      "env", "nice", "ionice", "timeout", "xargs", "find", "sudo", "su", "runuser", "setsid", "nohup", "time", "stdbuf",
      "sshd", "sshd-session", "systemd",
    ]
  }
}

extension ProcessIdentity {
  /// The ancestors, nearest first, such as `git ← deploy.sh ← bash ← tmux`; `nil` if none is known. Omits routerctl, which asks
  /// on behalf of other programs, the init process, and repeated names.
  public var callChain: String? {
    let names = Self.names(of: Array(callers))
    return names.isEmpty ? nil : names.joined(separator: " ← ")
  }

  /// The names in ``callChain`` without shells that only start programs (`sh -c`), unless there are no others.
  var briefCallNames: [String] {
    let others = callers.filter { !$0.runsCommand || $0.executableDoubt == .otherNamespace }
    return Self.names(of: others.isEmpty ? Array(callers) : others)
  }

  private static func names(of callers: [Ancestor]) -> [String] {
    var names: [String] = []
    for caller in callers {
      // A program replaced by an upgrade keeps its name.
      let mark = caller.executableDoubt == .otherNamespace ? " (\(ExecutableDoubt.otherNamespace.words))" : ""
      let name = caller.name.replacing(anyOf: "←", with: "?") + mark
      if name != names.last { names.append(name) }
    }
    return names
  }

  /// The name of the program, script or shell that sends the request: the nearest ancestor other than routerctl and wrappers.
  /// The name is a valid ``PresentationOptions/app``.
  public var callerName: String {
    (callers.first { !$0.isWrapper } ?? callers.first(where: \.isPlainShell)).flatMap { Self.appName($0.name) } ?? name
  }

  /// The interactive shell that started it, which stands for the terminal; `nil` if there is none.
  var shell: Ancestor? { callers.first { $0.isPlainShell && !$0.runsCommand } }

  /// The nearest ancestor other than routerctl; the process itself if it is not routerctl.
  var caller: Ancestor? { callers.first }

  private var callers: some Collection<Ancestor> {
    (ancestry ?? []).drop { $0.name == "routerctl" }.prefix { $0.pid != 1 }
  }

  /// Returns the entry of a process in the ancestry.
  func ancestor(_ pid: Int32) -> Ancestor? { ancestry?.first { $0.pid == pid } }

  /// Whether `process` is this process or one of its ancestors, or could be because the ancestry is unreadable or
  /// truncated.
  func mayDescend(from process: Ancestor) -> Bool {
    guard let ancestry, ancestry.count < Ancestor.limit else { return true }
    return ancestry.contains { $0.pid == process.pid && $0.started == process.started }
  }

  /// Whether both are certainly the same process.
  package func isSameProcess(as other: ProcessIdentity) -> Bool {
    guard let own = ancestry?.first, let others = other.ancestry?.first else { return false }
    return host == other.host && own.pid == others.pid && own.started == others.started
  }
}

extension ProcessIdentity.Ancestor: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    pid = try f("pid", \.pid)
    started = try f(
      "started", \.started,
      "Start time in clock ticks since boot. With pid it identifies one process, even after the pid is reused.")
    executable = try f("executable", \.executable, "Absent if unreadable.")
    executableDoubt = try f("executableDoubt", \.executableDoubt)
    command = try f("command", \.command, "The command name, if the executable is unreadable.")
    script = try f("script", \.script, "The script that an interpreter runs. The process can change this text.")
    runsCommand = try f(
      "runsCommand", default: false, \.runsCommand, "Whether it is a shell that runs one command line (`sh -c`).")
    unit = try f("unit", \.unit, "Present if it differs from the previous process's.", .schema("Unit"))
    uid = try f("uid", \.uid, "The user id, if it differs from that of the process with this ancestry.")
  }
}
