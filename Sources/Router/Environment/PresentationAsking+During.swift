extension PresentationAsking {
  /// Shows something while an operation runs, and takes it away when that has returned or thrown.
  ///
  /// - Parameter what: What is shown, for an error.
  /// - Throws: ``PresentationCancellation`` if it ended first and the operation, which is cancelled then, has no result; what
  ///   the operation throws; ``RouterError`` if it could not be asked.
  func during<Value: Sendable>(
    _ what: String, options: PresentationOptions?, operation: @escaping @Sendable () async throws -> Value,
    request: () throws -> PresentationRequest
  ) async throws -> Value {
    let (broker, request) = try prepare(what, options: options, request: request)
    guard !Task.isCancelled else { throw PresentationCancellation(reason: .cancelled(.requester)) }
    let handle = broker.submit(request)
    handle.forgoAnswer()
    _ = try await handle.accepted()
    let enclosing = EnclosingPresentation {
      handle.cancel()
      return try await handle.outcome()
    }
    let race = await withTaskGroup(of: Race<Value>.Event.self) { group in
      group.addTask { .ended(await capturing { try await handle.outcome() }) }
      group.addTask {
        .finished(await capturing { try await withEnvironment(\.enclosingPresentation, enclosing, operation: operation) })
      }
      var race = Race<Value>()
      while let event = await group.next() {
        race.note(event)
        // Whichever is over first ends the other: to cancel the wait takes the presentation away.
        group.cancelAll()
      }
      return race
    }
    return try race.value()
  }
}

/// What became of a presentation and of the operation that ran meanwhile.
private struct Race<Value: Sendable>: Sendable {
  enum Event: Sendable {
    case ended(Result<PresentationOutcome, any Error>)
    case finished(Result<Value, any Error>)
  }

  private var endedFirst = false
  private var ending: Result<PresentationOutcome, any Error>?
  private var work: Result<Value, any Error>?

  mutating func note(_ event: Event) {
    switch event {
    case .ended(let result):
      ending = result
      endedFirst = work == nil
    case .finished(let result): work = result
    }
  }

  /// The operation's result, or else why it has none: the presentation's end where that is the cause.
  func value() throws -> Value {
    guard let ending, let work else { preconditionFailure("a presentation and its operation both end") }
    switch work {
    case .success(let value): return value
    case .failure(let error):
      guard endedFirst || error is CancellationError else { throw error }
      // An answer to what takes none is a way to close it.
      throw PresentationCancellation(try ending.get()) ?? PresentationCancellation(reason: .dismissed)
    }
  }
}

/// What a body returns or throws.
private func capturing<Value: Sendable>(_ body: @Sendable () async throws -> Value) async -> Result<Value, any Error> {
  do {
    return .success(try await body())
  } catch {
    return .failure(error)
  }
}
