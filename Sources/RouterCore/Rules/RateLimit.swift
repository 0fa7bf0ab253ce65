/// A rate limit per key: a burst, followed by one use per interval.
package struct RateLimit<Key: Hashable & Sendable>: Sendable {
  private let burst: Int
  private let interval: Duration
  /// The time at which each key's full burst is available again.
  private var restored: [Key: Duration] = [:]
  private var tidyAt = 1024

  package init(burst: Int, interval: Duration) {
    self.burst = burst
    self.interval = interval
  }

  /// Creates a limit with a burst of `perMinute` uses, restored over a minute.
  package init(perMinute: Int) { self.init(burst: perMinute, interval: .seconds(60) / max(1, perMinute)) }

  /// Counts one use of a key. Over the limit, counts nothing and returns the wait time.
  package mutating func take(for key: Key, at now: Duration) -> Duration? {
    if let wait = wait(for: key, at: now) { return wait }
    charge(1, to: key, at: now)
    return nil
  }

  /// Returns the time until a key may be used; `nil` if it may be used now.
  package func wait(for key: Key, at now: Duration) -> Duration? {
    let wait = max(restored[key] ?? now, now) + interval - now - interval * burst
    return wait > .zero ? wait : nil
  }

  /// Counts uses of a key, also beyond the limit.
  package mutating func charge(_ count: Int, to key: Key, at now: Duration) {
    guard count > 0 else { return }
    if restored.count >= tidyAt {
      restored = restored.filter { $0.value > now }
      tidyAt = max(1024, 2 * restored.count)
    }
    restored[key] = max(restored[key] ?? now, now) + interval * count
  }
}
