/// The presentation that code runs in, which ``DismissAction`` ends. ``PresentationBroker/run(_:on:)``,
/// ``SheetAction/during(_:options:operation:)`` and ``NavigationFlow`` set one.
public struct EnclosingPresentation: Sendable {
  let end: @Sendable () async throws -> PresentationOutcome

  /// - Parameter end: Ends the presentation, waits until that is recorded, and returns the outcome. Throws a ``RouterError`` if
  ///   the presentation stays open. It may be called more than once, even after the end.
  public init(end: @escaping @Sendable () async throws -> PresentationOutcome) {
    self.end = end
  }
}

extension EnvironmentValues {
  /// The innermost presentation that the running code is in; `nil` if there is none.
  public var enclosingPresentation: EnclosingPresentation? {
    get { self[EnclosingPresentationKey.self] }
    set { self[EnclosingPresentationKey.self] = newValue }
  }

  /// Whether the running code is in a presentation.
  public var isPresented: Bool { enclosingPresentation != nil }

  /// Ends the presentation that the running code is in.
  public var dismiss: DismissAction { DismissAction(in: self) }
}

private struct EnclosingPresentationKey: EnvironmentKey {
  static let defaultValue: EnclosingPresentation? = nil
}
