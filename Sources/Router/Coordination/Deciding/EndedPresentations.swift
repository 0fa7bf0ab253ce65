import OrderedCollections

/// Presentations of a shared surface that have ended recently, or have a pending callback, of which hosts may still report
/// something.
struct EndedPresentations: Sendable {
  private static let count = 4096

  private var presentations: OrderedDictionary<PresentationID, Presentation> = [:]

  subscript(id: PresentationID) -> Presentation? { presentations[id] }

  mutating func note(_ presentation: Presentation) {
    presentations[presentation.id] = presentation
    guard presentations.count > 2 * Self.count else { return }
    var surplus = presentations.count - Self.count
    presentations.removeAll { _, presentation in
      surplus -= 1
      return surplus >= 0 && presentation.callback?.state != .pending
    }
  }
}
