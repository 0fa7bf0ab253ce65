import Glibc
package import Router

/// The user's daemon, started by the first program that asks, as gpg-agent(1) and tmux(1) start theirs.
///
/// It has the default paths of the caller, which are the system's for root without a session. Where a service manager runs, it
/// starts the daemon instead. A daemon of another user, or one that `$ROUTERD_SOCKET` names, is never started.
package enum UserDaemon {
  /// The time limit for starting, in seconds.
  private static let patience = 10
  /// The caller's variables that the daemon gets. It reads its settings from the user's file.
  private static let variables: Set<String> = [
    "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TMPDIR", "TZ", "USER", "XDG_CONFIG_HOME",
    "XDG_RUNTIME_DIR", "XDG_STATE_HOME",
  ]

  /// Whether a program starts the daemon here, rather than a service manager.
  private static func startsOnDemand(_ paths: DefaultPaths) -> Bool {
    guard environmentVariable("ROUTERD_SOCKET") == nil, getuid() == geteuid(), paths.unsafeDirectory == nil,
      paths.socketToUse == paths.socket
    else { return false }
    let manager = paths.isUser ? paths.runtime.map { $0 + "/systemd/private" } : "/run/systemd/system"
    return manager.map { access($0, F_OK) != 0 } ?? true
  }

  /// Starts the daemon unless it runs. Of several programs, one starts it, and the others wait for it.
  ///
  /// - Throws: ``RouterError`` with the daemon's output, if it does not start.
  package static func startIfNeeded(say: (String) -> Void) throws(RouterError) {
    let paths = DefaultPaths.current
    guard startsOnDemand(paths), !answers(paths.socket) else { return }
    let directory = paths.stateDirectory
    do { try Directories.make(directory) } catch {
      throw RouterError(.unreachable, "cannot start routerd: cannot create \(directory): \(error)")
    }
    let lock = open(directory + "/routerd.start", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw failure("open \(directory)/routerd.start") }
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0 { guard errno == EINTR else { throw failure("lock \(directory)/routerd.start") } }
    guard !answers(paths.socket) else { return }
    let log = directory + "/routerd.log"
    let daemon = try start(log)
    defer { close(daemon) }
    let deadline = ContinuousClock.now + .seconds(patience)
    while !answers(paths.socket) {
      // Readable once the daemon has ended.
      var end = pollfd(fd: daemon, events: Int16(POLLIN), revents: 0)
      guard .now < deadline, poll(&end, 1, 10) <= 0 else {
        throw RouterError(.unreachable, "cannot start routerd: \(lastLine(of: log) ?? "it does not respond"); see \(log)")
      }
    }
    say("started routerd, which logs to \(log)")
  }

  private static func failure(_ purpose: String) -> RouterError {
    RouterError(.unreachable, "cannot start routerd: cannot \(purpose): \(String(cString: strerror(errno)))")
  }

  private static func answers(_ path: String) -> Bool {
    guard let address = try? UnixSocketAddress(path: path) else { return false }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return address.withPointer { connect(descriptor, $0, $1) } == 0
  }

  /// Starts the daemon in a new session and returns a descriptor of its process. Its parent is not the program that asks: an agent
  /// above the daemon would not count as one.
  private static func start(_ log: String) throws(RouterError) -> Int32 {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    let output = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard output >= 0 else { throw failure("write \(log)") }
    guard let (reading, writing) = Descriptors.pipe() else { throw failure("create a pipe") }
    let environment = variables.reduce(into: [:]) { $0[$1] = environmentVariable($1) }
    let started = Result { () throws(RouterError) in
      try ChildProcess(
        "/bin/sh", ["-c", #"cd / && { "$0" >&2 & } && echo "$!""#, try PrivateDaemon.found()],
        descriptors: (null, writing, output), environment: environment, leads: .session)
    }
    for descriptor in [null, output, writing] { close(descriptor) }
    defer { close(reading) }
    let shell = try started.get()
    // The daemon keeps no end of the pipe.
    let pid = Descriptors.readAll(reading).flatMap { Int32(String(decoding: $0, as: UTF8.self).trimmingWhiteSpace) }
    guard shell.wait() == 0, let daemon = pid.flatMap(Descriptors.process) else {
      throw RouterError(.unreachable, "cannot start routerd: \(lastLine(of: log) ?? "it has ended"); see \(log)")
    }
    return daemon
  }

  private static func lastLine(of log: String) -> String? {
    let descriptor = open(log, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return Descriptors.readAll(descriptor).flatMap {
      String(decoding: $0, as: UTF8.self).lines.last { !$0.isEmpty }.map { String($0) }
    }
  }
}
