/// One request that was made: whether it was accepted, and how it ended.
public final class PresentationHandle: Sendable {
  private enum Phase {
    case asked
    case accepted(Presentation)
    case ended(Result<Presentation, RouterError>)
  }

  private struct State {
    var phase = Phase.asked
    /// Resumed when the phase is not `asked` any more.
    var untilAccepted: [CheckedContinuation<Void, Never>] = []
    /// Resumed when the phase is `ended`.
    var untilEnded: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let takeBack: @Sendable () -> Void
  private let finishFlow: @Sendable () async throws -> Presentation
  private let answering: AsyncStream<PresentationAnswer>.Continuation

  /// Each answer that a flow's sheet is given, in order and none lost, from the first on, whenever they are read; they end
  /// with the presentation. Anything but a flow has none. One task at a time may read them.
  public let answers: AsyncStream<PresentationAnswer>

  /// - Parameters:
  ///   - takeBack: Takes the presentation away, whatever its state. It may be called more than once.
  ///   - finish: Resolves a flow's presentation as answered with its last answer; see ``finish()``.
  public init(
    takeBack: @escaping @Sendable () -> Void,
    finish: @escaping @Sendable () async throws -> Presentation = {
      throw RouterError(.impossible, "cannot finish the presentation: it is not part of a flow")
    }
  ) {
    self.takeBack = takeBack
    finishFlow = finish
    (answers, answering) = AsyncStream.makeStream()
  }

  /// Ends a flow's presentation as answered with its last answer, and takes away what is stacked on it, the top first.
  ///
  /// - Returns: The presentation, when its end is on record.
  /// - Throws: ``RouterError`` if it has no answer yet, has ended, or is not part of a flow.
  public func finish() async throws -> Presentation {
    try await finishFlow()
  }

  /// Takes the presentation away; it ends as cancelled, requester, unless it has ended before.
  public func cancel() {
    takeBack()
  }

  /// Waits until the request is on record. Cancelling the task does not end the wait, which is short.
  ///
  /// - Throws: ``RouterError`` if it was refused.
  public func accepted() async throws -> Presentation {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if case .asked = state.phase {
          state.untilAccepted.append(continuation)
          return false
        }
        return true
      }
      if isOver { continuation.resume() }
    }
    switch state.withLock(\.phase) {
    case .asked: preconditionFailure("a handle's waiter was resumed before anything was known")
    case .accepted(let presentation): return presentation
    case .ended(let result): return try result.get()
    }
  }

  /// Waits until the presentation has ended. Cancelling the task takes it away, and waits until it is.
  ///
  /// - Returns: The presentation with its outcome.
  /// - Throws: ``RouterError`` if it was refused, or if the outcome cannot be had.
  public func resolved() async throws -> Presentation {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if case .ended = state.phase { return true }
          state.untilEnded.append(continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      cancel()
    }
    guard case .ended(let result) = state.withLock(\.phase) else {
      preconditionFailure("a handle's waiter was resumed before the end")
    }
    return try result.get()
  }

  // MARK: For whoever takes the request

  /// The request is on record.
  public func accept(_ presentation: Presentation) {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard case .asked = state.phase else { return [] }
      state.phase = .accepted(presentation)
      defer { state.untilAccepted = [] }
      return state.untilAccepted
    }
    for continuation in waiting { continuation.resume() }
  }

  /// A flow's sheet was answered, and stays.
  public func answer(_ answer: PresentationAnswer) {
    answering.yield(answer)
  }

  /// The presentation has ended, or was refused. Only the first call counts.
  public func end(_ result: Result<Presentation, RouterError>) {
    _ = deliver(result)
  }

  /// Does what ``end(_:)`` does, and says whether somebody was waiting for it.
  func deliver(_ result: Result<Presentation, RouterError>) -> Bool {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      if case .ended = state.phase { return [] }
      state.phase = .ended(result)
      defer {
        state.untilAccepted = []
        state.untilEnded = []
      }
      return state.untilAccepted + state.untilEnded
    }
    answering.finish()
    for continuation in waiting { continuation.resume() }
    return !waiting.isEmpty
  }
}
