extension PresentationAsking {
  /// Shows a prompt while an operation runs, and removes it when the operation returns or throws. Requests of the operation are
  /// stacked on it.
  func during<Value: Sendable>(
    _ asked: PresentationRequest.Typed<Never>, options: PresentationOptions.Update,
    operation: @escaping @Sendable (@escaping @Sendable (Double, String?) -> Void) async throws -> Value
  ) async throws -> Value {
    let (broker, request) = try prepare(asked.what, options: options, request: asked.request)
    guard !Task.isCancelled else { throw NoAnswer.cancelled(.requester) }
    let handle = broker.submit(request)
    handle.forgoAnswer()
    let id = try await handle.accepted().id
    let inside = StackingBroker(broker: broker, surface: request.surface, parent: { id })
    let enclosing = EnclosingPresentation {
      handle.cancel()
      return try await handle.outcome()
    }
    // While a report is in transit, only the newest progress matters.
    let (reports, reported) = AsyncStream<(Double, String?)>.makeStream(bufferingPolicy: .bufferingNewest(1))
    async let _: Void = {
      for await (fraction, label) in reports {
        try? await broker.report(progress: min(1, max(0, fraction)), label: label, of: id)
      }
    }()
    defer { reported.finish() }
    // The result is `nil` if the presentation ended first.
    let (first, second) = await withTaskGroup(of: Result<Value, any Error>?.self) { group in
      group.addTask {
        _ = try? await handle.outcome()
        return nil
      }
      group.addTask {
        do {
          return .success(
            try await withEnvironment({ $0.enter(enclosing, asking: inside) }) {
              try await operation { reported.yield(($0, $1)) }
            })
        } catch {
          return .failure(error)
        }
      }
      let first = await group.next() ?? nil
      // Canceling the wait removes the presentation.
      group.cancelAll()
      return (first, await group.next() ?? nil)
    }
    guard let work = first ?? second else { preconditionFailure("the operation ends") }
    do {
      return try work.get()
    } catch let error where first == nil || error is CancellationError {
      // An answer to a sheet without an answer type closes it.
      throw NoAnswer(try await handle.outcome()) ?? NoAnswer.dismissed
    }
  }
}
