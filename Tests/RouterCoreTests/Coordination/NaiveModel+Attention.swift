import RouterCore
import TestSupport

extension NaiveModel {
  /// Takes an item off the screen, or out of its line, without moving it to the head.
  mutating func snooze(
    _ item: Item, for duration: Duration, by resolver: Presentation.Responder?, at now: Duration
  ) throws(PresentationRejection) {
    if duration < .seconds(10) || duration > .seconds(86_400) { throw .answerDoesNotFit(.some) }
    if let timeout = item.request.timeout, max(restartedAt, item.askedAt + timeout) <= now + duration {
      throw .answerDoesNotFit(.some)
    }
    postpone(item, until: now + duration, by: resolver, at: now)
    bringUpToDate(item.surface, at: now)
  }

  private mutating func postpone(_ item: Item, until: Duration, by resolver: Presentation.Responder?, at now: Duration) {
    let index = index(of: item.id)!
    items[index].snoozedUntil = until
    guard item.isShown else {
      changes.append(.deferred(item.id, until: Moment(until).wall, by: resolver))
      return
    }
    let shownFor = stopClock(index, at: now)
    items[index].isShown = false
    items[index].isOnTop = false
    changes.append(
      .withdrawn(
        item.id, generation: item.generation, .snoozed, lane: lane(of: item), shownFor: shownFor,
        until: Moment(until).wall, by: resolver))
  }

  /// Postpones all items of a user on a surface: each user has one session here.
  mutating func pauseSession(
    of id: PresentationID, for duration: Duration, by resolver: Presentation.Responder, at now: Duration
  ) throws(PresentationRejection) {
    guard let item = item(id) else { throw .notOpen }
    if duration < .seconds(10) || duration > .seconds(86_400) { throw .answerDoesNotFit(.some) }
    pauses.removeAll { ($0.uid, $0.surface) == (item.ask.uid, item.surface) }
    pauses.append(Pause(id: id, uid: item.ask.uid, surface: item.surface, until: now + duration, by: resolver))
    changes.append(.other(.paused))
    let shown = stack(on: item.surface).filter { $0.ask.uid == item.ask.uid }
    for item in shown.reversed() { postpone(item, until: now + duration, by: resolver, at: now) }
    for other in ordered(on: item.surface) where other.ask.uid == item.ask.uid { postponeIfPaused(other.id, at: now) }
    bringUpToDate(item.surface, at: now)
  }

  /// Postpones an item whose session is paused for longer than it waits already.
  mutating func postponeIfPaused(_ id: PresentationID, at now: Duration) {
    guard let item = item(id), !item.isShown else { return }
    for pause in pauses where pause.concerns(item) && pause.until > now && item.snoozedUntil ?? .zero < pause.until {
      postpone(item, until: pause.until, by: pause.by, at: now)
    }
  }

  mutating func endPause(
    _ id: PresentationID, by resolver: Presentation.Responder, at now: Duration
  ) throws(PresentationRejection) {
    guard let pause = pauses.first(where: { $0.id == id && $0.until > now }) else { throw .noPause }
    pauses.removeAll { $0.id == id }
    changes.append(.other(.resumed))
    for item in ordered(on: pause.surface) where pause.concerns(item) && item.snoozedUntil != nil {
      wake(item.id, by: resolver)
    }
    bringUpToDate(pause.surface, at: now)
  }

  mutating func wake(_ id: PresentationID, by resolver: Presentation.Responder?) {
    items[index(of: id)!].snoozedUntil = nil
    changes.append(.woken(id, by: resolver))
  }

  /// Shows an item in place of everything on its surface.
  mutating func raise(_ id: PresentationID, by resolver: Presentation.Responder?, at now: Duration)
    throws(PresentationRejection)
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
