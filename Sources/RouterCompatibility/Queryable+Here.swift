import OrderedCollections
import Router

/// Queries without a broker, which follow the same queue rules as a surface.
extension Queryable {
  nonisolated(nonsending) func askHere(_ input: Input, _ conflictPolicy: PresentationOptions.ConflictPolicy) async throws
    -> Answer
  {
    let id = ids.next(at: Moment.zero.wall)
    let ask = PresentationAsk(
      id: id, valid: try ValidRequest(PresentationRequest(kind: .sheet, conflictPolicy: conflictPolicy)),
      requester: Presentation.Requester(app: "", process: .noProcess))
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        decide { state in
          state.open[id] = OpenQuery(input: input, continuation: continuation)
          return try state.rules.handle(.request(ask), at: .zero)
        }
        // If the task was already canceled, `onCancel` has found no query.
        if Task.isCancelled { endHere(id, .cancelled) }
      }
    } onCancel: {
      endHere(id, .cancelled)
    }
  }

  /// Ends a query. Does nothing if it has already ended, or if it is still queued and this is not a cancellation.
  func endHere(_ id: QueryID, _ resolution: QueryResolution<Answer>) {
    decide { state in
      guard state.open[id] != nil else { throw PresentationRejection.notOpen }
      switch resolution {
      case .answered(let answer): return try answered(id, .success(answer), in: &state)
      case .threw(let error): return try answered(id, .failure(error), in: &state)
      case .closed: return try state.rules.handle(.change(id, Verbs.Dismiss()), at: .zero)
      case .dropped:
        let detail = "the query was presented and discarded without an answer"
        return try state.rules.handle(.change(id, Verbs.Fail(detail)), at: .zero)
      case .cancelled: return try state.rules.handle(.change(id, Verbs.RequesterGone(.requester)), at: .zero)
      }
    }
  }

  /// Records an answer, whose value is hidden from the queue rules.
  private func answered(
    _ id: QueryID, _ result: Result<Answer, any Error>, in state: inout State
  ) throws -> [Event] {
    let events = try state.rules.handle(.change(id, Verbs.Answer(.value(.null))), at: .zero)
    state.open[id]?.result = result
    return events
  }

  /// Cancels all queries, last first, so that none begins in the meantime.
  func cancelAllHere() {
    for id in state.withLock({ $0.rules.state.surfaces["main"]?.ordered ?? [] }).reversed() { endHere(id, .cancelled) }
  }

  /// Makes a decision and applies it atomically; a rejection changes nothing.
  private func decide(_ body: (inout State) throws -> [Event]) {
    let queries = update { state -> [OpenQuery<Input, Answer>] in
      guard let events = try? body(&state) else { return [] }
      return events.compactMap { carryOut($0, in: &state) }
    }
    // Released outside the lock, since it may hold the last reference to a resolver.
    _ = queries
  }

  private func carryOut(_ event: Event, in state: inout State) -> OpenQuery<Input, Answer>? {
    guard let id = event.presentation else { return nil }
    switch event.detail {
    case .presented:
      guard let query = state.open[id] else { return nil }
      state.open[id]?.hasBegun = true
      begun.send(observation(of: id, query))
      if case .closure(let present) = presentation { start(present, query.input, id, in: &state) }
      return nil
    case .resolved(let end):
      guard let query = state.open.removeValue(forKey: id) else { return nil }
      let result =
        query.result ?? .failure(NoAnswer(end.outcome) ?? .dismissed)
      query.continuation?.resume(with: result)
      query.presenting?.cancel()
      ended.send(QueryEnd(id: id, input: query.input, result: result))
      return query
    default: return nil
    }
  }

  /// Presents a query with a closure, once the previous closure has returned.
  private func start(
    _ present: @escaping @Sendable (Input, QueryResolver<Answer>) async throws -> Void, _ input: Input, _ id: QueryID,
    in state: inout State
  ) {
    let resolver = resolver(of: id, ifDropped: .dropped)
    // Ends when the closure returns. Canceled when the query ends.
    let task = Task { [before = state.presenting] in
      await before?.value
      guard !Task.isCancelled else { return }
      do {
        try await present(input, resolver)
      } catch {
        resolver.answer(throwing: error)
      }
    }
    state.open[id]?.presenting = task
    state.presenting = task
  }
}
