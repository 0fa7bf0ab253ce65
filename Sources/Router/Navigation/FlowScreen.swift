/// One screen of a flow; a target of ``FlowProxy/pop(to:)``.
public final class FlowScreen: Sendable, Hashable {
  private struct State {
    var path: FlowPath.Screen
    var id: PresentationID?
    var cancelWork: (@Sendable () -> Void)?
    var hasEnded = false
    /// Whether the closure continues after the end, because it caused the end.
    var isSpared = false
  }

  /// The screens whose closures enclose the running code, root first.
  @TaskLocal static var enclosing: [FlowScreen] = []

  let handle: PresentationHandle
  /// The initial answer, from a restored path.
  let restored: JSONValue?
  private let keepsAnswer: Bool
  private let state: Mutex<State>

  init(_ handle: PresentationHandle, _ request: PresentationRequest, restored: JSONValue? = nil) {
    (self.handle, self.restored) = (handle, restored)
    keepsAnswer = !request.sensitive
    state = Mutex(State(path: FlowPath.Screen(request)))
  }

  public static func == (left: FlowScreen, right: FlowScreen) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  static func encloses(_ screen: FlowScreen) -> Bool {
    enclosing.contains { $0 === screen }
  }

  var id: PresentationID? { state.withLock(\.id) }

  /// The screen with its last answer.
  var path: FlowPath.Screen { state.withLock(\.path) }

  func answered(_ answer: PresentationAnswer) {
    if keepsAnswer, case .value(let value) = answer { state.withLock { $0.path.answer = value } }
  }

  /// Waits until the screen is recorded; throws ``RouterError`` if it was refused.
  func accepted() async throws -> PresentationID {
    let id = try await handle.accepted().id
    state.withLock { $0.id = id }
    return id
  }

  func started(cancel: @escaping @Sendable () -> Void) {
    state.withLock { $0.cancelWork = cancel }
  }

  /// Sets whether the closure continues after the end; returns whether the value has changed.
  @discardableResult
  func spare(_ isSpared: Bool = true) -> Bool {
    state.withLock { state in
      defer { state.isSpared = isSpared }
      return state.isSpared != isSpared
    }
  }

  /// Handles the end of the presentation: cancels the closure unless it is spared.
  func ended() {
    let cancel = state.withLock { state in
      state.hasEnded = true
      return state.isSpared ? nil : state.cancelWork
    }
    cancel?()
  }

  /// Allows cancellation again, because no caller awaits the closure's result.
  func abandon() {
    let cancel = state.withLock { state in
      state.isSpared = false
      return state.hasEnded ? state.cancelWork : nil
    }
    cancel?()
  }
}
