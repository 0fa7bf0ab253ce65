package import Glibc
package import RouterCore

/// A child process (posix_spawn(3)), by default in its own process group, so that it can be killed together with its descendants.
package final class ChildProcess: Sendable {
  /// The exit code as in a shell's `$?`: the status, or 128 plus the signal number.
  package typealias ExitCode = Int32

  package enum Lead: Sendable {
    /// A process group.
    case group
    /// A session (setsid(2)), without a terminal.
    case session
  }

  package let pid: pid_t
  /// The target of signals: the child's group, or only the child.
  private let target: pid_t
  /// Whether the child has been reaped; after that its id may belong to another process.
  private let isGone = Mutex(false)

  /// Starts a program with only these descriptors.
  ///
  /// - Parameters:
  ///   - environment: The environment (default: this process's environment).
  ///   - leads: What the child leads, if anything. In this process's group, Ctrl-C also ends the child.
  /// - Throws: ``RouterError`` with the code `unavailable` if the program cannot be started.
  package init(
    _ path: String, _ arguments: [String], descriptors: (input: Int32, output: Int32, error: Int32),
    environment: [String: String]? = nil, leads: Lead? = .group
  ) throws(RouterError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, descriptor) in [(0, descriptors.input), (1, descriptors.output), (2, descriptors.error)] {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
    }
    Descriptors.close(from: 3, in: &actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Resets the signals that this program handles or ignores to their default actions in the child.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    // Thread-pool threads block signals, and a child would inherit that and ignore SIGTERM.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    let group: Int32 =
      switch leads {
      case .group: POSIX_SPAWN_SETPGROUP
      // POSIX_SPAWN_SETSID, which <spawn.h> defines only for GNU sources.
      case .session: 0x80
      case nil: 0
      }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | group))

    var pid = pid_t()
    var vector = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for pointer in vector { free(pointer) } }
    var variables = (environment ?? [:]).map { strdup("\($0)=\($1)") } + [nil]
    defer { for pointer in variables { free(pointer) } }
    let result =
      environment == nil
      ? posix_spawn(&pid, path, &actions, &attributes, &vector, environ)
      : posix_spawn(&pid, path, &actions, &attributes, &vector, &variables)
    guard result == 0 else {
      throw RouterError(.unavailable, "cannot start \(path): \(String(cString: strerror(result)))")
    }
    self.pid = pid
    target = leads == nil ? pid : -pid
  }

  /// Sends a signal to the child and its process group, unless the child has been reaped.
  package func signal(_ number: Int32) {
    isGone.withLock { isGone in
      if !isGone { kill(target, number) }
    }
  }

  package var hasEnded: Bool {
    isGone.withLock { isGone in
      guard !isGone else { return true }
      var info = siginfo_t()
      // The structure stays zero if the child is still running.
      return waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT | WNOHANG) == 0 && info.si_signo == SIGCHLD
    }
  }

  package func wait() -> ExitCode {
    var status: Int32 = 0
    // Does not reap the child yet, so that a concurrent signal cannot reach another process.
    var info = siginfo_t()
    while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    isGone.withLock { isGone in
      while waitpid(pid, &status, 0) < 0, errno == EINTR {}
      isGone = true
    }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }
}
