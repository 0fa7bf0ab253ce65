import RouterCore

extension NaiveModel {
  /// Shows the next presentations on a surface after an input.
  mutating func bringUpToDate(_ surface: String, at now: Duration) {
    if isPaused { return }
    while let next = whoseTurn(on: surface, at: now) {
      if presenters(of: next).isEmpty { return }
      if let top = stack(on: surface).last, top.isOnTop { cover(top.id, at: now) }
      putUp(next.id, at: now)
    }
    // A covered presentation is shown again only when none of its children waits.
    if let top = stack(on: surface).last, !top.isOnTop { putUp(top.id, at: now) }
  }

  /// The next child of the top presentation or, if nothing is shown, the next in the surface's queue.
  private func whoseTurn(on surface: String, at now: Duration) -> Item? {
    let line = line(on: surface, over: stack(on: surface).last?.id)
    if let overtakingFrom, now < overtakingFrom, line.first?.heldUntil != nil { return nil }
    let ready = line.filter { $0.heldUntil == nil }
    guard let first = ready.first, presenters(of: first).isEmpty else { return ready.first }
    // Those that nobody may show are passed over.
    let isKeepingOrder = overtakingFrom.map { now < $0 } ?? false
    let inReach = isKeepingOrder ? Array(line.prefix { $0.heldUntil == nil }) : ready
    return inReach.first { !presenters(of: $0).isEmpty }
  }

  mutating func putUp(_ id: PresentationID, at now: Duration) {
    let index = index(of: id)!
    items[index].isShown = true
    items[index].isOnTop = true
    items[index].generation = highest[id, default: 0] + 1
    highest[id] = items[index].generation
    items[index].shownSince = now
    items[index].snoozedUntil = nil
    let item = items[index]
    let names = presenters(of: item).map { "p\($0.presenter.number)" }
    changes.append(.presented(id, generation: item.generation, level: level(of: item), presenters: names))
  }

  private mutating func cover(_ id: PresentationID, at now: Duration) {
    let index = index(of: id)!
    items[index].isOnTop = false
    let shownFor = stopClock(index, at: now)
    changes.append(.withdrawn(id, generation: items[index].generation, .covered, lane: nil, shownFor: shownFor))
  }

  /// Records a flow's answer: the item stays open, is shown again, and its shown clock restarts.
  mutating func keep(
    _ answer: PresentationAnswer, _ extra: AnswerExtra, by resolver: Presentation.Responder?, of item: Item, at now: Duration
  ) {
    let index = index(of: item.id)!
    let said =
      item.request.sensitive
      ? Change.Said(written: .redacted, extra: extra, secret: answer)
      : Change.Said(written: answer, extra: extra, secret: nil)
    let shownFor = stopClock(index, at: now)
    items[index].lastAnswer = (answer, extra, resolver)
    items[index].isOnTop = false
    items[index].shownFor = .zero
    changes.append(.answered(item.id, said, by: resolver, generation: item.generation, shownFor: shownFor))
  }

  /// A presenter is gone, or the coordinator: what is shown goes back to the head of its line, the top first, but for the
  /// lowest of the stack that are kept.
  mutating func suspend(
    _ surface: String, _ reason: WithdrawalReason, keeping count: Int = 0, by resolver: Presentation.Responder? = nil,
    at now: Duration
  ) {
    for item in stack(on: surface).dropFirst(count).reversed() {
      let shownFor = stopClock(index(of: item.id)!, at: now)
      putAhead(item.id)
      changes.append(.withdrawn(item.id, generation: item.generation, reason, lane: 0, shownFor: shownFor, by: resolver))
    }
  }

  mutating func putAhead(_ id: PresentationID) {
    let index = index(of: id)!
    claims += 1
    items[index].claim = claims
    items[index].isShown = false
    items[index].isOnTop = false
  }

  /// Stops the clock and returns the duration of the showing.
  mutating func stopClock(_ index: Int, at now: Duration) -> Duration? {
    guard let since = items[index].shownSince else { return nil }
    items[index].shownFor += now - since
    items[index].shownSince = nil
    return now - since
  }

  /// Ends a presentation, after its shown and waiting children, top first.
  mutating func resolve(
    _ id: PresentationID, _ outcome: PresentationOutcome, _ extra: AnswerExtra = AnswerExtra(),
    by resolver: Presentation.Responder?,
    finishedBy finisher: Presentation.Responder? = nil, at now: Duration
  ) {
    let item = item(id)!
    for child in children(of: item) { resolve(child.id, .cancelled(.parentEnded), by: nil, at: now) }
    items.removeAll { $0.id == id }
    if let key = item.ask.key, outcome != .cancelled(.requesterGone), outcome != .cancelled(.interrupted) {
      endedUses.append(Use(key: key, requester: item.ask.requester, id: id))
    }
    var end = Change.End(
      outcome: outcome, extra: extra, by: resolver, finishedBy: finisher,
      generation: item.isOnTop ? item.generation : nil,
      shownFor: item.shownSince.map { now - $0 })
    if item.request.sensitive, case .answered(let answer) = outcome {
      end = Change.End(
        outcome: .answered(.redacted), extra: extra, secret: answer, by: resolver, finishedBy: finisher,
        generation: end.generation,
        shownFor: end.shownFor)
    }
    changes.append(.resolved(id, end))
  }

  /// An item's shown child, then its waiting children.
  func children(of item: Item) -> [Item] {
    (shown(on: item.surface, over: item.id).map { [$0] } ?? []) + all(on: item.surface, over: item.id)
  }
}
