/// A screen to show and a closure for its answers: `proxy.show(Payment()).then { payment, screen in … }`.
///
/// Nodes compose: ``map(_:)`` changes the answer, and ``flatMap(_:)`` adds a screen after the first.
public struct NavigationNode<Answer: Sendable>: Sendable {
  typealias Body = @Sendable (Answer, FlowScreen) async throws -> Void

  /// Shows the screen on top of the stack or in place of the top one, and runs a closure on each answer.
  let run: @Sendable (_ replacingTop: Bool, @escaping Body) async throws -> Result<Answer, NoAnswer>

  init(_ sheet: PresentationRequest.Typed<Answer>, on stack: ScreenStack) {
    self.init { replacingTop, body in
      guard let screen = await stack.push(sheet, replacingTop: replacingTop) else {
        return .failure(
          stack.failure.map { .failed($0.message) } ?? .cancelled(Task.isCancelled ? .requester : .parentEnded))
      }
      return try await ScreenRun(stack: stack, screen: screen, sheet: sheet, body: body).result().get().result
    }
  }

  private init(run: @escaping @Sendable (Bool, @escaping Body) async throws -> Result<Answer, NoAnswer>) {
    self.run = run
  }

  /// Returns a node with a transformed answer.
  public func map<NewAnswer: Sendable>(_ transform: @escaping @Sendable (Answer) -> NewAnswer) -> NavigationNode<NewAnswer> {
    NavigationNode<NewAnswer> { replacingTop, body in
      try await run(replacingTop) { answer, screen in try await body(transform(answer), screen) }.map(transform)
    }
  }

  /// Returns a node that shows another screen after each answer to this one, and has that screen's answer. Its closure gets the
  /// screen that was answered last.
  public func flatMap<NewAnswer: Sendable>(
    _ next: @escaping @Sendable (Answer) -> NavigationNode<NewAnswer>
  ) -> NavigationNode<NewAnswer> {
    NavigationNode<NewAnswer> { replacingTop, body in
      let last = Mutex<NewAnswer?>(nil)
      let result = try await run(replacingTop) { answer, _ in
        _ = try await next(answer).run(false) { answer, screen in
          last.withLock { $0 = answer }
          try await body(answer, screen)
        }
      }
      return result.flatMap { _ in last.withLock(\.self).map { .success($0) } ?? .failure(.dismissed) }
    }
  }

  /// Shows the screen on top of the flow, runs the closure on each answer, and returns when both are done.
  ///
  /// The person may go back and answer again; a closure that is still running is then canceled and awaited first. Canceling the
  /// task removes the screen and the screens above it. Nothing is shown in a canceled task or after the end of the flow.
  ///
  /// - Returns: The last answer, once the screen was finished with its flow; `dismissed` if the person went back, `cancelled`
  ///   if the screen was popped or its flow ended.
  /// - Throws: The closure's error, once the screen is gone. An uncaught error ends the flow.
  @discardableResult
  public func then<Failure: Error>(
    @_inheritActorContext _ body: @escaping @Sendable (Answer, FlowScreen) async throws(Failure) -> Void
  ) async throws(Failure) -> Result<Answer, NoAnswer> {
    try await show(replacingTop: false, body)
  }

  /// Shows the screen on top of the flow, like `then`, for a closure that does not need the screen.
  @discardableResult
  public func then<Failure: Error>(
    @_inheritActorContext _ body: @escaping @Sendable (Answer) async throws(Failure) -> Void
  ) async throws(Failure) -> Result<Answer, NoAnswer> {
    try await show(replacingTop: false) { (answer, _) async throws(Failure) in try await body(answer) }
  }

  /// Shows the screen like `then`, replacing the top screen unless that is the root. The replaced screen's closure continues if
  /// it encloses the caller; otherwise it is canceled.
  @discardableResult
  public func thenReplacingTop<Failure: Error>(
    @_inheritActorContext _ body: @escaping @Sendable (Answer, FlowScreen) async throws(Failure) -> Void
  ) async throws(Failure) -> Result<Answer, NoAnswer> {
    try await show(replacingTop: true, body)
  }

  /// Shows the screen in place of the top one, for a closure that does not need the screen.
  @discardableResult
  public func thenReplacingTop<Failure: Error>(
    @_inheritActorContext _ body: @escaping @Sendable (Answer) async throws(Failure) -> Void
  ) async throws(Failure) -> Result<Answer, NoAnswer> {
    try await show(replacingTop: true) { (answer, _) async throws(Failure) in try await body(answer) }
  }

  private func show<Failure: Error>(
    replacingTop: Bool, _ body: @escaping @Sendable (Answer, FlowScreen) async throws(Failure) -> Void
  ) async throws(Failure) -> Result<Answer, NoAnswer> {
    let thrown = Mutex<Failure?>(nil)
    do {
      return try await run(replacingTop) { answer, screen in
        do throws(Failure) {
          try await body(answer, screen)
        } catch {
          // Discards the error of a canceled closure.
          if !Task.isCancelled { thrown.withLock { $0 = error } }
          throw error
        }
      }
    } catch {
      guard let failure = thrown.withLock(\.self) else { return .failure(.failed(String(describing: error))) }
      throw failure
    }
  }
}
