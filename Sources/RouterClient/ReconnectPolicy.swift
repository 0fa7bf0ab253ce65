public import Router

/// How long and how often a ``RouterClient`` tries to reconnect when the daemon goes away.
///
/// Requests are sent again with their keys, so each is asked once. See the article "Restarts" of `Router`.
public struct ReconnectPolicy: Sendable, Hashable {
  /// How long to wait for a lost daemon before giving up; `nil` for ever.
  public var patience: Duration?
  /// The pause before the first try; each next one is twice as long. Up to half of a pause is random jitter.
  public var firstPause: Duration
  /// The longest pause.
  public var longestPause: Duration
  /// Whether to wait also for a daemon that was not there at first, instead of failing at once.
  public var waitsForDaemon: Bool

  public init(
    patience: Duration? = .seconds(30), firstPause: Duration = .milliseconds(50), longestPause: Duration = .seconds(2),
    waitsForDaemon: Bool = false
  ) {
    self.patience = patience
    self.firstPause = firstPause
    self.longestPause = longestPause
    self.waitsForDaemon = waitsForDaemon
  }

  /// Fails at once, and gives requests no keys.
  public static let never = ReconnectPolicy(patience: .zero)

  /// Whether nothing is ever tried again.
  var isNever: Bool { patience.map { $0 <= .zero } ?? false }

  /// The pause after a number of failed tries in a row. `jitter`, from 0 to 1, is the share of its second half.
  func pause(after tries: Int, jitter: Double) -> Duration {
    let whole = min(longestPause, firstPause * (1 << min(max(0, tries), 20)))
    return whole * (0.5 + min(max(0, jitter), 1) / 2)
  }
}

/// What a ``RouterClient`` notices of its daemon.
public enum DaemonChange: Sendable {
  /// The daemon went away and was not back at once; something waits for it now.
  case lost(RouterError)
  /// The daemon is back.
  case back
}
