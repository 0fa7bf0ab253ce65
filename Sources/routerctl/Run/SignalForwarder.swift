import ArgumentParser
import Glibc
import Router
import RouterCommandLine

/// Forwards this program's signals to its command.
final class SignalForwarder: Sendable {
  private enum State {
    /// The command has not started. A signal prevents the start.
    case waiting(received: CInt?)
    case running(pid_t)
    case ended
  }

  private static let numbers = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2]
  private let state = Mutex(State.waiting(received: nil))

  /// Starts handling the signals.
  func listen() throws {
    _ = try Signals.listen(to: Self.numbers) { [self] in receive($0) }
  }

  private func receive(_ number: CInt) {
    state.withLock { state in
      switch state {
      case .waiting: state = .waiting(received: number)
      case .running(let child): if !Self.comesFromTerminal(number) { kill(child, number) }
      case .ended: break
      }
    }
  }

  /// Whether the terminal also sends the signal to the command, as for Ctrl-C.
  private static func comesFromTerminal(_ number: CInt) -> Bool {
    [SIGINT, SIGQUIT].contains(number) && (0...2).contains { tcgetpgrp($0) == getpgrp() }
  }

  /// Starts the command, unless a signal was received.
  func start(_ body: () throws -> pid_t) throws -> pid_t {
    try state.withLock { state in
      if case .waiting(let number?) = state { throw ExitCode(128 + number) }
      let child = try body()
      state = .running(child)
      return child
    }
  }

  /// Waits for the end of the command.
  func wait(for child: pid_t) -> ActReport.Result {
    var info = siginfo_t()
    // Does not reap the child yet, so that no signal can reach another process.
    while waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    var status: CInt = 0
    state.withLock { state in
      while waitpid(child, &status, 0) < 0, errno == EINTR {}
      state = .ended
    }
    let signal = status & 0x7F
    return signal == 0 ? .status(Int(status >> 8) & 0xFF) : .signal(Int(signal))
  }
}
