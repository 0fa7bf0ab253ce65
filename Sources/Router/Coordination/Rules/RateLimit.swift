/// A rate limit for each key: a burst at once, then one for each interval.
package struct RateLimit<Key: Hashable & Sendable>: Sendable {
  private let burst: Int
  private let interval: Duration
  /// When each key has its whole burst again.
  private var restored: [Key: Duration] = [:]
  private var tidyAt = 1024

  package init(burst: Int, interval: Duration) {
    self.burst = burst
    self.interval = interval
  }

  /// A burst of so many, which takes a minute to restore.
  package init(perMinute: Int) { self.init(burst: perMinute, interval: .seconds(60) / max(1, perMinute)) }

  /// Counts one use of a key. Over the limit, returns how long to wait and counts nothing.
  package mutating func take(for key: Key, at now: Duration) -> Duration? {
    if restored.count >= tidyAt {
      restored = restored.filter { $0.value > now }
      tidyAt = max(1024, 2 * restored.count)
    }
    let full = max(restored[key] ?? now, now) + interval
    let wait = full - now - interval * burst
    guard wait <= .zero else { return wait }
    restored[key] = full
    return nil
  }
}
