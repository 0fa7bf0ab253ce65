import OrderedCollections
import Router

extension Queryable {
  nonisolated(nonsending) func askBroker(
    _ query: PresentationRequest.Typed<Answer>, _ input: Input, _ conflictPolicy: PresentationOptions.ConflictPolicy,
    _ onDismiss: (@Sendable () async -> Void)?
  ) async throws -> Answer {
    let (broker, request) = try PresentationAsking(in: .current).prepare(
      query.what, options: { $0.conflictPolicy = conflictPolicy }, request: query.request)
    let handle = broker.submit(request, onDismiss: onDismiss)
    let id = begin(input, handle)
    do {
      let answer = try read(query, try await handle.resolved(), id)
      end(id, .success(answer))
      return answer
    } catch {
      end(id, .failure(error))
      throw error
    }
  }

  private func begin(_ input: Input, _ handle: PresentationHandle) -> QueryID {
    let id = ids.next(at: Moment.zero.wall)
    update { state in
      let query = OpenQuery<Input, Answer>(input: input, hasBegun: true, handle: handle)
      state.open[id] = query
      begun.send(observation(of: id, query))
    }
    return id
  }

  private func read(_ query: PresentationRequest.Typed<Answer>, _ presentation: Presentation, _ id: QueryID) throws -> Answer {
    guard let outcome = presentation.outcome else {
      throw RouterError(.unreachable, "cannot learn how \(query.what) ended")
    }
    if outcome == .cancelled(.requester), let result = state.withLock({ $0.open[id]?.result }) { return try result.get() }
    return try query.answer(from: outcome)
  }

  private func end(_ id: QueryID, _ result: Result<Answer, any Error>) {
    let ended = update { state -> OpenQuery<Input, Answer>? in
      guard let query = state.open.removeValue(forKey: id) else { return nil }
      self.ended.send(QueryEnd(id: id, input: query.input, result: result))
      return query
    }
    // Released outside the lock.
    _ = ended
  }

  /// Ends a query from code: withdraws the presentation, and applies this resolution unless a person has already answered.
  func endAtBroker(_ id: QueryID, _ resolution: QueryResolution<Answer>) {
    let handle = state.withLock { state -> PresentationHandle? in
      guard let query = state.open[id], query.result == nil else { return nil }
      state.open[id]?.result =
        switch resolution {
        case .answered(let answer): .success(answer)
        case .threw(let error): .failure(error)
        case .closed, .dropped, .cancelled: .failure(NoAnswer.cancelled(.requester))
        }
      return query.handle
    }
    handle?.cancel()
  }
}
