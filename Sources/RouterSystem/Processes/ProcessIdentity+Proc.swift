import Glibc
public import RouterCore

extension ProcessIdentity {
  /// The current process.
  public static let current = ProcessIdentity(uid: getuid(), gid: getgid(), lookingUp: getpid())

  /// Identifies a process by ids from the kernel. Data from `/proc` is kept only if it is certain to belong to the same
  /// process. If it executes another program meanwhile, its ``executable`` is in doubt.
  ///
  /// - Parameters:
  ///   - uid: The effective user id when it connected.
  ///   - gid: The effective group id when it connected.
  ///   - pidfd: A descriptor of the process (pidfd_open(2)). Without one, the start times before and after reading are
  ///     compared.
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
