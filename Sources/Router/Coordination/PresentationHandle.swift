/// One request that was made: whether it was accepted, and how it ended.
public final class PresentationHandle: PresentationAsker {
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
    /// How many of those were resumed and have not run since.
    var receiving = 0
    /// Resumed when all of them have run.
    var untilReceived: [CheckedContinuation<Void, Never>] = []
    /// Whether somebody has had the end.
    var isRead = false
    /// Whether nobody is to have the answer.
    var isAnswerForgone = false
  }

  private let state = Mutex(State())
  private let tally: AnswerTally
  private let reportsDelivery: Bool
  private let takeBack: @Sendable () -> Void
  private let finishFlow: @Sendable () async throws -> Presentation
  private let answering: AsyncStream<PresentationAnswer>.Continuation

  /// Each answer that a flow's sheet is given, in order and none lost, from the first on, whenever they are read; they end
  /// with the presentation. Anything but a flow has none. One task at a time may read them.
  public let answers: AsyncStream<PresentationAnswer>

  /// - Parameters:
  ///   - takeBack: Takes the presentation away, whatever its state. It may be called more than once.
  ///   - finish: Resolves a flow's presentation as answered with its last answer; see ``finish()``.
  public convenience init(
    takeBack: @escaping @Sendable () -> Void,
    finish: @escaping @Sendable () async throws -> Presentation = {
      throw RouterError(.impossible, "cannot finish the presentation: it is not part of a flow")
    }
  ) {
    self.init(reportsDelivery: false, takeBack: takeBack, finish: finish)
  }

  /// - Parameter reportsDelivery: Whether the outcome has reached its requester when a waiter is resumed with it.
  init(
    reportsDelivery: Bool, takeBack: @escaping @Sendable () -> Void,
    finish: @escaping @Sendable () async throws -> Presentation
  ) {
    self.reportsDelivery = reportsDelivery
    self.takeBack = takeBack
    finishFlow = finish
    let (stream, continuation) = AsyncStream<PresentationAnswer>.makeStream()
    let tally = AnswerTally()
    answering = continuation
    self.tally = tally
    answers = AsyncStream {
      for await answer in stream {
        tally.take()
        return answer
      }
      return nil
    }
  }

  /// Ends a flow's presentation as answered with its last answer, and takes away what is stacked on it, the top first.
  ///
  /// - Returns: The presentation, when its end is on record.
  /// - Throws: ``RouterError`` if it has no answer yet, has ended, or is not part of a flow.
  public func finish() async throws -> Presentation {
    let presentation = try await finishFlow()
    // A sensitive answer is not in what this returns.
    if presentation.outcome != .answered(.redacted) { state.withLock { $0.isRead = true } }
    return presentation
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
  nonisolated(nonsending) public func resolved() async throws -> Presentation {
    var wasResumed = true
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if case .ended = state.phase { return true }
          state.untilEnded.append(continuation)
          return false
        }
        wasResumed = !isOver
        if isOver { continuation.resume() }
      }
    } onCancel: {
      cancel()
    }
    note(wasResumed: wasResumed)
    return try state.withLock { state in
      guard case .ended(let result) = state.phase else { preconditionFailure("a handle's waiter was resumed before the end") }
      return result
    }.get()
  }

  /// Waits for the end as ``resolved()`` does, and returns how it was.
  nonisolated(nonsending) public func outcome() async throws -> PresentationOutcome {
    guard let outcome = try await resolved().outcome else {
      throw RouterError(.unreachable, "cannot learn how the presentation ended")
    }
    return outcome
  }

  /// Takes note that somebody has the end now.
  private func note(wasResumed: Bool) {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.isRead = true
      if wasResumed { state.receiving -= 1 }
      guard state.receiving == 0 else { return [] }
      defer { state.untilReceived = [] }
      return state.untilReceived
    }
    for continuation in waiting { continuation.resume() }
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
    tally.give()
    answering.yield(answer)
  }

  package var followsPosition: Bool { false }

  package func tell(_ update: PresentationUpdate) {
    if case .answered(_, _, let answer) = update { self.answer(answer) }
  }

  /// The presentation has ended, or was refused. Only the first call counts.
  ///
  /// - Returns: Whether the outcome has reached its requester with this call.
  @discardableResult
  public func end(_ result: Result<Presentation, RouterError>) -> Bool {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      if case .ended = state.phase { return [] }
      state.phase = .ended(result)
      defer {
        state.untilAccepted = []
        state.untilEnded = []
      }
      state.receiving = state.untilEnded.count
      return state.untilAccepted + state.untilEnded
    }
    answering.finish()
    for continuation in waiting { continuation.resume() }
    return reportsDelivery && !waiting.isEmpty
  }

  // MARK: Who has had the end

  /// Waits until whoever was waiting for the end when it came has been resumed, on their own actor: from then on they run
  /// before anything else there.
  package func received() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        guard state.receiving > 0 else { return true }
        state.untilReceived.append(continuation)
        return false
      }
      if isOver { continuation.resume() }
    }
  }

  /// Says that the requester does not want the answer, as in the form of an action that does not wait.
  package func forgoAnswer() {
    state.withLock { $0.isAnswerForgone = true }
  }

  /// Whether the requester has said so.
  package var isAnswerForgone: Bool { state.withLock(\.isAnswerForgone) }

  /// Whether somebody is waiting for the end.
  package var isAwaited: Bool { state.withLock { !$0.untilEnded.isEmpty } }

  /// The presentation, as far as it is known here; `nil` before it is on record and where it was refused.
  package var presentation: Presentation? {
    switch state.withLock(\.phase) {
    case .asked: nil
    case .accepted(let presentation): presentation
    case .ended(let result): try? result.get()
    }
  }

  /// Whether there is an answer that somebody wanted and nobody has had. Whoever has had a flow's end as answered has had its
  /// last answer.
  package var hasUnreadAnswer: Bool {
    state.withLock { state in
      guard case .ended(.success(let presentation)) = state.phase, !state.isAnswerForgone else { return false }
      let (given, left) = tally.counts
      var unread = left
      if case .answered? = presentation.outcome {
        if given == 0 { unread = 1 }
        if state.isRead { unread -= 1 }
      }
      return unread > 0
    }
  }
}
