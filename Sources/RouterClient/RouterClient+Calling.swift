import Router

extension RouterClient {
  /// An attempt of a call.
  struct Attempt: Sendable {
    let elapsed: Duration
    /// Whether the daemon may have processed an earlier attempt.
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

  /// Makes a call that returns a record.
  func reply<Reply: Record>(to call: HTTPCall) async throws -> Reply {
    let json = try await json(call)
    do throws(JSONError) { return try Reply(reply: json) } catch { throw http.misunderstood(error.description) }
  }

  /// Makes a call once, and decodes the returned presentation.
  func presentation(_ call: HTTPCall) async throws -> Presentation { try await reply(to: call) }

  /// Makes a call once, without waiting for an absent daemon.
  func once<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch let failure as Reconnection.Failure {
      throw failure.error
    }
  }

  /// Makes a call, and retries it according to the reconnect policy.
  ///
  /// - Parameter isRepeatable: Whether the call is safe to repeat.
  /// - Throws: ``RouterError``; `CancellationError` if the task is canceled, including during a wait for the daemon.
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

  /// Reads a stream of events until it ends. Returns the failure that ended it: `lost` if the daemon closed it.
  func readStream(
    _ call: HTTPCall, lost: String, opened: @Sendable () -> Void = {}, receive: @Sendable (ServerSentEvent) throws -> Void
  ) async throws -> Reconnection.Failure {
    do {
      try await http.attemptEvents(of: call, opened: opened) { try $0.forEach(receive) }
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

  /// Waits before a retry. Throws ``RouterError`` if the call may not be retried, `CancellationError` if the task is canceled.
  func wait(
    after failure: Reconnection.Failure, arrival: Duration? = nil, with reconnection: inout Reconnection
  ) async throws {
    let now = clock.now()
    switch reconnection.failed(failure, arrival: arrival, at: now, jitter: .random(in: 0...1)) {
    case .giveUp(let error): throw error
    case .again(let pause):
      // Not reported if the first retry succeeds.
      if reconnection.tries > 1 { watch.isMissed(failure.error) }
      try await clock.sleep(now + pause)
    }
  }
}
