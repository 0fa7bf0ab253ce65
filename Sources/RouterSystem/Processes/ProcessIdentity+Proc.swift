import Glibc
public import RouterCore

extension ProcessIdentity {
  /// The current process.
  public static let current = ProcessIdentity(uid: getuid(), gid: getgid(), lookingUp: getpid())

  /// The ids and the executable of the current process. Reading its ancestors takes over a hundred system calls.
  package static let currentProgram = ProcessIdentity(
    uid: getuid(), gid: getgid(), pid: getpid(),
    executable: Proc.executable(getpid()))

  /// Identifies a process by ids from the kernel. Keeps data from `/proc` only if it certainly belongs to the same process. If
  /// the process executes another program in the meantime, its ``executable`` is in doubt.
  ///
  /// - Parameters:
  ///   - uid: The effective user id at connect time.
  ///   - gid: The effective group id at connect time.
  ///   - pidfd: A descriptor of the process (pidfd_open(2)). Without it, compares the start times before and after reading.
  package init(uid: UInt32, gid: UInt32, lookingUp pid: Int32, pidfd: CInt? = nil) {
    let stat = Proc.Stat(pid)
    let image = stat.map(Proc.Image.init)
    let (executable, unit) = (image.flatMap { Proc.Executable(pid, $0) }, Proc.unit(pid))
    var found = ProcessIdentity(
      uid: uid, gid: gid, pid: pid, executable: executable?.path, executableDoubt: executable?.doubt, unit: unit,
      directory: Proc.link(pid, "cwd"),
      ancestry: stat.map { ProcessTree.ancestry(of: $0, executable: executable, unit: unit).hiding(uid: uid) })
    if let user = Proc.loginUser(pid), user != uid { found.loginUser = user }
    let now = Proc.Stat(pid).map(Proc.Image.init)
    if let executable, executable.doubt != .otherNamespace, now != image || executable.gives(moreRightsThan: uid, gid) {
      found.executableDoubt = .later
    }
    let isSame = pidfd.map(Proc.isRunning) ?? (stat != nil && now?.started == stat?.started)
    self = isSame ? found : ProcessIdentity(uid: uid, gid: gid, pid: pid)
  }
}
