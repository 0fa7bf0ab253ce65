/// Runs several sheets that belong together, and returns what they come to.
///
/// ```swift
/// let order = try await navigate(from: CartSheet()) { cart, proxy in
///   try await proxy.show(PickPayment()).then { payment, _ in
///     try await proxy.finish(Order(cart, payment))
///   }
/// }
/// ```
///
/// The closure runs for each answer to the root, as in ``NavigationFlow``. The flow ends with ``FlowProxy/finish(_:)``, when the
/// person closes the root, when the closure throws, and when the task is canceled.
///
/// - Parameter options: How the root is shown. Screens inherit all but the timeouts.
/// - Throws: What the closure throws; ``PresentationCancellation`` if the flow ended without a result; ``RouterError`` if the root
///   or a screen could not be asked for.
public func navigate<Root: Sheet, Result: Sendable>(
  from root: Root, options: PresentationOptions? = nil,
  _ body: @escaping @Sendable (Root.Answer, FlowProxy<Result>) async throws -> Void
) async throws -> Result {
  try await FlowProxy.run(TypedRequest(root, called: "the screen"), options, body)
}

/// Runs a flow whose root has no answer: the closure runs each time that the person goes on from it.
public func navigate<Root: Sheet, Result: Sendable>(
  from root: Root, options: PresentationOptions? = nil,
  _ body: @escaping @Sendable (FlowProxy<Result>) async throws -> Void
) async throws -> Result where Root.Answer == Never {
  try await FlowProxy.run(TypedRequest(closing: root, called: "the screen"), options) { (_: Void, proxy) in
    try await body(proxy)
  }
}
