/// What a flow's closures show screens with, and take them away.
///
/// Popping is synchronous: it returns when the broker has been told, and the next ``NavigationNode/then(_:)`` waits until what
/// was popped is gone. What is popped ends in one decision, the deepest first, so that nothing between comes up meanwhile; on
/// record the lowest of it is cancelled by its requester and what was above it because its parent ended.
///
/// A closure that pops its own screen goes on and may do what is left to do. Closures of popped screens that do not enclose
/// the caller are cancelled, as they are when the person goes back.
public struct NavigationProxy: Sendable {
  let stack: ScreenStack

  /// The screen at the bottom, which was there first.
  public var root: NavigationScreen { NavigationScreen(screen: stack.root) }

  /// The screen that is shown, or will be.
  public var top: NavigationScreen { NavigationScreen(screen: stack.top) }

  /// A sheet to show on top of the flow, which ``NavigationNode/then(_:)`` does.
  public func show<S: Sheet>(_ sheet: S) -> NavigationNode<S.Answer> {
    NavigationNode(stack: stack, sheet: ScreenSheet(sheet))
  }

  /// A sheet without an answer to show on top of the flow: its closure runs when the person goes on from it.
  public func show<S: Sheet>(_ sheet: S) -> NavigationNode<Void> where S.Answer == Never {
    NavigationNode(stack: stack, sheet: ScreenSheet(withoutAnswer: sheet))
  }

  /// Takes the top screen away. The root stays.
  public func pop() {
    stack.popTop()
  }

  /// Takes away what is above a screen; nothing if the screen itself is gone.
  public func pop(to screen: NavigationScreen) {
    stack.pop(above: screen.screen)
  }

  /// Takes away what is above the root, which may then be answered again.
  public func popToRoot() {
    stack.pop(above: stack.root)
  }

  /// Ends the flow as answered with the root's last answer, and takes away what is above it. Nothing if it has ended.
  ///
  /// Closures that do not enclose the caller are cancelled. Cancelling the task does not end the wait, which is short.
  ///
  /// - Throws: ``RouterError`` if the end cannot be recorded; then the flow is as it was.
  public func finish() async throws {
    try await stack.finish()
  }
}
