import CLinux
import Glibc
import RouterCore

/// Sleeps on `CLOCK_BOOTTIME`, which includes suspend. A single thread reads a timerfd_create(2).
final class BootTimer: Sendable {
  static let shared = BootTimer()

  private struct State {
    var isRunning = false
    var sleepers: [Int: (time: Duration, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var nextNumber = 0
    var armed: Duration?
  }

  private static let absoluteTime: CInt = 1

  private let descriptor: CInt
  private let state = Mutex(State())

  private init() {
    descriptor = timerfd_create(CLOCK_BOOTTIME, O_CLOEXEC)
    precondition(descriptor >= 0, "cannot make a timer: \(String(cString: strerror(errno)))")
  }

  /// Starts the thread, unless it is running. It runs for the lifetime of the process, like the shared timer.
  ///
  /// - Throws: ``RouterError`` if the thread cannot start.
  func start() throws(RouterError) {
    try state.withLock { state throws(RouterError) in
      guard !state.isRunning else { return }
      try Thread.start { self.run() }
      state.isRunning = true
    }
  }

  static var now: Duration {
    var time = clinux_time()
    clinux_clock_gettime(CLOCK_BOOTTIME, &time)
    return .seconds(Int64(time.seconds)) + .nanoseconds(Int64(time.nanoseconds))
  }

  /// Sleeps until a time. Throws `CancellationError` if the task is canceled before this returns, even after the
  /// wake-up; ``RouterError`` if the timer's thread cannot start.
  func sleep(until time: Duration) async throws {
    try start()
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        state.withLock { state in
          state.sleepers[number] = (time, continuation)
          if state.armed.map({ time < $0 }) ?? true { arm(time, &state) }
        }
        // The cancellation handler may have run before the sleeper was added.
        if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancel(number)
    }
    try Task.checkCancellation()
  }

  private func cancel(_ number: Int) {
    let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
    sleeper?.continuation.resume(throwing: CancellationError())
  }

  private func run() {
    while true {
      var expirations: UInt64 = 0
      guard read(descriptor, &expirations, 8) == 8 else { continue }
      let due = state.withLock { state in
        let now = Self.now
        let due = state.sleepers.filter { $0.value.time <= now }
        for number in due.keys { state.sleepers[number] = nil }
        arm(state.sleepers.values.lazy.map(\.time).min(), &state)
        return due.values.sorted { $0.time < $1.time }
      }
      for sleeper in due { sleeper.continuation.resume() }
    }
  }

  private func arm(_ time: Duration?, _ state: inout State) {
    state.armed = time
    var setting = clinux_timer_setting()
    if let time {
      // A time in the past must not become zero, which would disarm the timer.
      let (seconds, attoseconds) = max(time, .nanoseconds(1)).components
      setting.value_seconds = Int(seconds)
      setting.value_nanoseconds = Int(attoseconds / 1_000_000_000)
    }
    timerfd_settime(descriptor, Self.absoluteTime, &setting, nil)
  }
}
