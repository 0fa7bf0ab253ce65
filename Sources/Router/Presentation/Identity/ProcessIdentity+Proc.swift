import Glibc

extension ProcessIdentity {
  /// The current process.
  public static let current = ProcessIdentity(uid: getuid(), gid: getgid(), lookingUp: getpid())

  /// Identifies a process by ids from the kernel. Data from `/proc` is kept only if it is certain to belong to the same
  /// process.
  ///
  /// - Parameter pidfd: A descriptor of the process (pidfd_open(2)). Without one, the start times before and after
  ///   reading are compared.
  public init(uid: UInt32, gid: UInt32, lookingUp pid: Int32, pidfd: CInt? = nil) {
    let stat = Proc.Stat(pid)
    let (executable, unit) = (Proc.link(pid, "exe"), Proc.unit(pid))
    let found = ProcessIdentity(
      uid: uid, gid: gid, pid: pid, executable: executable, unit: unit, directory: Proc.link(pid, "cwd"),
      ancestry: stat.map { ProcessTree.ancestry(of: $0, executable: executable, unit: unit).hiding(uid: uid) } ?? [])
    let isSame = pidfd.map(Proc.isRunning) ?? (stat != nil && Proc.Stat(pid)?.started == stat?.started)
    self = isSame ? found : ProcessIdentity(uid: uid, gid: gid, pid: pid)
  }
}

/// Reads ancestries from `/proc`.
enum ProcessTree {
  private struct Known {
    /// The command name when it was cached. A process that has since executed another program is read again.
    let command: String
    let ancestry: [ProcessAncestor]
  }

  private struct Key: Hashable {
    let pid: Int32
    let started: Int
  }

  /// Cached ancestries of parent processes, including themselves, since programs start many children.
  private static let known = Mutex<[Key: Known]>([:])

  /// Returns the ancestry of a process, starting with itself.
  fileprivate static func ancestry(of process: Proc.Stat, executable: String?, unit: String?) -> [ProcessAncestor] {
    var ancestry = [entry(process, executable: executable, unit: nil)]
    guard let parent = Proc.Stat(process.parent), parent.started <= process.started else { return ancestry }
    let key = Key(pid: parent.pid, started: parent.started)
    var above = known.withLock { $0[key] }
    if above?.command != parent.command {
      let read = Known(command: parent.command, ancestry: chain(from: parent))
      known.withLock { known in
        if known.count >= 256 { known.removeAll() }
        known[key] = read
      }
      above = read
    }
    ancestry += (above?.ancestry ?? []).prefix(ProcessAncestor.limit - 1)
    // Keep a unit only where it changes.
    var below = unit
    for index in ancestry.indices.dropFirst() {
      let unit = ancestry[index].unit
      if unit == below { ancestry[index].unit = nil }
      below = unit
    }
    return ancestry
  }

  /// Returns a process and its ancestors, each with its unit.
  private static func chain(from process: Proc.Stat) -> [ProcessAncestor] {
    var chain: [ProcessAncestor] = []
    var next: Proc.Stat? = process
    while let process = next, chain.count < ProcessAncestor.limit {
      chain.append(entry(process, executable: Proc.link(process.pid, "exe"), unit: Proc.unit(process.pid)))
      chain[chain.count - 1].uid = ProcessStatus(process.pid)?.uid
      next = Proc.Stat(process.parent)
      // A parent is older than its child. A younger process has reused the pid of a parent that has exited.
      if let parent = next, parent.started > process.started { next = nil }
    }
    return chain
  }

  private static func entry(_ process: Proc.Stat, executable: String?, unit: String?) -> ProcessAncestor {
    ProcessAncestor(
      pid: process.pid, started: process.started, executable: executable,
      command: executable == nil ? process.command : nil,
      script: executable.flatMap { script(of: process, interpreter: $0) }, unit: unit)
  }

  /// Returns the script that an interpreter runs.
  private static func script(of process: Proc.Stat, interpreter: String) -> String? {
    let file = interpreter.split(separator: "/").last.map(String.init) ?? ""
    let kind = file.prefix { $0.isLetter }
    guard ["sh", "bash", "dash", "ash", "zsh", "ksh", "python", "perl", "ruby", "node"].contains(kind) else { return nil }
    guard Proc.isOwn(process.pid) else {
      // Reading the memory of another user's process could block for as long as that user likes. The kernel uses the
      // name of a directly executed script as the command name.
      return process.command == file.prefix(15) || kind == "node" ? nil : process.command
    }
    return script(in: Proc.arguments(process.pid).dropFirst(), isShell: kind.hasSuffix("sh"))
  }

  /// Returns the first argument that is not an option, unless an option provides the program text or a module.
  static func script(in arguments: some Collection<String>, isShell: Bool) -> String? {
    for argument in arguments {
      if argument.isEmpty || argument == "-" { return nil }
      // A script that a shell reads from a descriptor has no name.
      guard argument.hasPrefix("-") else { return argument.hasPrefix("/dev/") ? nil : argument }
      if argument.hasPrefix("--") { continue }
      if isShell ? argument.contains("c") : argument.contains(where: "cmeEp".contains) { return nil }
    }
    return nil
  }
}

private enum Proc {
  /// The fields of `/proc/PID/stat` (proc_pid_stat(5)).
  struct Stat {
    let pid: Int32
    let command: String
    let parent: Int32
    /// The start time in clock ticks since boot.
    let started: Int

    init?(_ pid: Int32) {
      // Field 2, the command name, may contain any character.
      guard pid > 0, let text = Proc.text(pid, "stat"), let start = text.firstIndex(of: "("),
        let end = text.lastIndex(of: ")"), start < end
      else { return nil }
      let fields = text[end...].split(separator: " ", maxSplits: 21)
      guard fields.count > 20, let parent = Int32(fields[2]), let started = Int(fields[20]) else { return nil }
      (self.pid, self.parent, self.started) = (pid, parent, started)
      command = String(text[text.index(after: start)..<end])
    }
  }

  /// Returns the target of a symbolic link of the process.
  static func link(_ pid: Int32, _ name: String) -> String? {
    withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
      let count = readlink("/proc/\(pid)/\(name)", buffer.baseAddress!, buffer.count)
      return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
  }

  static func unit(_ pid: Int32) -> String? { text(pid, "cgroup").flatMap(SystemdUnit.name(ofCgroups:)) }

  /// Returns the first arguments, including the program name.
  static func arguments(_ pid: Int32) -> [String] {
    (text(pid, "cmdline", limit: 4096) ?? "").split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
  }

  /// Whether the process belongs to the current user.
  static func isOwn(_ pid: Int32) -> Bool {
    var status = stat()
    return stat("/proc/\(pid)", &status) == 0 && status.st_uid == geteuid()
  }

  /// Whether the process of a descriptor is still running, so that its pid cannot have been reused.
  static func isRunning(_ pidfd: CInt) -> Bool {
    var poll = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 0) == 0
  }

  private static func text(_ pid: Int32, _ name: String, limit: Int = .max) -> String? {
    let descriptor = open("/proc/\(pid)/\(name)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var text: [UInt8] = []
    return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      while text.count < limit {
        let count = read(descriptor, buffer.baseAddress!, buffer.count)
        guard count >= 0 else { return nil }
        guard count > 0 else { break }
        text.append(contentsOf: buffer[..<count])
      }
      return String(decoding: text, as: UTF8.self)
    }
  }
}
