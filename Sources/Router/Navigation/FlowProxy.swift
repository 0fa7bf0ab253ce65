/// Shows and removes the screens of a flow, and ends the flow with a result.
///
/// Popping is synchronous: it returns once the request to the broker is submitted, and the next `then` waits until the popped
/// screens are gone. They end in one decision, top first. In the log, the lowest screen is canceled by its requester, and the
/// screens above it because their parent ended.
///
/// A closure that pops its own screen continues. Closures of popped screens that do not enclose the caller are canceled.
public struct FlowProxy<Result: Sendable>: Sendable {
  let stack: ScreenStack
  private let made = Made()

  private final class Made: Sendable {
    let result = Mutex<Result?>(nil)
  }

  init(_ stack: ScreenStack) { self.stack = stack }

  /// Stacks the requests of an environment on the flow's top screen, as in the flow's closures.
  package func asking(_ environment: inout EnvironmentValues) { environment.ask(stack.inside) }

  /// The result of ``finish(_:)``.
  var result: Result? { made.result.withLock(\.self) }

  /// The screens that are shown or about to be, with their last answers. Example for a test: `#expect(proxy.path.sheets ==
  /// ["CartSheet", "PickPayment"])`.
  public var path: FlowPath { stack.path }

  /// The bottom screen.
  public var root: FlowScreen { stack.root }

  /// The top screen, shown or about to be.
  public var top: FlowScreen { stack.top }

  /// Returns a sheet to show on top of the flow with `then`.
  public func show<S: Sheet>(_ sheet: S) -> NavigationNode<S.Answer> {
    NavigationNode(PresentationRequest.Typed(sheet, called: "the screen"), on: stack)
  }

  /// Returns a sheet without an answer to show on top of the flow; its closure runs when the person continues.
  public func show<S: Sheet>(_ sheet: S) -> NavigationNode<Void> where S.Answer == Never {
    NavigationNode(PresentationRequest.Typed(continuing: sheet), on: stack)
  }

  /// Removes the top screen, unless it is the root.
  public func pop() {
    stack.popTop()
  }

  /// Removes the screens above a screen; does nothing if the screen itself is gone.
  public func pop(to screen: FlowScreen) {
    stack.pop(screen, isKept: true)
  }

  /// Removes the screens above the root, which can then be answered again.
  public func popToRoot() {
    stack.pop(stack.root, isKept: true)
  }

  /// Ends the flow with its result, unless it has already ended. The log records the root's last answer. Cancels closures that
  /// do not enclose the caller.
  ///
  /// - Throws: ``RouterError`` if the end cannot be recorded; the flow is then unchanged.
  public func finish(_ result: Result) async throws {
    made.result.withLock { $0 = $0 ?? result }
    do {
      try await stack.finish()
    } catch {
      made.result.withLock { $0 = nil }
      throw error
    }
  }
}

extension FlowProxy<Void> {
  /// Ends a flow without a result.
  public func finish() async throws { try await finish(()) }
}
