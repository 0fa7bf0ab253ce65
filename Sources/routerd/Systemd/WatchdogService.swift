import Glibc
import Router
import ServiceLifecycle

/// Tells the service manager again and again that the daemon is alive, by sd_watchdog_enabled(3).
///
/// Each time something has gone once through the coordinator's mailbox and the thread that writes the log. A log that
/// cannot be written is no reason to be restarted: the daemon recovers by itself when it can.
struct WatchdogService: Service {
  /// Half of the time after which the daemon is given up.
  let interval: Duration
  let coordinator: PresentationCoordinator
  let tell: @Sendable () -> Void

  /// - Parameters:
  ///   - microseconds: What `WATCHDOG_USEC` says.
  ///   - process: What `WATCHDOG_PID` says; absent it is this process.
  /// - Returns: `nil` where nobody watches this process.
  init?(
    microseconds: String?, process: String?, coordinator: PresentationCoordinator, tell: @escaping @Sendable () -> Void
  ) {
    guard let time = microseconds.flatMap({ Int64($0) }), time > 0, process == nil || pid_t(process ?? "") == getpid() else {
      return nil
    }
    interval = .microseconds(time / 2)
    self.coordinator = coordinator
    self.tell = tell
  }

  func run() async throws {
    try? await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await coordinator.turn()
        tell()
        try await PresentationClock.system.sleep(for: interval)
      }
    }
  }
}
