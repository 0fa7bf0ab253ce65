import Glibc
import Router

/// A child process in a process group of its own, so that it can be ended with all that it has started (posix_spawn(3)).
final class ChildProcess: Sendable {
  /// How a child has ended, as `$?` in a shell has it: its status, or 128 and the signal's number.
  typealias ExitCode = Int32

  let pid: pid_t
  /// Whether the child was waited for; from then on its id may be another process'.
  private let isGone = Mutex(false)

  /// Starts a program with these descriptors and no others.
  init(_ path: String, _ arguments: [String], descriptors: (input: Int32, output: Int32, error: Int32)) throws {
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
    // Signals that this program handles or ignores mean to the child what they mean to any program.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    // A thread of the pool has signals blocked, and a child inherits that: it would not hear SIGTERM.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))

    var pid = pid_t()
    var vector = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for pointer in vector { free(pointer) } }
    let result = posix_spawn(&pid, path, &actions, &attributes, &vector, environ)
    guard result == 0 else {
      throw CommandFailure(.defect, "cannot start \(path): \(String(cString: strerror(result)))")
    }
    self.pid = pid
  }

  /// Sends a signal to the child and all that it has started, unless it has ended.
  func signal(_ number: Int32) {
    isGone.withLock { isGone in
      if !isGone { kill(-pid, number) }
    }
  }

  var hasEnded: Bool {
    isGone.withLock { isGone in
      guard !isGone else { return true }
      var info = siginfo_t()
      // Where nothing has ended, the structure stays as it is: zero.
      return waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT | WNOHANG) == 0 && info.si_signo == SIGCHLD
    }
  }

  func wait() -> ExitCode {
    var status: Int32 = 0
    // Without taking the process off the table, so that a signal meanwhile cannot reach another one.
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
