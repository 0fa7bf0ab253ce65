/// The presentation that code runs in, which ``DismissAction`` ends.
///
/// ``PresentationBroker/run(_:on:)`` sets one for the presenter that shows something, ``ShowSheetAction/during(_:options:operation:)``
/// for the operation, and ``NavigationFlow`` for the closures of its screens. Whoever else runs code inside a presentation sets one with `withEnvironment(\.enclosingPresentation, …)`.
public struct EnclosingPresentation: Sendable {
  /// Ends the presentation and says how it ended, which is otherwise where something else came first.
  let end: @Sendable () async throws -> PresentationOutcome

  /// - Parameter end: Ends the presentation, waits until that is on record, and returns how it ended; it may be called more
  ///   than once, and when the presentation has ended already. It throws a ``RouterError`` where the presentation stays.
  public init(end: @escaping @Sendable () async throws -> PresentationOutcome) {
    self.end = end
  }
}

extension EnvironmentValues {
  /// The innermost presentation that the running code is in; `nil` where it is in none, as at the start and in a detached task.
  public var enclosingPresentation: EnclosingPresentation? {
    get { self[EnclosingPresentationKey.self] }
    set { self[EnclosingPresentationKey.self] = newValue }
  }

  /// Whether the running code is in a presentation, so that ``dismiss`` has something to end.
  public var isPresented: Bool { enclosingPresentation != nil }

  /// Ends the presentation that the running code is in.
  public var dismiss: DismissAction { DismissAction(in: self) }
}

private struct EnclosingPresentationKey: EnvironmentKey {
  static let defaultValue: EnclosingPresentation? = nil
}
