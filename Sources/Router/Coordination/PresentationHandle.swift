/// One request that was made: whether it was accepted, and how it ended.
public final class PresentationHandle: PresentationAsker {
  private enum Phase {
    case asked
    case accepted(Presentation)
    case ended(Result<Presentation, RouterError>)
  }

  private enum Milestone {
    case accepted
    case ended
    /// Whoever waited for the end has run since.
    case received
  }

  private struct State {
    var phase = Phase.asked
    var waiters: [(milestone: Milestone, continuation: CheckedContinuation<Void, Never>)] = []
    /// How many that waited for the end were resumed and have not run since.
    var receiving = 0
    var isRead = false
    var isAnswerForgone = false
    /// How many answers a flow's sheet was given, and how many of them were read.
    var (given, taken) = (0, 0)

    func hasReached(_ milestone: Milestone) -> Bool {
      switch (milestone, phase) {
      case (.accepted, .asked), (.ended, .asked), (.ended, .accepted): false
      case (.accepted, _), (.ended, .ended): true
      case (.received, _): receiving == 0
      }
    }

    mutating func takeReady() -> [CheckedContinuation<Void, Never>] {
      let all = waiters
      waiters = all.filter { !hasReached($0.milestone) }
      return all.filter { hasReached($0.milestone) }.map(\.continuation)
    }
  }

  private let state = Mutex(State())
  private let reportsDelivery: Bool
  private let takeBack: @Sendable () -> Void
  private let finishFlow: @Sendable () async throws -> Presentation
  private let (stream, answering) = AsyncStream<PresentationAnswer>.makeStream()

  /// Each answer that a flow's sheet is given, in order from the first, whenever they are read. They end with the
  /// presentation. Anything but a flow has none. One task at a time may read them.
  public var answers: AsyncStream<PresentationAnswer> {
    AsyncStream {
      for await answer in self.stream {
        self.state.withLock { $0.taken += 1 }
        return answer
      }
      return nil
    }
  }

  /// - Parameters:
  ///   - takeBack: Cancels the presentation, whatever its state; may be called more than once.
  ///   - finish: Ends a flow's presentation; see ``finish()``.
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
  }

  /// Ends a flow's presentation as answered with its last answer, and what is stacked on it. Returns it when that is on record.
  ///
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

  /// Waits until the request is on record; throws ``RouterError`` if it was refused. Cancellation does not end the short wait.
  public func accepted() async throws -> Presentation {
    await wait(for: .accepted)
    switch state.withLock(\.phase) {
    case .asked: preconditionFailure("a handle's waiter was resumed before anything was known")
    case .accepted(let presentation): return presentation
    case .ended(let result): return try result.get()
    }
  }

  /// Waits until the presentation has ended, and returns it. Canceling the task cancels the presentation, and waits for that.
  ///
  /// - Throws: ``RouterError`` if it was refused, or if its outcome cannot be known.
  nonisolated(nonsending) public func resolved() async throws -> Presentation {
    let wasResumed = await withTaskCancellationHandler {
      await wait(for: .ended)
    } onCancel: {
      cancel()
    }
    update { state in
      state.isRead = true
      if wasResumed { state.receiving -= 1 }
    }
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

  /// Waits for a milestone, and returns whether it was not reached yet.
  @discardableResult
  nonisolated(nonsending) private func wait(for milestone: Milestone) async -> Bool {
    var mustWait = false
    await withCheckedContinuation { continuation in
      mustWait = state.withLock { state in
        guard !state.hasReached(milestone) else { return false }
        state.waiters.append((milestone, continuation))
        return true
      }
      if !mustWait { continuation.resume() }
    }
    return mustWait
  }

  private func update(_ body: (inout State) -> Void) {
    let ready = state.withLock { state in
      body(&state)
      return state.takeReady()
    }
    for continuation in ready { continuation.resume() }
  }

  // MARK: For whoever takes the request

  /// The request is on record.
  public func accept(_ presentation: Presentation) {
    update { state in
      if case .asked = state.phase { state.phase = .accepted(presentation) }
    }
  }

  /// A flow's sheet was answered, and stays.
  public func answer(_ answer: PresentationAnswer) {
    state.withLock { $0.given += 1 }
    answering.yield(answer)
  }

  package var followsPosition: Bool { false }

  package func tell(_ update: PresentationUpdate) {
    if case .answered(_, _, let answer) = update { self.answer(answer) }
  }

  /// Ends the handle. Only the first call counts. Returns whether the outcome has reached its requester with this call.
  @discardableResult
  public func end(_ result: Result<Presentation, RouterError>) -> Bool {
    let ready = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      if case .ended = state.phase { return [] }
      state.phase = .ended(result)
      state.receiving = state.waiters.count { $0.milestone == .ended }
      return state.takeReady()
    }
    answering.finish()
    for continuation in ready { continuation.resume() }
    return reportsDelivery && !ready.isEmpty
  }

  // MARK: Who has had the end

  /// Waits until everyone who waited for the end has been resumed on their own actor.
  package func received() async { await wait(for: .received) }

  /// Says that the requester does not want the answer, as in the form of an action that does not wait.
  package func forgoAnswer() {
    state.withLock { $0.isAnswerForgone = true }
  }

  package var isAnswerForgone: Bool { state.withLock(\.isAnswerForgone) }

  package var isAwaited: Bool { state.withLock { $0.waiters.contains { $0.milestone == .ended } } }

  /// The presentation, as far as it is known here; `nil` before it is on record and where it was refused.
  package var presentation: Presentation? {
    switch state.withLock(\.phase) {
    case .asked: nil
    case .accepted(let presentation): presentation
    case .ended(let result): try? result.get()
    }
  }

  /// Whether an answer that somebody wanted was never read.
  package var hasUnreadAnswer: Bool {
    state.withLock { state in
      guard case .ended(.success(let presentation)) = state.phase, !state.isAnswerForgone else { return false }
      var unread = state.given - state.taken
      if case .answered? = presentation.outcome {
        if state.given == 0 { unread = 1 }
        if state.isRead { unread -= 1 }
      }
      return unread > 0
    }
  }
}
