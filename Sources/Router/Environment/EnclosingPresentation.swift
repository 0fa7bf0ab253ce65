/// The presentation that encloses running code, for ``DismissAction``. Set by ``PresentationBroker/run(_:on:)``,
/// ``ShowAction/during(_:options:operation:)`` and flows.
package struct EnclosingPresentation: Sendable {
  let end: @Sendable () async throws -> PresentationOutcome

  /// - Parameter end: Ends the presentation, waits until the end is recorded, and returns the outcome. Throws a ``RouterError``
  ///   if the presentation stays open. It may be called more than once, even after the end.
  package init(end: @escaping @Sendable () async throws -> PresentationOutcome) {
    self.end = end
  }
}

extension EnvironmentValues {
  /// The innermost presentation that encloses the running code; `nil` if there is none.
  package var enclosingPresentation: EnclosingPresentation? {
    get { self[EnclosingPresentationKey.self] }
    set { self[EnclosingPresentationKey.self] = newValue }
  }

  /// Sets the values for code inside a presentation: the presentation to dismiss, and a broker that stacks on it.
  mutating func enter(_ presentation: EnclosingPresentation, asking broker: StackingBroker) {
    enclosingPresentation = presentation
    ask(broker)
  }

  /// Sets a stacking broker, including for individually set actions, and makes its surface the default.
  mutating func ask(_ broker: StackingBroker) {
    let targets = targets.mapValues { $0.stacking(on: broker) }
    presentationBroker = broker
    presentationOptions.surface = broker.surface
    self.targets = targets
  }

  /// Whether a presentation encloses the running code.
  public var isPresented: Bool { enclosingPresentation != nil }

  /// Ends the presentation that encloses the running code.
  public var dismiss: DismissAction { DismissAction(in: self) }
}

private struct EnclosingPresentationKey: EnvironmentKey {
  static let defaultValue: EnclosingPresentation? = nil
}
