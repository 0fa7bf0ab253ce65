/// Shows and removes the screens of a flow, as ``NavigationProxy`` does, and ends it with a result.
public struct FlowProxy<Result: Sendable>: Sendable {
  /// The same without the result.
  public let navigation: NavigationProxy
  private let made: Made

  private final class Made: Sendable {
    let result = Mutex<Result?>(nil)
  }

  /// A sheet to show on top of the flow, which ``NavigationNode/then(_:)`` does.
  public func show<S: Sheet>(_ sheet: S) -> NavigationNode<S.Answer> { navigation.show(sheet) }

  /// A sheet without an answer to show on top of the flow.
  public func show<S: Sheet>(_ sheet: S) -> NavigationNode<Void> where S.Answer == Never { navigation.show(sheet) }

  /// Removes the top screen, unless it is the root.
  public func pop() { navigation.pop() }

  /// Removes what is above a screen.
  public func pop(to screen: NavigationProxy.Screen) { navigation.pop(to: screen) }

  /// Removes what is above the root, which may then be answered again.
  public func popToRoot() { navigation.popToRoot() }

  /// Ends the flow with its result, unless it has ended. On record it is answered with the root's last answer.
  ///
  /// - Throws: ``RouterError`` if the end cannot be recorded; then the flow is as it was.
  public func finish(_ result: Result) async throws {
    made.result.withLock { $0 = $0 ?? result }
    do {
      try await navigation.finish()
    } catch {
      made.result.withLock { $0 = nil }
      throw error
    }
  }

  /// Runs a flow to its end and returns its result.
  static func run<Answer>(
    _ root: TypedRequest<Answer>, _ options: PresentationOptions?,
    _ body: @escaping @Sendable (Answer, FlowProxy) async throws -> Void
  ) async throws -> Result {
    let made = Made()
    let end = try await ScreenStack.run(root, options: options) { answer, navigation in
      try await body(answer, FlowProxy(navigation: navigation, made: made))
    }
    if let failure = end.failure { throw failure }
    _ = try end.outcome.get()
    guard let result = made.result.withLock(\.self) else { throw PresentationCancellation(reason: .dismissed) }
    return result
  }
}
