import Router

/// Decides whether and when to retry a failed call. Uses no socket, clock or random numbers.
struct Reconnection: Sendable {
  enum Failure: Error {
    /// No daemon is listening; nothing was sent.
    case notThere(RouterError)
    /// The connection ended before the reply was complete. The daemon may or may not have processed the call.
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
  /// Whether a daemon has been reached before.
  private var wasThere = false
  /// Whether the daemon may have processed an earlier attempt.
  private(set) var mayHaveBeenHeard = false
  /// The time at which the daemon went away.
  private var awaySince: Duration?
  private(set) var tries = 0

  /// - Parameter isRepeatable: Whether the call is safe to repeat, because it is idempotent or has an idempotency key.
  init(_ policy: ReconnectPolicy, socketPath: String, isRepeatable: Bool) {
    self.policy = policy
    self.socketPath = socketPath
    self.isRepeatable = isRepeatable
  }

  /// Records a failed attempt, and returns the next step. `arrival` is the time at which the daemon accepted the attempt, if it
  /// did.
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
    // Continues backing off if the daemon goes away repeatedly.
    if now - arrival >= policy.longestDelay { tries = 0 }
  }

  /// Whether a retry could succeed without creating a second request.
  private mutating func mayGoOn(after failure: Failure) -> Bool {
    switch failure {
    case .notThere: return wasThere || policy.waitsForDaemon
    case .lost:
      wasThere = true
      mayHaveBeenHeard = true
      return isRepeatable
    case .refused(let error):
      wasThere = true
      // An unwritable log is an immediate error for a new request. A request that may be recorded is retried to keep its queue
      // position.
      return error.code == .shuttingDown || error.code == .logUnavailable && mayHaveBeenHeard && isRepeatable
    }
  }

  private func tooLong(_ failure: Failure, _ patience: Duration) -> RouterError {
    // Prefers the reason given by a running daemon.
    if case .refused(let error) = failure, error.code != .shuttingDown { return error }
    return RouterError(
      .unreachable, "routerd at \(socketPath) has been unreachable for more than \(patience)",
      cause: failure.error)
  }
}
