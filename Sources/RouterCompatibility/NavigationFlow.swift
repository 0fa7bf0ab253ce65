public import Router

/// A flow without a result, with the name from async navigation. For a result, use `navigate`.
///
/// ```swift
/// await NavigationFlow(root: AddressForm()) { address, proxy in
///   await proxy.show(Done(address)).then { _, _ in proxy.popToRoot() }
/// }
/// ```
///
/// The initializer runs the flow and returns when all screens are removed and every closure has returned.
public struct NavigationFlow<Answer: Sendable>: Sendable {
  /// The end of the flow: the root's last answer after `proxy.finish()`, `dismissed` if the person left it,
  /// `cancelled(.requester)` if the task was canceled, `failed` if the root or a screen could not be shown.
  public let result: Result<Answer, NoAnswer>

  /// The root's last answer, regardless of how the flow ended.
  public let lastAnswer: Answer?

  /// Runs a flow to its end. Canceling the task removes all screens and waits until the closures have returned.
  ///
  /// - Parameter options: The root's options. Screens inherit all except the timeouts.
  /// - Throws: The closure's error, once all screens are removed. Errors of canceled closures are discarded.
  @discardableResult
  public init<Root: Sheet, Failure: Error>(
    root: Root, options: PresentationOptions.Update = { _ in },
    @_inheritActorContext run: @escaping @Sendable (Answer, NavigationProxy) async throws(Failure) -> Void
  ) async throws(Failure) where Root.Answer == Answer {
    self.init(try await NavigationProxy.run(PresentationRequest.Typed(root, called: "the screen"), options, run).end)
  }

  /// Runs a flow with a root that has no answer: the closure runs each time the person continues from it.
  @discardableResult
  public init<Root: Sheet, Failure: Error>(
    root: Root, options: PresentationOptions.Update = { _ in },
    @_inheritActorContext run: @escaping @Sendable (NavigationProxy) async throws(Failure) -> Void
  ) async throws(Failure) where Root.Answer == Never, Answer == Void {
    self.init(
      try await NavigationProxy.run(PresentationRequest.Typed(continuing: root), options) {
        (_: Void, proxy) async throws(Failure) in try await run(proxy)
      }.end)
  }

  private init(_ end: ScreenEnd<Answer>) { (result, lastAnswer) = (end.result, end.lastAnswer) }
}

/// The proxy of a flow without a result.
public typealias NavigationProxy = FlowProxy<Void>
