@testable import Router

/// The committed open presentations, maintained as in the coordinator.
extension [PresentationID: PresentationQueue.Entry] {
  /// Applies recorded events that were decided at `now`.
  mutating func commit(_ events: [Event], at now: Duration) {
    for event in events {
      guard let id = event.presentation else { continue }
      switch event.detail {
      case .requested(let asked): self[id] = PresentationQueue.Entry(Presentation(id, asked), now: now)
      case .resolved: self[id] = nil
      default: self[id]?.apply(event, at: now)
      }
    }
  }

  /// Prevents reuse of generations assigned by events that could not be recorded.
  mutating func skipGenerations(of lost: [Event]) {
    for event in lost {
      guard let id = event.presentation, case .presented(let shown) = event.detail, let last = self[id]?.lastGeneration
      else { continue }
      self[id]!.lastGeneration = Swift.max(last, shown.generation)
    }
  }
}
