/// A screen to show and a closure for its answers: `proxy.show(Payment()).then { payment, screen in … }`.
///
/// Nodes compose: ``map(_:)`` changes the answer, and ``flatMap(_:)`` puts another screen after the first.
public struct NavigationNode<Answer: Sendable>: Sendable {
  typealias Body = @Sendable (Answer, FlowScreen) async throws -> Void

  /// Shows the screen, in place of the top one or on top of it, and runs a closure on each answer.
  let run: @Sendable (_ replacingTop: Bool, @escaping Body) async throws -> ShowOutcome<Answer>

  init(_ sheet: PresentationRequest.Typed<Answer>, on stack: ScreenStack) {
    self.init { replacingTop, body in
      guard let screen = await stack.push(sheet, replacingTop: replacingTop) else {
        return stack.failure.map { .failed($0.message) } ?? .cancelled(Task.isCancelled ? .requester : .parentEnded)
      }
      return try await ScreenRun(stack: stack, screen: screen, sheet: sheet, body: body).result().get().outcome
    }
  }

  private init(run: @escaping @Sendable (Bool, @escaping Body) async throws -> ShowOutcome<Answer>) {
    self.run = run
  }

  /// The same screen with its answer changed.
  public func map<NewAnswer: Sendable>(_ transform: @escaping @Sendable (Answer) -> NewAnswer) -> NavigationNode<NewAnswer> {
    NavigationNode<NewAnswer> { replacingTop, body in
      try await run(replacingTop) { answer, screen in try await body(transform(answer), screen) }.compactMap(transform)
    }
  }

  /// This screen and, for each of its answers, another on top of it, whose answer is the node's. Its closure gets the screen
  /// that was answered last.
  public func flatMap<NewAnswer: Sendable>(
    _ next: @escaping @Sendable (Answer) -> NavigationNode<NewAnswer>
  ) -> NavigationNode<NewAnswer> {
    NavigationNode<NewAnswer> { replacingTop, body in
      let last = Mutex<NewAnswer?>(nil)
      let outcome = try await run(replacingTop) { answer, _ in
        _ = try await next(answer).run(false) { answer, screen in
          last.withLock { $0 = answer }
          try await body(answer, screen)
        }
      }
      return outcome.compactMap { _ in last.withLock(\.self) }
    }
  }

  /// Shows the screen on top of the flow, runs the closure on each answer, and returns when both are done.
  ///
  /// The person may come back and answer again; a closure that is still running is then canceled and awaited first. Canceling
  /// the task removes the screen and those above it. Nothing is shown in a canceled task or after the end of the flow.
  ///
  /// - Returns: `dismissed` if the person went back, `cancelled` if the screen was popped or its flow ended.
  /// - Throws: What the closure throws, once the screen is gone. An uncaught error ends the flow.
  @discardableResult
  public func then<Failure: Error>(
    _ body: @escaping @Sendable (Answer, FlowScreen) async throws(Failure) -> Void
  ) async throws(Failure) -> ShowOutcome<Answer> {
    try await show(replacingTop: false, body)
  }

  /// Shows the screen as ``then(_:)`` does, replacing the top screen unless that is the root. The replaced screen's closure
  /// continues if it encloses the caller; otherwise it is canceled.
  @discardableResult
  public func thenReplacingTop<Failure: Error>(
    _ body: @escaping @Sendable (Answer, FlowScreen) async throws(Failure) -> Void
  ) async throws(Failure) -> ShowOutcome<Answer> {
    try await show(replacingTop: true, body)
  }

  private func show<Failure: Error>(
    replacingTop: Bool, _ body: @escaping @Sendable (Answer, FlowScreen) async throws(Failure) -> Void
  ) async throws(Failure) -> ShowOutcome<Answer> {
    let thrown = Mutex<Failure?>(nil)
    do {
      return try await run(replacingTop) { answer, screen in
        do throws(Failure) {
          try await body(answer, screen)
        } catch {
          // What a canceled closure throws is dropped.
          if !Task.isCancelled { thrown.withLock { $0 = error } }
          throw error
        }
      }
    } catch {
      guard let failure = thrown.withLock(\.self) else { return .failed(String(describing: error)) }
      throw failure
    }
  }
}
