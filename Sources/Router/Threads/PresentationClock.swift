import FoundationEssentials

/// The two clocks a coordinator reads: one that only goes forward and counts the machine's sleep (for timeouts), and the
/// wall's (for the record).
public struct PresentationClock: Sendable {
  /// The time since some fixed moment; it never goes back.
  public var now: @Sendable () -> Duration
  /// The date and time, which may jump.
  public var wall: @Sendable () -> Timestamp
  /// Waits until ``now`` says so; throws when the task is cancelled.
  public var sleep: @Sendable (_ until: Duration) async throws -> Void

  public init(
    now: @escaping @Sendable () -> Duration, wall: @escaping @Sendable () -> Timestamp,
    sleep: @escaping @Sendable (_ until: Duration) async throws -> Void
  ) {
    self.now = now
    self.wall = wall
    self.sleep = sleep
  }

  /// The machine's clocks; the first is the boot clock (`CLOCK_BOOTTIME`).
  public static let system = PresentationClock(
    now: { BootTimer.now }, wall: { Timestamp(Date()) }, sleep: { try await BootTimer.shared.sleep(until: $0) })

  /// Waits for some time; throws `CancellationError` when the task is canceled.
  public func sleep(for duration: Duration) async throws {
    try await sleep(now() + duration)
  }
}
