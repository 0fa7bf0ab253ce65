/// A sequence of related sheets as one asynchronous function: a root, and screens that stack on it.
///
/// ```swift
/// await NavigationFlow(root: AddressForm()) { address, proxy in
///   await proxy.show(Done(address)).then { _, _ in proxy.popToRoot() }
/// }
/// ```
///
/// The initializer runs the flow and returns when all of it is removed and every closure has returned. The closure runs for
/// each answer to the root, because a person may come back and answer again. An earlier run is canceled and awaited first.
///
/// A flow occupies its surface as one presentation. Requests from its closures stack on its top screen. It ends when the person
/// closes the root, with ``NavigationProxy/finish()``, when a closure throws, and when the task or its presentation is
/// canceled.
public struct NavigationFlow<Answer: Sendable>: Sendable {
  /// The flow's outcome: `answered` with the root's last answer after ``NavigationProxy/finish()``, `dismissed` if the person
  /// left it, `cancelled` with the reason `requester` if the task was canceled, `failed` if the root or a screen could not be
  /// shown.
  public let outcome: ShowOutcome<Answer>

  /// The root's last answer, however the flow ended.
  public let lastAnswer: Answer?

  /// Runs a flow to its end. Canceling the task removes all of it and waits until its closures have returned.
  ///
  /// - Parameter options: The root's options. Screens inherit all but the timeouts.
  /// - Throws: What the closure throws, once everything is removed. Errors of canceled closures are dropped.
  @discardableResult
  public init<Root: Sheet, Failure: Error>(
    root: Root, options: PresentationOptions? = nil,
    run: @escaping @Sendable (Answer, NavigationProxy) async throws(Failure) -> Void
  ) async throws(Failure) where Root.Answer == Answer {
    let end = try await ScreenStack.run(TypedRequest(root, called: "the screen"), options: options, body: run)
    (outcome, lastAnswer) = (end.outcome, end.lastAnswer)
  }

  /// Runs a flow whose root has no answer: the closure runs each time the person continues from it.
  @discardableResult
  public init<Root: Sheet, Failure: Error>(
    root: Root, options: PresentationOptions? = nil,
    run: @escaping @Sendable (NavigationProxy) async throws(Failure) -> Void
  ) async throws(Failure) where Root.Answer == Never, Answer == Void {
    let end = try await ScreenStack.run(TypedRequest(closing: root, called: "the screen"), options: options) {
      (_: Void, proxy) async throws(Failure) in try await run(proxy)
    }
    (outcome, lastAnswer) = (end.outcome, end.lastAnswer)
  }
}
