extension PresentationCoordinator {
  /// Called once, on the coordinator's executor, with the recorded presentation or the reason why it was not recorded.
  package typealias Completion = @Sendable (Result<Presentation, RouterError>) -> Void

  /// Cancels a presentation on behalf of this process. See ``PresentationBroker/cancel(_:)``.
  @discardableResult
  public nonisolated func cancel(_ id: PresentationID) async throws -> Presentation {
    let by = Presentation.Responder(process: process)
    return try await change(id) { .change($0, Verbs.Cancel(), by: by, isAdmin: true) }
  }

  /// Applies an input to an open presentation. Returns it once the result is recorded, without a sensitive answer.
  ///
  /// - Throws: ``RouterError`` with the reason for a rejection.
  package nonisolated func change(
    _ id: PresentationID, _ input: @escaping @Sendable (PresentationID) -> PresentationInput
  ) async throws -> Presentation {
    try await withCheckedThrowingContinuation { continuation in
      send { $0.change(id, input) { continuation.resume(with: $0.mapError { $0 }) } }
    }
  }

  /// Applies an input to an open presentation. `id` may be the id of a request that joined it.
  package func change(
    _ id: PresentationID, _ input: (PresentationID) -> PresentationInput, then completion: @escaping Completion
  ) {
    if let unavailable { return completion(.failure(unavailable)) }
    let id = waiters.resolve(id)
    let input = input(id).naming(grant: ids.next(at: clock.wall()))
    decide(.change(input)) { coordinator, result in
      switch result {
      case .success: coordinator.report(id, to: completion)
      case .failure(let error) where error.code == .notFound: coordinator.reportEnd(of: id, completion)
      case .failure(let error): completion(.failure(error))
      }
    }
  }

  /// Reports the state of a presentation after a recorded input.
  private func report(_ id: PresentationID, to completion: @escaping Completion) {
    if let presentation = committed[id]?.presentation ?? justEnded[id] { return completion(.success(snapshot(presentation))) }
    read(id) { _, result in
      completion(result.flatMap { $0.map { .success($0) } ?? .failure(RouterError(.notOpen, id: id)) })
    }
  }

  /// Reports the error for a presentation that is not open. First waits for pending commits, so that the log has the outcome.
  func reportEnd(of id: PresentationID, _ completion: @escaping Completion) {
    decide(.flush) { coordinator, result in
      guard case .success = result else { return completion(.failure(.logUnavailable)) }
      if coordinator.committed[id] != nil { return completion(.failure(RouterError(.notOpen, id: id))) }
      coordinator.read(id) { _, result in
        completion(result.flatMap { .failure(RouterError(.notOpen, id: id, outcome: $0?.outcome)) })
      }
    }
  }

  /// Reads a presentation from the log, off the coordinator's executor.
  func read(
    _ id: PresentationID,
    then body: @escaping @Sendable (isolated PresentationCoordinator, Result<Presentation?, RouterError>) -> Void
  ) {
    // Ends after one query.
    Task(executorPreference: executor) { [reader] in
      let result: Result<Presentation?, RouterError>
      do {
        result = .success(try await reader.presentation(id))
      } catch {
        result = .failure(RouterError(reading: error))
      }
      self.send { body($0, result) }
    }
  }
}

extension PresentationInput {
  /// Returns the input with this id for the grant that its answer creates, if any.
  fileprivate func naming(grant: @autoclosure () -> GrantID) -> PresentationInput {
    guard case .change(var change) = self, var answer = change.verb as? Verbs.Answer, answer.extra.remember != nil else {
      return self
    }
    answer.extra.remember?.id = grant()
    change.verb = answer
    return .change(change)
  }

  package init(_ id: PresentationID, generation: Int?, _ response: PresenterResponse, by resolver: Presentation.Responder) {
    self = .change(id, response.verb, generation: generation, by: resolver)
  }
}
