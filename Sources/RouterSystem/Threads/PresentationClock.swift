import FoundationEssentials
package import RouterCore

/// The clocks of a coordinator: a monotonic clock that includes suspend, for timeouts, and the wall clock, for the log.
package struct PresentationClock: Sendable {
  /// The time since a fixed point; never decreases.
  package var now: @Sendable () -> Duration
  /// The date and time; may jump.
  package var wall: @Sendable () -> Timestamp
  /// Waits until ``now`` reaches a time; throws when the task is canceled.
  package var sleep: @Sendable (_ until: Duration) async throws -> Void

  package init(
    now: @escaping @Sendable () -> Duration, wall: @escaping @Sendable () -> Timestamp,
    sleep: @escaping @Sendable (_ until: Duration) async throws -> Void
  ) {
    self.now = now
    self.wall = wall
    self.sleep = sleep
  }

  /// Starts the thread of the system clocks' timer, which otherwise starts with the first sleep.
  ///
  /// - Throws: ``RouterError`` if the thread cannot start.
  package static func startTimer() throws(RouterError) { try BootTimer.shared.start() }

  /// The system clocks; ``now`` is the boot clock (`CLOCK_BOOTTIME`).
  package static let system = PresentationClock(
    now: { BootTimer.now }, wall: { Timestamp(Date()) }, sleep: { try await BootTimer.shared.sleep(until: $0) })

  /// Waits for a duration; throws `CancellationError` when the task is canceled.
  package func sleep(for duration: Duration) async throws {
    try await sleep(now() + duration)
  }
}
