import Logging

extension FlowProxy {
  /// Runs a flow until it has ended and its closures have returned.
  package static func run<Answer, Failure: Error>(
    _ root: PresentationRequest.Typed<Answer>, _ options: PresentationOptions.Update, restoring path: FlowPath = FlowPath(),
    _ body: @escaping @Sendable (Answer, FlowProxy) async throws(Failure) -> Void
  ) async throws(Failure) -> (end: ScreenEnd<Answer>, result: Result?) {
    guard !Task.isCancelled else { return (ScreenEnd(result: .failure(.cancelled(.requester))), nil) }
    let environment = EnvironmentValues.current
    let stack: ScreenStack
    do {
      stack = try ScreenStack(root, options: options, restoring: path, in: environment)
    } catch {
      let error = error as? RouterError ?? RouterError(.invalid, "cannot show \(root.what)", cause: error)
      environment.presentationLogger.report("cannot go on with the flow", error)
      return (ScreenEnd(result: .failure(.failed(error.message)), failure: error), nil)
    }
    let proxy = FlowProxy(stack)
    let run = ScreenRun(stack: stack, screen: stack.root, sheet: root) { (answer, _) async throws(Failure) in
      try await body(answer, proxy)
    }
    let result = await withEnvironment({ $0.ask(stack.inside) }) { await run.result() }
    var end = try result.get()
    // If a person has left in the meantime, the person's decision wins.
    if stack.isFinishedUnanswered, case .failure(.cancelled(.requester)) = end.result, let answer = end.lastAnswer {
      end.result = .success(answer)
    }
    if let failure = stack.failure { (end.result, end.failure) = (.failure(.failed(failure.message)), failure) }
    return (end, proxy.result)
  }
}

extension ScreenStack {
  /// The broker in a flow's closures, which stacks requests on the top screen.
  var inside: StackingBroker { StackingBroker(broker: broker, surface: surface, parent: { self.topID }) }
}
