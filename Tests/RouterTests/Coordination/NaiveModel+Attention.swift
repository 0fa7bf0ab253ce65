import Router

extension NaiveModel {
  /// Takes an item off the screen without moving it to the head of its line.
  mutating func snooze(
    _ item: Item, for duration: Duration, by resolver: Presentation.Responder?, at now: Duration
  ) throws(PresentationRejection) {
    if duration < .seconds(10) || duration > .seconds(86_400) { throw .answerDoesNotFit(.some) }
    if let timeout = item.request.timeout, max(restartedAt, item.askedAt + timeout) <= now + duration {
      throw .answerDoesNotFit(.some)
    }
    let index = index(of: item.id)!
    let shownFor = stopClock(index, at: now)
    items[index].isShown = false
    items[index].isOnTop = false
    items[index].snoozedUntil = now + duration
    changes.append(
      .withdrawn(
        item.id, generation: item.generation, .snoozed, lane: lane(of: item), shownFor: shownFor,
        until: Moment(now + duration).wall, by: resolver))
    bringUpToDate(item.surface, at: now)
  }

  mutating func wake(_ id: PresentationID, by resolver: Presentation.Responder?) {
    items[index(of: id)!].snoozedUntil = nil
    changes.append(.woken(id, by: resolver))
  }

  /// Shows an item in place of everything on its surface.
  mutating func raise(_ id: PresentationID, by resolver: Presentation.Responder, at now: Duration) throws(PresentationRejection)
  {
    guard let item = item(id) else { throw .notOpen }
    if item.isShown, !item.isOnTop { throw .covered }
    if item.isShown { return }
    if item.request.over != nil || item.heldUntil != nil || isPaused { throw .cannotRaise }
    if presenters(of: item).isEmpty { throw .noPresenter }
    suspend(item.surface, .raised, by: resolver, at: now)
    putUp(id, at: now)
    bringUpToDate(item.surface, at: now)
  }
}
