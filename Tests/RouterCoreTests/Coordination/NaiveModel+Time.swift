import RouterCore

extension NaiveModel {
  /// Expires overdue items by surface, then by deadline, then by request.
  mutating func expire(at now: Duration) -> [Change] {
    var due = Set(items.filter { deadline(of: $0).map { $0 <= now } ?? false }.map(\.surface))
    noteTime(now)
    if let time = offUntil, time <= now {
      offUntil = nil
      due.formUnion(items.map(\.surface))
    }
    if let time = overtakingFrom, time <= now {
      overtakingFrom = nil
      due.formUnion(items.map(\.surface))
    }
    changes = []
    for surface in due.sorted() {
      while let item = firstDue(on: surface, at: now) {
        let time = deadline(of: item)
        if item.heldUntil == time {
          resolve(item.id, .cancelled(.interrupted), by: nil, at: now)
        } else if end(of: item) == time {
          resolve(item.id, .expired(item.isShown ? .presented : .queued), by: nil, at: now)
        } else {
          wake(item.id, by: nil)
        }
      }
      bringUpToDate(surface, at: now)
    }
    return changes
  }

  private func firstDue(on surface: String, at now: Duration) -> Item? {
    var first: (item: Item, time: Duration)?
    for item in items where item.surface == surface {
      guard let time = deadline(of: item), time <= now else { continue }
      if first.map({ time < $0.time || (time == $0.time && item.arrival < $0.item.arrival) }) ?? true {
        first = (item, time)
      }
    }
    return first?.item
  }

  /// Switches Router on if it was off until a time that has come.
  mutating func noteTime(_ now: Duration) {
    if let offUntil, offUntil <= now { isOff = false }
  }

  mutating func turn(
    isOff: Bool, for duration: Duration?, by resolver: Presentation.Responder, at now: Duration
  ) throws(PresentationRejection) {
    if let duration, !isOff || duration < .seconds(10) || duration > .seconds(86_400) { throw .answerDoesNotFit(.some) }
    changes.append(.other(.switched))
    (self.isOff, offUntil) = (isOff, isOff ? now + (duration ?? .seconds(86_400)) : nil)
    for surface in openSurfaces {
      if isOff {
        for item in ordered(on: surface) where item.request.over == nil {
          for above in topsFirst(item) where self.item(above.id) != nil && above.request.noPresenter != .wait {
            resolve(above.id, .cancelled(.off), by: resolver, at: now)
          }
        }
        suspend(surface, .presenterGone, at: now)
      }
      bringUpToDate(surface, at: now)
    }
  }

  mutating func pause() {
    isPaused = true
  }

  /// Shows or cancels the items that waited for the pause to end.
  mutating func resume(at now: Duration) -> [Change] {
    isPaused = false
    changes = []
    noteTime(now)
    for surface in openSurfaces { bringUpToDate(surface, at: now) }
    return changes
  }

  /// Restarts without presenters. Shown items return to the head of the queue unless they expired meanwhile. Items whose
  /// requester cannot reconnect end; the rest are held for their requesters.
  mutating func restart(at now: Duration, grace: Duration) -> [Change] {
    attachments = []
    endedUses = []
    restartedAt = now
    overtakingFrom = now + min(grace, .seconds(1))
    changes = []
    noteTime(now)
    if !isOff { offUntil = nil }
    for index in items.indices {
      items[index].lastAnswer = nil
      items[index].heldUntil = nil
      highest[items[index].id] = items[index].generation
    }
    for surface in openSurfaces {
      suspend(surface, .interrupted, at: now)
      for item in all(on: surface, over: nil).flatMap({ topsFirst($0) }) { interrupt(item.id, at: now, until: now + grace) }
    }
    return changes + resume(at: now)
  }

  private mutating func interrupt(_ id: PresentationID, at now: Duration, until graceEnd: Duration) {
    guard let item = item(id) else { return }
    if item.isAttached, item.ask.key == nil || item.request.flow {
      resolve(id, .cancelled(.interrupted), by: nil, at: now)
    } else if let timeout = item.request.shownTimeout, item.shownFor >= timeout {
      resolve(id, .expired(.presented), by: nil, at: now)
    } else if item.isAttached {
      items[index(of: id)!].heldUntil = graceEnd
    }
  }

  private func topsFirst(_ item: Item) -> [Item] {
    children(of: item).flatMap { topsFirst($0) } + [item]
  }

  var openSurfaces: [String] { Set(items.map(\.surface)).sorted() }
}
