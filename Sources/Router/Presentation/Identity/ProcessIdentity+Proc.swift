import Glibc

extension ProcessIdentity {
  /// This process.
  public static let current = ProcessIdentity(
    uid: getuid(), gid: getgid(), pid: getpid(), executable: Proc.executable("self"), unit: Proc.unit("self"))

  /// A process whose ids came from the kernel. Its executable and unit are kept only if `/proc` is sure to mean the same process.
  ///
  /// - Parameter pidfd: A descriptor of the process (pidfd_open(2)). Without one, the start times before and after are compared.
  public init(uid: UInt32, gid: UInt32, lookingUp pid: Int32, pidfd: CInt? = nil) {
    self.init(uid: uid, gid: gid, pid: pid)
    let name = String(pid)
    let started = pidfd == nil ? Proc.startTime(name) : nil
    let (executable, unit) = (Proc.executable(name), Proc.unit(name))
    let isSame = pidfd.map(Proc.isRunning) ?? (started != nil && Proc.startTime(name) == started)
    guard isSame else { return }
    self.executable = executable
    self.unit = unit
  }
}

private enum Proc {
  static func executable(_ process: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { readlink("/proc/\(process)/exe", $0.baseAddress!, $0.count) }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  static func unit(_ process: String) -> String? {
    text("/proc/\(process)/cgroup").flatMap(SystemdUnit.name(ofCgroups:))
  }

  /// The start time in clock ticks since boot: field 22 of `stat`. Field 2, the program's name, may contain anything.
  static func startTime(_ process: String) -> String? {
    guard let stat = text("/proc/\(process)/stat"), let name = stat.lastIndex(of: ")") else { return nil }
    let fields = stat[name...].split(separator: " ")
    return fields.count > 20 ? String(fields[20]) : nil
  }

  /// Whether the process of a descriptor has not ended: until then nobody else has its id.
  static func isRunning(_ pidfd: CInt) -> Bool {
    var poll = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 0) == 0
  }

  private static func text(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count >= 0 else { return nil }
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text.append(contentsOf: buffer[..<count])
    }
  }
}
