import Glibc
import Router

/// Sends watchdog keep-alives to the service manager (sd_watchdog_enabled(3)) while the coordinator and the log's thread make
/// progress. An unwritable log does not trigger a restart, since the daemon recovers by itself.
struct WatchdogService: Service {
  /// Half of the watchdog timeout.
  let interval: Duration
  let coordinator: PresentationCoordinator
  let tell: @Sendable () -> Void

  /// Returns `nil` if no watchdog is enabled for this process. The first two parameters are `WATCHDOG_USEC` and
  /// `WATCHDOG_PID`.
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

  func run(until stop: StopSignal) async {
    await stop.runUntilSent {
      while !Task.isCancelled {
        await coordinator.roundTrip()
        tell()
        try? await PresentationClock.system.sleep(for: interval)
      }
    }
  }
}
