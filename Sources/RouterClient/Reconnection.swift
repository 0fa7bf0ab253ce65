import Router

/// Decides whether and when to repeat a failed call, without a socket, clock or random numbers.
struct Reconnection: Sendable {
  enum Failure: Error {
    /// Nobody listens; nothing was sent.
    case notThere(RouterError)
    /// The connection ended before the reply had; whether the daemon has heard the call is not known.
    case lost(RouterError)
    case refused(RouterError)

    var error: RouterError {
      switch self {
      case .notThere(let error), .lost(let error), .refused(let error): error
      }
    }
  }

  enum Step: Sendable {
    case again(after: Duration)
    case giveUp(RouterError)
  }

  private let policy: ReconnectPolicy
  private let socketPath: String
  private let isRepeatable: Bool
  /// Whether somebody has listened there.
  private var wasThere = false
  /// Whether an earlier call may have been heard.
  private(set) var mayHaveBeenHeard = false
  /// Since when the daemon is away.
  private var awaySince: Duration?
  private(set) var tries = 0

  /// - Parameter isRepeatable: Whether the call may be made twice: it has a key, or does the same a second time.
  init(_ policy: ReconnectPolicy, socketPath: String, isRepeatable: Bool) {
    self.policy = policy
    self.socketPath = socketPath
    self.isRepeatable = isRepeatable
  }

  /// Counts a failed call. `arrival` is when the daemon had accepted it, if it had.
  mutating func failed(_ failure: Failure, arrival: Duration? = nil, at now: Duration, jitter: Double) -> Step {
    if let arrival { arrived(at: arrival, lostAt: now) }
    guard mayGoOn(after: failure), !policy.isNever else { return .giveUp(failure.error) }
    let since = awaySince ?? now
    awaySince = since
    defer { tries += 1 }
    var pause = policy.pause(after: tries, jitter: jitter)
    if case .refused(let error) = failure { pause = max(pause, error.retryAfter ?? .zero) }
    guard let patience = policy.patience else { return .again(after: pause) }
    let left = since + patience - now
    guard left > .zero else { return .giveUp(tooLong(failure, patience)) }
    return .again(after: min(pause, left))
  }

  private mutating func arrived(at arrival: Duration, lostAt now: Duration) {
    wasThere = true
    mayHaveBeenHeard = true
    awaySince = nil
    // A daemon that goes away again and again is not asked more often for it.
    if now - arrival >= policy.longestPause { tries = 0 }
  }

  /// Whether another call could come to more, and would be no second request.
  private mutating func mayGoOn(after failure: Failure) -> Bool {
    switch failure {
    case .notThere: return wasThere || policy.waitsForDaemon
    case .lost:
      wasThere = true
      mayHaveBeenHeard = true
      return isRepeatable
    case .refused(let error):
      wasThere = true
      // A log that cannot be written is an error at once for what is new. What may be on record keeps its place there.
      return error.code == .shuttingDown || error.code == .logUnavailable && mayHaveBeenHeard && isRepeatable
    }
  }

  private func tooLong(_ failure: Failure, _ patience: Duration) -> RouterError {
    // What a daemon says that is there is why.
    if case .refused(let error) = failure, error.code != .shuttingDown { return error }
    return RouterError(
      .unreachable, "cannot go on without routerd at \(socketPath): it was away for more than \(patience)",
      cause: failure.error)
  }
}
