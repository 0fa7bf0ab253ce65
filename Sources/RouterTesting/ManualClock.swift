public import Router

/// A test clock that advances only when told to, for a router and for code with a `Clock` parameter.
public final class ManualClock: Sendable {
  private struct Sleeper {
    let until: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now: Duration = .zero
    var wall: Timestamp
    var sleepers: [Int: Sleeper] = [:]
    var nextSleeper = 0
    /// Sleepers that were canceled before they started to sleep.
    var cancelled: Set<Int> = []
  }

  private let state: Mutex<State>
  /// Sends an element after each change of ``sleeperCount``.
  private let changes = Broadcast<Void>()

  /// - Parameter wall: The initial time of the wall clock.
  public init(wall: Timestamp = Timestamp(milliseconds: 1_795_244_400_000)) {
    state = Mutex(State(wall: wall))
  }

  /// The clock to pass to a coordinator.
  package var clock: PresentationClock {
    PresentationClock(now: { self.elapsed }, wall: { self.wall }, sleep: { try await self.sleep(until: $0) })
  }

  /// The total time advanced.
  public var elapsed: Duration { state.withLock(\.now) }
  public var wall: Timestamp { state.withLock(\.wall) }
  /// The number of sleeping tasks.
  public var sleeperCount: Int { state.withLock(\.sleepers.count) }

  /// Advances both clocks and wakes the sleepers that are due, earliest first.
  public func advance(by duration: Duration) {
    let due = state.withLock { state -> [Sleeper] in
      state.now += duration
      state.wall = state.wall.advanced(by: duration)
      let now = state.now
      let due = state.sleepers.filter { $0.value.until <= now }
      for number in due.keys { state.sleepers[number] = nil }
      return due.values.sorted { $0.until < $1.until }
    }
    for sleeper in due { sleeper.continuation.resume() }
    changes.send(())
  }

  /// Waits until at least `count` tasks sleep, so that advancing the clock affects them.
  package func untilSleeping(_ count: Int = 1) async throws {
    try await eventually("\(count) tasks sleep", after: changes.listen()) { sleeperCount >= count }
  }

  /// Waits until no task sleeps.
  package func untilNoneSleeps() async throws {
    try await eventually("no task sleeps", after: changes.listen()) { sleeperCount == 0 }
  }

  /// Sets the wall clock, forward or backward, without affecting the monotonic clock.
  public func setWall(_ wall: Timestamp) {
    state.withLock { $0.wall = wall }
  }

  private func sleep(until time: Duration) async throws {
    let number = state.withLock { state in
      defer { state.nextSleeper += 1 }
      return state.nextSleeper
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let result = state.withLock { state -> Result<Void, any Error>? in
          if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
          if time <= state.now { return .success(()) }
          state.sleepers[number] = Sleeper(until: time, continuation: continuation)
          return nil
        }
        if let result { continuation.resume(with: result) } else { changes.send(()) }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        if let sleeper = state.sleepers.removeValue(forKey: number) { return sleeper }
        state.cancelled.insert(number)
        return nil
      }
      sleeper?.continuation.resume(throwing: CancellationError())
      changes.send(())
    }
  }
}

extension ManualClock: Clock {
  /// A time of this clock.
  public struct Instant: InstantProtocol {
    /// The total time advanced at this instant.
    public var elapsed: Duration

    public func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
    public func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
    public static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }
  }

  public var now: Instant { Instant(elapsed: elapsed) }
  public var minimumResolution: Duration { .zero }

  /// Waits until the clock has advanced to the deadline; throws `CancellationError` when the task is canceled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await sleep(until: deadline.elapsed)
  }
}
