import Router

extension PresentationCoordinator {
  /// Waits until everything sent to the coordinator so far has been decided. Does not wait for the log.
  func turn() {}

  /// Decides on an input before it returns. Its result comes with the commit.
  func deciding(_ input: PresentationInput, on id: PresentationID) -> Decided {
    let (results, result) = AsyncStream<Result<Presentation, RouterError>>.makeStream()
    enter { coordinator in
      coordinator.change(id) { _ in
        input
      } then: {
        result.yield($0)
        result.finish()
      }
    }
    return Decided(results: results)
  }

  /// Decides on pressing a button before it returns.
  func pressing(_ button: String, on shown: Presentation) -> Decided {
    let by = Presentation.Responder(process: .current)
    return deciding(
      .change(shown.id, Verbs.Answer(.button(button)), generation: shown.generation, by: by), on: shown.id)
  }
}

/// The result of an input that has been decided on, and may not be committed yet.
struct Decided: Sendable {
  fileprivate let results: AsyncStream<Result<Presentation, RouterError>>

  /// Waits until it is committed. May be called once.
  func value() async throws -> Presentation {
    for await result in results { return try result.get() }
    throw CancellationError()
  }
}
