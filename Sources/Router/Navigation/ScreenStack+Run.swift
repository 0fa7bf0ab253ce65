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
      return ScreenEnd(outcome: .failed(error.message))
    }
    let proxy = NavigationProxy(stack: stack)
    let run = ScreenRun(stack: stack, screen: stack.root, sheet: root) { (answer, _) async throws(Failure) in
      try await body(answer, proxy)
    }
    let result = await withEnvironment(\.presentationBroker, FlowBroker(stack: stack)) { await run.result() }
    var end = try result.get()
    if let failure = stack.failure { end.outcome = .failed(failure.message) }
    return end
  }
}

/// The broker in a flow's closures. Stacks requests on the top screen; queued behind the flow, they would deadlock.
struct FlowBroker: PresentationBroker {
  let stack: ScreenStack

  func submit(_ request: PresentationRequest, onDismiss: DismissCallback?) -> PresentationHandle {
    var request = request
    if request.over == nil, request.surface == stack.surface { request.over = stack.topID }
    return stack.broker.submit(request, onDismiss: onDismiss)
  }

  func attach(presenter name: String, to surface: String) -> PresenterAttachment {
    stack.broker.attach(presenter: name, to: surface)
  }
}
