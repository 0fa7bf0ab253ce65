/// A screen to show and a closure for its answers: `proxy.show(Payment()).then { payment, screen in … }`.
public struct NavigationNode<Answer: Sendable>: Sendable {
  let stack: ScreenStack
  let sheet: TypedRequest<Answer>

  /// Shows the screen on top of the flow, runs the closure on each answer, and returns when both are done.
  ///
  /// The person may come back and answer again; a closure that is still running is then canceled and awaited first. Canceling
  /// the task removes the screen and those above it. Nothing is shown in a canceled task or after the end of the flow.
  ///
  /// - Returns: `dismissed` if the person went back, `cancelled` if the screen was popped or its flow ended.
  /// - Throws: What the closure throws, once the screen is gone. An uncaught error ends the flow.
  @discardableResult
  public func then<Failure: Error>(
    _ body: @escaping @Sendable (Answer, NavigationScreen) async throws(Failure) -> Void
  ) async throws(Failure) -> ShowOutcome<Answer> {
    try await show(replacingTop: false, body)
  }

  /// Shows the screen as ``then(_:)`` does, replacing the top screen unless that is the root. The replaced screen's closure
  /// continues if it encloses the caller; otherwise it is canceled.
  @discardableResult
  public func thenReplacingTop<Failure: Error>(
    _ body: @escaping @Sendable (Answer, NavigationScreen) async throws(Failure) -> Void
  ) async throws(Failure) -> ShowOutcome<Answer> {
    try await show(replacingTop: true, body)
  }

  private func show<Failure: Error>(
    replacingTop: Bool, _ body: @escaping @Sendable (Answer, NavigationScreen) async throws(Failure) -> Void
  ) async throws(Failure) -> ShowOutcome<Answer> {
    guard let screen = await stack.push(sheet, replacingTop: replacingTop) else {
      return stack.failure.map { .failed($0.message) } ?? .cancelled(Task.isCancelled ? .requester : .parentEnded)
    }
    return try await ScreenRun(stack: stack, screen: screen, sheet: sheet, body: body).result().get().outcome
  }
}

/// A screen of a flow, to return to with ``NavigationProxy/pop(to:)``.
public struct NavigationScreen: Sendable, Hashable {
  let screen: FlowScreen

  public static func == (left: NavigationScreen, right: NavigationScreen) -> Bool {
    left.screen === right.screen
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(screen))
  }
}
