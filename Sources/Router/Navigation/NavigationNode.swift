/// A screen that is to be shown, and what happens with its answers: `proxy.show(Payment()).then { payment, screen in … }`.
public struct NavigationNode<Answer: Sendable>: Sendable {
  let stack: ScreenStack
  let sheet: ScreenSheet<Answer>

  /// Shows the screen on top of the flow, runs the closure on each answer, and returns when the screen is gone and the closure
  /// has returned.
  ///
  /// The screen stays after an answer, so that the person may come back to it and answer again; a closure that still runs
  /// then is cancelled and awaited before the next one starts. An answer that comes before anyone listens waits. Cancelling the
  /// task takes away the screen and what is above it, and waits for it. In a task that is cancelled already, and in a flow that
  /// has ended, nothing is shown.
  ///
  /// - Parameter body: Runs with each answer and with the screen, to which ``NavigationProxy/pop(to:)`` goes back.
  /// - Returns: How the screen ended: `dismissed` if the person went back from it, `cancelled` if it was popped or its flow
  ///   ended. A screen that could not be asked for ends the flow as failed.
  /// - Throws: What the closure throws, when the screen is gone. It ends the flow unless it is caught around this. What a
  ///   cancelled closure throws is dropped.
  @discardableResult
  public func then<Failure: Error>(
    _ body: @escaping @Sendable (Answer, NavigationScreen) async throws(Failure) -> Void
  ) async throws(Failure) -> ShowOutcome<Answer> {
    try await show(replacingTop: false, body)
  }

  /// Does what ``then(_:)`` does, with the screen in the place of the top one, which ends as superseded; from here the person
  /// goes back to what was below it. The root is not replaced: on it the screen is shown as with ``then(_:)``.
  ///
  /// The replaced screen's closure goes on if it encloses the caller; else it is cancelled.
  ///
  /// - Parameter body: Runs with each answer and with the screen.
  /// - Returns: How the screen ended.
  /// - Throws: What the closure throws, when the screen is gone.
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

/// A screen of a flow, to go back to with ``NavigationProxy/pop(to:)``.
public struct NavigationScreen: Sendable, Hashable {
  let screen: FlowScreen

  public static func == (left: NavigationScreen, right: NavigationScreen) -> Bool {
    left.screen === right.screen
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(screen))
  }
}
