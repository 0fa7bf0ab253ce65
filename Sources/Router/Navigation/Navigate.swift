/// Runs several related sheets as one asynchronous function, a root and screens that stack on it, and returns their result.
///
/// ```swift
/// let order = try await navigate(from: CartSheet()) { cart, proxy in
///   try await proxy.show(PickPayment()).then { payment, _ in
///     try await proxy.finish(Order(cart, payment))
///   }
/// }
/// ```
///
/// Returns when all of it is removed and every closure has returned. The closure runs for each answer to the root, because a
/// person may come back and answer again. An earlier run is canceled and awaited first.
///
/// A flow occupies its surface as one presentation. Requests from its closures stack on its top screen. It ends with
/// ``FlowProxy/finish(_:)``, when the person closes the root, when a closure throws, and when the task or its presentation is
/// canceled.
///
/// - Parameters:
///   - root: The first screen.
///   - options: How the root is shown. Screens inherit all but the timeouts.
///   - path: Where to start (default: at the root). The root, and each screen that is shown in turn as in the path, is answered as
///     there, and the person goes on from the first without an answer, or back. In the log, a flow that is finished while a person
///     has not answered its root is canceled by its requester.
///   - body: Runs for each answer to the root.
/// - Throws: What the closure throws; ``NoAnswer`` if the flow ended without a result; ``RouterError`` if the root
///   or a screen could not be asked for.
public func navigate<Root: Sheet, Result: Sendable>(
  from root: Root, options: PresentationOptions.Update = { _ in }, restoring path: FlowPath = FlowPath(),
  @_inheritActorContext _ body: @escaping @Sendable (Root.Answer, FlowProxy<Result>) async throws -> Void
) async throws -> Result {
  try await result(of: PresentationRequest.Typed(root, called: "the screen"), options, path, body)
}

/// Runs a flow whose root has no answer: the closure runs each time that the person goes on from it.
public func navigate<Root: Sheet, Result: Sendable>(
  from root: Root, options: PresentationOptions.Update = { _ in }, restoring path: FlowPath = FlowPath(),
  @_inheritActorContext _ body: @escaping @Sendable (FlowProxy<Result>) async throws -> Void
) async throws -> Result where Root.Answer == Never {
  try await result(of: PresentationRequest.Typed(continuing: root), options, path) { (_: Void, proxy) in
    try await body(proxy)
  }
}

/// Gives a closure with one parameter a useful error, since the compiler fails to produce one.
@available(*, unavailable, message: "write { answer, proxy in … }: the proxy shows screens and finishes the flow")
@_disfavoredOverload
public func navigate<Root: Sheet>(
  from root: Root, options: PresentationOptions.Update = { _ in }, restoring path: FlowPath = FlowPath(),
  _ body: @escaping @Sendable (Root.Answer) async throws -> Void
) async throws {}

private func result<Answer, Result>(
  of root: PresentationRequest.Typed<Answer>, _ options: PresentationOptions.Update, _ path: FlowPath,
  _ body: @escaping @Sendable (Answer, FlowProxy<Result>) async throws -> Void
) async throws -> Result {
  let flow = try await FlowProxy.run(root, options, restoring: path, body)
  if let failure = flow.end.failure { throw failure }
  _ = try flow.end.result.get()
  guard let result = flow.result else { throw NoAnswer.dismissed }
  return result
}
