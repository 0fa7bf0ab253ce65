import Logging

extension ScreenStack {
  /// Runs a flow until all of it has ended and its closures have returned.
  static func run<Answer, Failure: Error>(
    _ root: TypedRequest<Answer>, options: PresentationOptions?,
    body: @escaping @Sendable (Answer, NavigationProxy) async throws(Failure) -> Void
  ) async throws(Failure) -> ScreenEnd<Answer> {
    guard !Task.isCancelled else { return ScreenEnd(outcome: .cancelled(.requester)) }
    let environment = EnvironmentValues.current
    let stack: ScreenStack
    do {
      stack = try ScreenStack(root, options: options, in: environment)
    } catch {
      let error = error as? RouterError ?? RouterError(.invalid, "cannot show \(root.what)", cause: error)
      environment.presentationLogger.report("cannot go on with the flow", error)
      return ScreenEnd(outcome: .failed(error.message), failure: error)
    }
    let proxy = NavigationProxy(stack: stack)
    let run = ScreenRun(stack: stack, screen: stack.root, sheet: root) { (answer, _) async throws(Failure) in
      try await body(answer, proxy)
    }
    let result = await withEnvironment({ $0.ask(stack.inside) }) { await run.result() }
    var end = try result.get()
    if let failure = stack.failure { (end.outcome, end.failure) = (.failed(failure.message), failure) }
    return end
  }

  /// The broker in a flow's closures, which stacks requests on the top screen.
  var inside: StackingBroker { StackingBroker(broker: broker, surface: surface, parent: { self.topID }) }
}
