/// The presentation that code runs in, which ``DismissAction`` ends. ``PresentationBroker/run(_:on:)``,
/// ``ShowAction/during(_:options:operation:)`` and flows set one.
package struct EnclosingPresentation: Sendable {
  let end: @Sendable () async throws -> PresentationOutcome

  /// - Parameter end: Ends the presentation, waits until that is recorded, and returns the outcome. Throws a ``RouterError`` if
  ///   the presentation stays open. It may be called more than once, even after the end.
  package init(end: @escaping @Sendable () async throws -> PresentationOutcome) {
    self.end = end
  }
}

extension EnvironmentValues {
  /// The innermost presentation that the running code is in; `nil` if there is none.
  package var enclosingPresentation: EnclosingPresentation? {
    get { self[EnclosingPresentationKey.self] }
    set { self[EnclosingPresentationKey.self] = newValue }
  }

  /// Sets what code inside a presentation finds: the presentation to dismiss, and a broker that stacks on it.
  mutating func enter(_ presentation: EnclosingPresentation, asking broker: StackingBroker) {
    enclosingPresentation = presentation
    ask(broker)
  }

  /// Sets a broker that stacks, also for actions that were set individually, and makes its surface the default.
  mutating func ask(_ broker: StackingBroker) {
    let targets = targets.mapValues { $0.stacking(on: broker) }
    presentationBroker = broker
    presentationOptions.surface = broker.surface
    self.targets = targets
  }

  /// Whether the running code is in a presentation.
  public var isPresented: Bool { enclosingPresentation != nil }

  /// Ends the presentation that the running code is in.
  public var dismiss: DismissAction { DismissAction(in: self) }
}

private struct EnclosingPresentationKey: EnvironmentKey {
  static let defaultValue: EnclosingPresentation? = nil
}
