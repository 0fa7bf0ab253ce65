/// Controls when a prompt accepts keys. A prompt that appears during typing, or in place of another prompt, must not be
/// answered unread. The page has the same rule: `guard.js`.
package struct InputGuard: Sendable, Hashable {
  /// The initial pause of a prompt, and the longer pause of a prompt that appears within a second of a key or another prompt.
  static let (pause, longPause) = (Duration.milliseconds(500), Duration.seconds(1))
  /// The required time without keys before the pause ends.
  static let quiet = Duration.milliseconds(300)
  /// The limit on the total pause, since each dropped key restarts the long pause.
  package static let longest = Duration.seconds(2)

  private let start: Duration
  private(set) var end: Duration

  /// - Parameter activity: The time of the last key press, or of the last prompt's disappearance.
  init(at now: Duration, activity: Duration?) {
    start = now
    let isBusy = activity.map { now - $0 < Self.longPause } ?? false
    end = now + (isBusy ? Self.longPause : Self.pause)
  }

  /// Drops a key.
  mutating func drop(at now: Duration) {
    end = max(end, min(now + Self.longPause, start + Self.longest), now + Self.quiet)
  }
}
