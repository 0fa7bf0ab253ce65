@testable import Router

/// What is open on record, kept as the coordinator keeps it.
extension [PresentationID: PresentationQueue.Entry] {
  /// Takes in events that were recorded and had been decided at `now`.
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

  /// Keeps generations from being used again that were given out by events that could not be recorded.
  mutating func skipGenerations(of lost: [Event]) {
    for event in lost {
      guard let id = event.presentation, case .presented(let shown) = event.detail, let last = self[id]?.lastGeneration
      else { continue }
      self[id]!.lastGeneration = Swift.max(last, shown.generation)
    }
  }
}
