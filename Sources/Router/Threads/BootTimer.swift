import CLinux
import Glibc
import HeapModule

/// Waits on the boot clock: a suspended machine's sleep counts, and a timer that came due meanwhile fires at the wake-up.
///
/// One thread reads a timerfd_create(2) on `CLOCK_BOOTTIME`; while nobody waits it is not armed, and nothing wakes.
final class BootTimer: Sendable {
  static let shared = BootTimer()

  private struct Sleeper: Comparable {
    let time: Duration
    let number: Int

    static func < (left: Sleeper, right: Sleeper) -> Bool {
      (left.time, left.number) < (right.time, right.number)
    }
  }

  private struct State {
    var sleepers: Heap<Sleeper> = []
    var continuations: [Int: CheckedContinuation<Void, any Error>] = [:]
    /// Sleepers that were cancelled before they lay down.
    var cancelled: Set<Int> = []
    var nextNumber = 0
  }

  /// `TFD_TIMER_ABSTIME`.
  private static let absoluteTime: CInt = 1

  private let descriptor: CInt
  private let state = Mutex(State())

  private init() {
    descriptor = timerfd_create(CLOCK_BOOTTIME, O_CLOEXEC)
    precondition(descriptor >= 0, "cannot make a timer: \(String(cString: strerror(errno)))")
    // Lives as long as the process, as the shared timer does.
    Thread.start { self.run() }
  }

  /// The time since the machine was started.
  static var now: Duration {
    var time = clinux_time()
    clinux_clock_gettime(CLOCK_BOOTTIME, &time)
    return .seconds(Int64(time.seconds)) + .nanoseconds(Int64(time.nanoseconds))
  }

  /// Waits until that time has come.
  ///
  /// - Throws: `CancellationError` if the task is canceled before this returns, even after the wake-up.
  func sleep(until time: Duration) async throws {
    let number = state.withLock { state in
      defer { state.nextNumber += 1 }
      return state.nextNumber
    }
    // A task canceled after the wake-up leaves its number behind.
    defer { _ = state.withLock { $0.cancelled.remove(number) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let isCancelled = state.withLock { state in
          if state.cancelled.remove(number) != nil { return true }
          state.continuations[number] = continuation
          state.sleepers.insert(Sleeper(time: time, number: number))
          if state.sleepers.min?.number == number { arm(time) }
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
        if let continuation = state.continuations.removeValue(forKey: number) {
          dropCancelled(&state)
          return continuation
        }
        state.cancelled.insert(number)
        return nil
      }
      continuation?.resume(throwing: CancellationError())
    }
    try Task.checkCancellation()
  }

  /// How many canceled sleepers are still remembered.
  var cancelledCount: Int { state.withLock { $0.cancelled.count } }

  private func run() {
    while true {
      var expirations: UInt64 = 0
      guard read(descriptor, &expirations, 8) == 8 else { continue }
      let due = state.withLock { state -> [CheckedContinuation<Void, any Error>] in
        var due: [CheckedContinuation<Void, any Error>] = []
        let now = Self.now
        while let first = state.sleepers.min, first.time <= now {
          state.sleepers.removeMin()
          if let continuation = state.continuations.removeValue(forKey: first.number) { due.append(continuation) }
        }
        dropCancelled(&state)
        return due
      }
      for continuation in due { continuation.resume() }
    }
  }

  /// Lets go of those at the front who do not wait any more, and sets the timer for whoever is first then, if anybody is.
  private func dropCancelled(_ state: inout State) {
    while let first = state.sleepers.min, state.continuations[first.number] == nil { state.sleepers.removeMin() }
    if state.sleepers.count > 2 * state.continuations.count + 64 {
      let awake = state.continuations
      state.sleepers = Heap(state.sleepers.unordered.filter { awake[$0.number] != nil })
    }
    arm(state.sleepers.min?.time)
  }

  /// Sets the timer; `nil` turns it off.
  private func arm(_ time: Duration?) {
    var setting = clinux_timer_setting()
    if let time {
      // A time that is not in the future must not be all zero, which would turn the timer off.
      let (seconds, attoseconds) = max(time, .nanoseconds(1)).components
      setting.value_seconds = Int(seconds)
      setting.value_nanoseconds = Int(attoseconds / 1_000_000_000)
    }
    timerfd_settime(descriptor, Self.absoluteTime, &setting, nil)
  }
}
