/// Reorders events so that the withdrawal of a prompt precedes its replacement. Brokers send the withdrawal later, once it is
/// recorded; presenters that show one prompt at a time need it earlier.
package struct WithdrawalFirst: Sendable {
  private var current: Presentation?
  private var next: (presentation: Presentation, waiting: Int)?
  /// The last progress of ``next``.
  private var nextProgress: PresenterEvent?

  package init() {}

  /// Returns the events to deliver, in order.
  package mutating func take(_ event: PresenterEvent) -> [PresenterEvent] {
    switch event {
    case .present(let presentation, let waiting):
      guard let current else {
        self.current = presentation
        return [event]
      }
      // Shown again after a failed commit; there is no replacement.
      next = current.isShowing(presentation.id, presentation.generation) ? nil : (presentation, waiting)
      nextProgress = nil
      return []
    case .withdraw(_, _, .disconnected):
      // The broker sends no further events about its prompts.
      defer { (current, next) = (nil, nil) }
      return current.map { [.withdraw($0.id, generation: $0.generation, reason: .disconnected)] } ?? []
    case .withdraw(let id, let generation, _):
      if let next, next.presentation.isShowing(id, generation) { self.next = nil }
      guard let current, current.isShowing(id, generation) else { return [] }
      self.current = nil
      guard let (presentation, waiting) = next else { return [event] }
      (self.current, next) = (presentation, nil)
      defer { nextProgress = nil }
      return [event, .present(presentation, waiting: waiting)] + (nextProgress.map { [$0] } ?? [])
    case .progress(let id, _, _):
      guard next?.presentation.id == id else { return [event] }
      nextProgress = event
      return []
    case .queue: return [event]
    }
  }
}

extension Presentation {
  fileprivate func isShowing(_ id: PresentationID, _ generation: Int) -> Bool {
    self.id == id && self.generation == generation
  }
}
