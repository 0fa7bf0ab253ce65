/// Shows and removes the screens of a flow.
///
/// Popping is synchronous: it returns when the broker has been told, and the next ``NavigationNode/then(_:)`` waits until the
/// popped screens are gone. They end in one decision, the top first. On record the lowest is canceled by its requester, and those
/// above it because their parent ended.
///
/// A closure that pops its own screen goes on. Closures of popped screens that do not enclose the caller are canceled.
public struct NavigationProxy: Sendable {
  let stack: ScreenStack

  /// The screen at the bottom.
  public var root: NavigationScreen { NavigationScreen(screen: stack.root) }

  /// The screen that is shown, or will be.
  public var top: NavigationScreen { NavigationScreen(screen: stack.top) }

  /// A sheet to show on top of the flow, which ``NavigationNode/then(_:)`` does.
  public func show<S: Sheet>(_ sheet: S) -> NavigationNode<S.Answer> {
    NavigationNode(stack: stack, sheet: TypedRequest(sheet, called: "the screen"))
  }

  /// A sheet without an answer to show on top of the flow: its closure runs when the person goes on from it.
  public func show<S: Sheet>(_ sheet: S) -> NavigationNode<Void> where S.Answer == Never {
    NavigationNode(stack: stack, sheet: TypedRequest(closing: sheet, called: "the screen"))
  }

  /// Removes the top screen, unless it is the root.
  public func pop() {
    stack.popTop()
  }

  /// Removes what is above a screen; does nothing if the screen itself is gone.
  public func pop(to screen: NavigationScreen) {
    stack.pop(screen.screen, isKept: true)
  }

  /// Removes what is above the root, which may then be answered again.
  public func popToRoot() {
    stack.pop(stack.root, isKept: true)
  }

  /// Ends the flow as answered with the root's last answer, unless it has ended. Closures not around the caller are canceled.
  ///
  /// - Throws: ``RouterError`` if the end cannot be recorded; then the flow is as it was.
  public func finish() async throws {
    try await stack.finish()
  }
}
