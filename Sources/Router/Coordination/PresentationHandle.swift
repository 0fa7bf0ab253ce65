/// A handle for one request, which returns its acceptance and its outcome.
public final class PresentationHandle: PresentationAsker {
  private enum Phase {
    case asked
    case accepted(Presentation)
    case ended(Result<Presentation, RouterError>)
  }

  private enum Milestone {
    case accepted
    /// A task is waiting for the end, or the presentation has ended.
    case awaited
    case ended
    /// The presentation has ended, for a waiter that leaves the outcome unread.
    case over
    /// The resumed waiters for the end have run.
    case received
  }

  private struct State {
    var phase = Phase.asked
    var waiters: [(milestone: Milestone, continuation: CheckedContinuation<Void, Never>)] = []
    /// The number of resumed waiters that have not run yet.
    var receiving = 0
    var isRead = false
    var isAnswerForgone = false
    /// The numbers of answers given to a flow's presentation and read by the requester.
    var (given, taken) = (0, 0)

    func hasReached(_ milestone: Milestone) -> Bool {
      switch (milestone, phase) {
      case (.accepted, .asked), (.ended, .asked), (.ended, .accepted), (.over, .asked), (.over, .accepted): false
      case (.accepted, _), (.awaited, .ended), (.ended, .ended), (.over, .ended): true
      case (.awaited, _): waiters.contains { $0.milestone == .ended }
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
  private let withdraw: @Sendable () -> Void
  private let finishFlow: @Sendable () async throws -> Presentation
  private let (stream, answering) = AsyncStream<PresentationAnswer>.makeStream()
  /// The numbers of approvals given and needed, after each approval of a request with several approvers.
  package let approvals: AsyncStream<(have: Int, need: Int)>
  private let approving: AsyncStream<(have: Int, need: Int)>.Continuation

  /// The answers to a flow's presentation, in order from the first; finishes when the presentation ends. Empty unless the
  /// request is a flow. Only one task may read it at a time.
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
  ///   - reportsDelivery: Whether resuming a waiter delivers the outcome to the requester.
  ///   - withdraw: Cancels the presentation in any state; may be called more than once.
  ///   - finish: Finishes a flow's presentation; see ``finish()``.
  package init(
    reportsDelivery: Bool = false, withdraw: @escaping @Sendable () -> Void,
    finish: @escaping @Sendable () async throws -> Presentation = {
      throw RouterError(.impossible, "cannot finish the prompt: it is not part of a flow")
    }
  ) {
    self.reportsDelivery = reportsDelivery
    self.withdraw = withdraw
    finishFlow = finish
    (approvals, approving) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
  }

  package func approved(_ have: Int, of need: Int) { approving.yield((have, need)) }

  /// Finishes a flow's presentation with its last answer, and ends the presentations stacked on it. Returns it once the end is
  /// recorded.
  ///
  /// - Throws: ``RouterError`` if it has no answer yet, has ended, or does not belong to a flow.
  public func finish() async throws -> Presentation {
    let presentation = try await finishFlow()
    // The returned presentation does not contain a sensitive answer.
    if presentation.outcome != .answered(.redacted) { state.withLock { $0.isRead = true } }
    return presentation
  }

  /// Cancels the presentation, which ends as cancelled with the reason `requester` unless it has already ended.
  public func cancel() {
    withdraw()
  }

  /// Waits until the request is recorded; throws ``RouterError`` if it was refused. Canceling the task does not interrupt this
  /// short wait.
  public func accepted() async throws -> Presentation {
    await wait(for: .accepted)
    switch state.withLock(\.phase) {
    case .asked: preconditionFailure("a handle's waiter was resumed before anything was known")
    case .accepted(let presentation): return presentation
    case .ended(let result): return try result.get()
    }
  }

  /// Waits until the presentation has ended, and returns it. Canceling the task cancels the presentation and waits for its end.
  ///
  /// - Throws: ``RouterError`` if the request was refused or its outcome is unknown.
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

  /// Waits for the end, like ``resolved()``, and returns the outcome.
  nonisolated(nonsending) public func outcome() async throws -> PresentationOutcome {
    guard let outcome = try await resolved().outcome else {
      throw RouterError(.unreachable, "cannot determine how the prompt ended")
    }
    return outcome
  }

  /// Waits for a milestone. Returns false if it was already reached.
  @discardableResult
  nonisolated(nonsending) private func wait(for milestone: Milestone) async -> Bool {
    var mustWait = false
    await withCheckedContinuation { continuation in
      let ready = state.withLock { state -> [CheckedContinuation<Void, Never>] in
        mustWait = !state.hasReached(milestone)
        guard mustWait else { return [continuation] }
        state.waiters.append((milestone, continuation))
        return state.takeReady()
      }
      for continuation in ready { continuation.resume() }
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

  // MARK: For brokers

  /// Reports that the request is recorded.
  package func accept(_ presentation: Presentation) {
    update { state in
      if case .asked = state.phase { state.phase = .accepted(presentation) }
    }
  }

  /// Reports an answer to a flow's presentation, which stays open.
  package func answer(_ answer: PresentationAnswer) {
    state.withLock { $0.given += 1 }
    answering.yield(answer)
  }

  package var followsPosition: Bool { false }

  package func tell(_ update: PresentationUpdate) {
    switch update {
    case .answered(_, _, let answer): self.answer(answer)
    case .approved(_, let have, let need): approved(have, of: need)
    case .queued, .presented: break
    }
  }

  /// Ends the handle; only the first call counts. Returns whether this call delivered the outcome to the requester.
  @discardableResult
  package func end(_ result: Result<Presentation, RouterError>) -> Bool {
    let ready = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      if case .ended = state.phase { return [] }
      state.phase = .ended(result)
      state.receiving = state.waiters.count { $0.milestone == .ended }
      return state.takeReady()
    }
    answering.finish()
    approving.finish()
    for continuation in ready { continuation.resume() }
    return reportsDelivery && !ready.isEmpty
  }

  // MARK: Delivery

  /// Returns once a task waits for the end, or the presentation has ended.
  package func awaited() async { await wait(for: .awaited) }

  /// Waits until the presentation has ended, leaving its answer unread.
  package func ended() async { await wait(for: .over) }

  /// Waits until all waiters for the end have run on their actors.
  package func received() async { await wait(for: .received) }

  /// Marks the answer as unwanted, for an action that does not wait.
  package func forgoAnswer() {
    state.withLock { $0.isAnswerForgone = true }
  }

  package var isAnswerForgone: Bool { state.withLock(\.isAnswerForgone) }

  package var hasEnded: Bool { state.withLock { $0.hasReached(.ended) } }

  /// The last known state; `nil` before the request is recorded, or if it was refused.
  package var presentation: Presentation? {
    switch state.withLock(\.phase) {
    case .asked: nil
    case .accepted(let presentation): presentation
    case .ended(let result): try? result.get()
    }
  }

  /// Whether there is an unread answer that the requester did not opt out of.
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
