/// Acting on what is open.
extension PresentationCoordinator {
  /// A presenter brings what the person did.
  ///
  /// - Parameters:
  ///   - id: What it was done with.
  ///   - generation: The showing that it was done on; `nil` is the present one.
  ///   - response: What the person did.
  ///   - resolver: Who brings it.
  /// - Returns: The presentation, when its outcome is on record.
  /// - Throws: ``RouterError`` if it does not count, and why.
  public nonisolated func respond(
    to id: PresentationID, generation: Int?, with response: PresenterResponse, by resolver: Resolver
  ) async throws -> Presentation {
    switch response {
    case .answer(let answer): try await change(id) { .answer($0, generation: generation, answer, by: resolver) }
    case .dismiss: try await change(id) { .dismiss($0, generation: generation, by: resolver) }
    }
  }

  /// A presenter cannot show it.
  public nonisolated func fail(
    _ id: PresentationID, generation: Int?, detail: String, by resolver: Resolver
  ) async throws -> Presentation {
    try await change(id) { .fail($0, generation: generation, detail: detail, by: resolver) }
  }

  /// Lets an attached request go on without its connection, for good.
  ///
  /// - Returns: The presentation, when that is on record.
  public nonisolated func detach(_ id: PresentationID) async throws -> Presentation {
    try await change(id) { .detach($0) }
  }

  /// Takes a presentation back, for its requester (the same uid) or an administrator.
  public nonisolated func cancel(
    _ id: PresentationID, by resolver: Resolver, isAdmin: Bool = false
  ) async throws -> Presentation {
    try await change(id) { .cancel($0, by: resolver, isAdmin: isAdmin) }
  }

  /// Ends a flow, or a screen of it, as answered with its last answer, for its requester (the same uid) or an administrator.
  /// What is stacked on it ends first.
  ///
  /// - Returns: The presentation, when that is on record; a sensitive answer is left out.
  /// - Throws: ``RouterError``: `notAnswered` if it has no answer yet, `impossible` if it is not part of a flow.
  public nonisolated func finish(
    _ id: PresentationID, by resolver: Resolver, isAdmin: Bool = false
  ) async throws -> Presentation {
    try await change(id) { .finish($0, by: resolver, isAdmin: isAdmin) }
  }

  /// Decides an input about an open presentation, and waits until that is on record.
  private nonisolated func change(
    _ id: PresentationID, _ input: @escaping @Sendable (PresentationID) -> PresentationInput
  ) async throws -> Presentation {
    let handle = PresentationHandle(takeBack: {})
    send { coordinator in
      let id = coordinator.waiters.resolve(id)
      coordinator.change(id, input(id), for: handle)
    }
    return try await handle.resolved()
  }

  private func change(_ id: PresentationID, _ input: PresentationInput, for handle: PresentationHandle) {
    guard isWritable(for: handle) else { return }
    let moment = now
    expire(at: moment)
    do {
      let events = try surfaces.handle(input, at: moment)
      // As this decision leaves it, whatever is decided before it is on record.
      guard let presentation = surfaces.entry(id)?.presentation ?? surfaces.ended[id] else {
        return refuse(handle, id, .notOpen)
      }
      submit(events, at: moment.boot) { coordinator, result in
        handle.end(result.map { coordinator.snapshot(presentation) })
      }
    } catch {
      refuse(handle, id, error)
    }
  }

  /// Says why something cannot be done to a presentation.
  func refuse(_ handle: PresentationHandle, _ id: PresentationID, _ rejection: PresentationRejection) {
    guard rejection == .notOpen, surfaces.entry(id) == nil else {
      return handle.end(.failure(RouterError(rejection, id: id)))
    }
    // It may have ended. Nobody hears of that before it is on record, and then the record knows how.
    afterRecord { coordinator, result in
      guard case .success = result else { return handle.end(.failure(.logUnavailable)) }
      // Ends with the one look into it.
      Task { [reader = coordinator.reader] in
        do {
          let outcome = try await reader.presentation(id)?.outcome
          handle.end(.failure(RouterError(rejection, id: id, outcome: outcome)))
        } catch {
          handle.end(.failure(RouterError(reading: error)))
        }
      }
    }
  }
}
