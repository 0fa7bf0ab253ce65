extension PresentationAsking {
  /// Shows a presentation while an operation runs, and removes it when the operation has returned or thrown.
  func during<Value: Sendable>(
    _ asked: TypedRequest<Never>, options: PresentationOptions?, operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let (broker, request) = try prepare(asked.what, options: options, request: asked.request)
    guard !Task.isCancelled else { throw PresentationCancellation(reason: .cancelled(.requester)) }
    let handle = broker.submit(request)
    handle.forgoAnswer()
    _ = try await handle.accepted()
    let enclosing = EnclosingPresentation {
      handle.cancel()
      return try await handle.outcome()
    }
    // A result is `nil` if it is the end of the presentation.
    let (first, second) = await withTaskGroup(of: Result<Value, any Error>?.self) { group in
      group.addTask {
        _ = try? await handle.outcome()
        return nil
      }
      group.addTask {
        do {
          return .success(try await withEnvironment(\.enclosingPresentation, enclosing, operation: operation))
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
      throw PresentationCancellation(try await handle.outcome()) ?? PresentationCancellation(reason: .dismissed)
    }
  }
}
