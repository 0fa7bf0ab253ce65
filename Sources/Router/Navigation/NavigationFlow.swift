/// Several sheets that belong together, as one asynchronous function: a root, and screens that stack on it.
///
/// ```swift
/// await NavigationFlow(root: AddressForm()) { address, proxy in
///   await proxy.show(Done(address)).then { _, _ in proxy.popToRoot() }
/// }
/// ```
///
/// To make one is to run it: the initializer returns when the flow has ended, all of it is taken away and every closure has
/// returned. The closure runs each time that the root is answered, because a person may come back and answer again. A closure
/// that still runs then is cancelled and awaited before the next one starts, so that there is one at a time for each screen.
///
/// A flow holds its surface as one presentation. While it runs, what its closures ask for by the injected actions, such as
/// `showAlert` or a flow of their own, is stacked on its top screen instead of waiting behind it.
///
/// It ends when the person leaves it by closing the root, by ``NavigationProxy/finish()``, when a closure throws, when the task
/// around it is cancelled, and when it is taken away as any presentation may be.
public struct NavigationFlow<Answer: Sendable>: Sendable {
  /// How it ended: `answered` with the root's last answer by ``NavigationProxy/finish()``, `dismissed` if the person left it,
  /// `cancelled` with the reason `requester` if the task was cancelled. `failed` says why it, or a screen of it, could not be
  /// asked for; that is logged as critical, too.
  public let outcome: ShowOutcome<Answer>

  /// What the root was answered with last, however the flow ended; `nil` if it never was.
  public let lastAnswer: Answer?

  /// Runs a flow to its end.
  ///
  /// Cancelling the task takes all of it away, the top first, and waits until the closures have returned.
  ///
  /// - Parameters:
  ///   - root: What is shown first.
  ///   - options: How the root is shown; ``EnvironmentValues/presentationOptions`` where they are left out. Screens have the
  ///     same, but for the clocks, which are the root's.
  ///   - run: Runs with each answer to the root.
  /// - Throws: What the closure throws, when all is taken away. What a cancelled closure throws is dropped.
  @discardableResult
  public init<Root: Sheet, Failure: Error>(
    root: Root, options: PresentationOptions? = nil,
    run: @escaping @Sendable (Answer, NavigationProxy) async throws(Failure) -> Void
  ) async throws(Failure) where Root.Answer == Answer {
    let end = try await ScreenStack.run(ScreenSheet(root), options: options, body: run)
    (outcome, lastAnswer) = (end.outcome, end.lastAnswer)
  }

  /// Runs a flow to its end whose root has no answer: the closure runs each time that the person goes on from it.
  ///
  /// Cancelling the task takes all of it away, the top first, and waits until the closures have returned.
  ///
  /// - Parameters:
  ///   - root: What is shown first.
  ///   - options: How the root is shown; ``EnvironmentValues/presentationOptions`` where they are left out. Screens have the
  ///     same, but for the clocks, which are the root's.
  ///   - run: Runs each time that the person goes on from the root.
  /// - Throws: What the closure throws, when all is taken away. What a cancelled closure throws is dropped.
  @discardableResult
  public init<Root: Sheet, Failure: Error>(
    root: Root, options: PresentationOptions? = nil,
    run: @escaping @Sendable (NavigationProxy) async throws(Failure) -> Void
  ) async throws(Failure) where Root.Answer == Never, Answer == Void {
    let end = try await ScreenStack.run(ScreenSheet(withoutAnswer: root), options: options) {
      (_: Void, proxy) async throws(Failure) in try await run(proxy)
    }
    (outcome, lastAnswer) = (end.outcome, end.lastAnswer)
  }
}
