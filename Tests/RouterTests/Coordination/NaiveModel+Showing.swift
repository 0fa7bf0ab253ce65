@testable import Router

extension NaiveModel {
  /// Does what is left to do on a surface when an event is over: whoever's turn it is is shown, or given up.
  mutating func bringUpToDate(_ surface: String, at now: Duration) {
    if isPaused { return }
    while let next = whoseTurn(on: surface) {
      if !presenters(on: surface).isEmpty {
        if let top = stack(on: surface).last, top.isOnTop { cover(top.id, at: now) }
        putUp(next.id, at: now)
      } else if next.ticket.noPresenter == .fail {
        resolve(next.id, .cancelled(.noPresenter), by: nil)
      } else {
        return
      }
    }
    // What was covered is shown again only when nothing more waits to be stacked on it.
    if let top = stack(on: surface).last, !top.isOnTop { putUp(top.id, at: now) }
  }

  /// The next on what is on top; the next in the surface's line if nothing is shown.
  private func whoseTurn(on surface: String) -> Item? {
    line(on: surface, over: stack(on: surface).last?.id).first { $0.heldUntil == nil }
  }

  private mutating func putUp(_ id: PresentationID, at now: Duration) {
    let index = index(of: id)!
    items[index].isShown = true
    items[index].isOnTop = true
    items[index].generation += 1
    items[index].shownSince = now
    let item = items[index]
    changes.append(.presented(id, generation: item.generation, level: level(of: item)))
  }

  private mutating func cover(_ id: PresentationID, at now: Duration) {
    let index = index(of: id)!
    items[index].isOnTop = false
    stopClock(index, at: now)
    changes.append(.withdrawn(id, generation: items[index].generation, reason: .covered, place: nil))
  }

  /// A flow's item was answered: it stays, is to be put up again, and then has its whole time.
  mutating func keep(_ answer: PresentationAnswer, by resolver: Resolver?, of item: Item, at now: Duration) {
    let index = index(of: item.id)!
    items[index].lastAnswer = (answer, resolver)
    items[index].isOnTop = false
    items[index].shownSince = nil
    items[index].shownFor = .zero
    changes.append(.answered(item.id, answer, by: resolver, generation: item.generation))
  }

  /// The last presenter is gone: everything shown goes back to the head of its line, the top first.
  mutating func suspend(_ surface: String, at now: Duration) {
    for item in stack(on: surface).reversed() {
      stopClock(index(of: item.id)!, at: now)
      putAhead(item.id)
      let place = PresentationPlace(lane: 0, rank: 0)
      changes.append(.withdrawn(item.id, generation: item.generation, reason: .presenterGone, place: place))
    }
  }

  mutating func putAhead(_ id: PresentationID) {
    let index = index(of: id)!
    claims += 1
    items[index].claim = claims
    items[index].isShown = false
    items[index].isOnTop = false
  }

  private mutating func stopClock(_ index: Int, at now: Duration) {
    guard let since = items[index].shownSince else { return }
    items[index].shownFor += now - since
    items[index].shownSince = nil
  }

  /// Ends a presentation; before it ends what is, or waits to be, stacked on it: the top of the stack first.
  mutating func resolve(_ id: PresentationID, _ outcome: PresentationOutcome, by resolver: Resolver?) {
    let item = item(id)!
    let stacked = shown(on: item.surface, over: id).map { [$0] } ?? []
    for child in stacked + line(on: item.surface, over: id) { resolve(child.id, .cancelled(.parentEnded), by: nil) }
    items.removeAll { $0.id == id }
    changes.append(.resolved(id, outcome, by: resolver, generation: item.isOnTop ? item.generation : nil))
  }
}
