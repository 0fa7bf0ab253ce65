import Router

extension RouterClient {
  /// One of the times that a call is made.
  struct Attempt: Sendable {
    let elapsed: Duration
    /// Whether an earlier one may have been heard.
    let isRepeat: Bool
  }

  func json(_ call: HTTPCall) async throws -> JSONValue {
    let reply = try await http.attempt(call)
    if let error = reply.error { throw error }
    do {
      return try JSONValue(parsing: reply.body, maximumDepth: JSONValue.maximumWrappedDepth)
    } catch {
      throw http.misunderstood(error.description)
    }
  }

  /// Makes a call and reads the presentation that comes back, once.
  func presentation(_ call: HTTPCall) async throws -> Presentation {
    let json = try await json(call)
    do {
      return try Presentation(json: json)
    } catch {
      throw http.misunderstood(error.description)
    }
  }

  /// Makes a call that does not wait for an absent daemon.
  func once<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch let failure as Reconnection.Failure {
      throw failure.error
    }
  }

  /// Makes a call, and repeats it until it succeeds or cannot.
  ///
  /// - Parameter isRepeatable: Whether the daemon may get the call twice.
  /// - Throws: ``RouterError``; `CancellationError` if the task is canceled, also while it waits for the daemon.
  func calling<Result>(isRepeatable: Bool, _ body: (Attempt) async throws -> Result) async throws -> Result {
    var reconnection = reconnection(isRepeatable: isRepeatable)
    let start = clock.now()
    while true {
      let failure: Reconnection.Failure
      do {
        let attempt = Attempt(elapsed: clock.now() - start, isRepeat: reconnection.mayHaveBeenHeard)
        let result = try await body(attempt)
        watch.isThere()
        return result
      } catch let error as Reconnection.Failure {
        failure = error
      } catch let error as RouterError {
        failure = .refused(error)
      }
      try await wait(after: failure, with: &reconnection)
    }
  }

  /// Reads a stream of events until it ends, and returns why it did: `lost` if the daemon closed it.
  func readStream(
    _ call: HTTPCall, lost: String, opened: @Sendable () -> Void = {}, receive: @Sendable (ServerSentEvent) throws -> Void
  ) async throws -> Reconnection.Failure {
    do {
      try await http.attemptEvents(of: call, opened: opened, receive: receive)
      return .lost(RouterError(.unreachable, lost))
    } catch let failure as Reconnection.Failure {
      return failure
    } catch let error as RouterError {
      return .refused(error)
    }
  }

  func reconnection(isRepeatable: Bool) -> Reconnection {
    Reconnection(reconnect, socketPath: socketPath, isRepeatable: isRepeatable)
  }

  /// Waits until a call may be repeated. Throws ``RouterError`` if it may not, `CancellationError` if the task is canceled.
  func wait(
    after failure: Reconnection.Failure, arrival: Duration? = nil, with reconnection: inout Reconnection
  ) async throws {
    let now = clock.now()
    switch reconnection.failed(failure, arrival: arrival, at: now, jitter: .random(in: 0...1)) {
    case .giveUp(let error): throw error
    case .again(let pause):
      // A daemon that is back at the first look was hardly away.
      if reconnection.tries > 1 { watch.isMissed(failure.error) }
      try await clock.sleep(now + pause)
    }
  }
}
