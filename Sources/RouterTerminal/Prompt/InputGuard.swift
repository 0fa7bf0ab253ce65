/// When a prompt accepts keys. A prompt that appears while somebody types, or in place of another, must not be answered unread.
/// The page has the same rule: `guard.js`.
package struct InputGuard: Sendable, Hashable {
  /// The pause of a prompt that appears by itself, and of one that appears within a second of a key or of another prompt.
  static let (pause, longPause) = (Duration.milliseconds(500), Duration.seconds(1))
  /// How long no key may have been pressed before it ends.
  static let quiet = Duration.milliseconds(300)
  /// A dropped key starts the long pause again, but not beyond this time.
  package static let longest = Duration.seconds(2)

  private let start: Duration
  private(set) var end: Duration

  /// - Parameter activity: When the last key was pressed or the last prompt disappeared.
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
