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
/// Returns when all screens are removed and every closure has returned. The closure runs for each answer to the root, because a
/// person may go back and answer again. An earlier run is first canceled and awaited.
///
/// A flow occupies its surface as one presentation. Requests from its closures stack on its top screen. It ends with
/// ``FlowProxy/finish(_:)``, when the person closes the root, when a closure throws, and when the task or its presentation is
/// canceled.
///
/// - Parameters:
///   - root: The first screen.
///   - options: The options of the root. Screens inherit all except the timeouts.
///   - path: The path to restore (default: only the root). The root and the screens on the path get their saved answers, and
///     the person continues at the first screen without one, or goes back. If the flow finishes before a person has answered
///     its root, the log records it as canceled by its requester.
///   - body: Runs for each answer to the root.
/// - Throws: The closure's error; ``NoAnswer`` if the flow ended without a result; ``RouterError`` if the root or a screen was
///   refused.
public func navigate<Root: Sheet, Result: Sendable>(
  from root: Root, options: PresentationOptions.Update = { _ in }, restoring path: FlowPath = FlowPath(),
  @_inheritActorContext _ body: @escaping @Sendable (Root.Answer, FlowProxy<Result>) async throws -> Void
) async throws -> Result {
  try await result(of: PresentationRequest.Typed(root, called: "the screen"), options, path, body)
}

/// Runs a flow with a root that has no answer: the closure runs each time the person continues from it.
public func navigate<Root: Sheet, Result: Sendable>(
  from root: Root, options: PresentationOptions.Update = { _ in }, restoring path: FlowPath = FlowPath(),
  @_inheritActorContext _ body: @escaping @Sendable (FlowProxy<Result>) async throws -> Void
) async throws -> Result where Root.Answer == Never {
  try await result(of: PresentationRequest.Typed(continuing: root), options, path) { (_: Void, proxy) in
    try await body(proxy)
  }
}

/// Catches a closure with one parameter, for which the compiler would not produce a useful error.
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
