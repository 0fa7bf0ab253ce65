public import Router

/// The reconnect policy of a ``RouterClient``: the delays and the limit of retries when the daemon goes away.
///
/// Requests are sent again with their idempotency keys, so the person sees each of them once. See the article "Restarts" of
/// `Router`.
public struct ReconnectPolicy: Sendable, Hashable {
  /// The time to wait for a lost daemon before giving up; `nil` for no limit.
  public var patience: Duration?
  /// The delay before the first retry. It doubles with each retry. Up to half of a delay is random jitter.
  public var firstDelay: Duration
  /// The maximum delay.
  public var longestDelay: Duration
  /// Whether to wait for a daemon that is not running at first, instead of failing immediately.
  public var waitsForDaemon: Bool

  public init(
    patience: Duration? = .seconds(30), firstDelay: Duration = .milliseconds(50), longestDelay: Duration = .seconds(2),
    waitsForDaemon: Bool = false
  ) {
    self.patience = patience
    self.firstDelay = firstDelay
    self.longestDelay = longestDelay
    self.waitsForDaemon = waitsForDaemon
  }

  /// Fails immediately, and sends requests without keys.
  public static let never = ReconnectPolicy(patience: .zero)

  /// Whether retries are disabled.
  var isNever: Bool { patience.map { $0 <= .zero } ?? false }

  /// Returns the delay after a number of consecutive failures. `jitter`, from 0 to 1, scales the random half of the delay.
  func pause(after tries: Int, jitter: Double) -> Duration {
    let whole = min(longestDelay, firstDelay * (1 << min(max(0, tries), 20)))
    return whole * (0.5 + min(max(0, jitter), 1) / 2)
  }
}

/// A change of the daemon's availability.
public enum DaemonChange: Sendable {
  /// The daemon went away and the first reconnect failed; calls are waiting for it.
  case lost(RouterError)
  /// The daemon is back.
  case back
}
