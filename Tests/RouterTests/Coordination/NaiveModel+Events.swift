@testable import Router

extension NaiveModel {
  /// What an event changes, in order, or why it changes nothing.
  mutating func handle(_ event: PresentationEvent, at now: Duration) throws(PresentationRejection) -> [PresentationChange] {
    changes = []
    switch event {
    case .request(let ticket, let surface):
      try request(ticket, on: surface, at: now)
    case .answer(let id, let generation, let answer, let resolver) where item(id)?.ticket.flow == true:
      let item = try check(id, generation)
      keep(answer, by: resolver, of: item, at: now)
      bringUpToDate(item.surface, at: now)
    case .answer(let id, let generation, let answer, let resolver):
      try end(id, generation, .answered(answer), by: resolver, at: now)
    case .dismiss(let id, let generation, let resolver):
      try end(id, generation, .dismissed, by: resolver, at: now)
    case .fail(let id, let generation, let detail, let resolver):
      try end(id, generation, .failed(detail), by: resolver, at: now)
    case .cancel(let id, let reason, let resolver):
      guard let item = item(id) else { throw .notOpen }
      resolve(id, .cancelled(reason), by: resolver)
      bringUpToDate(item.surface, at: now)
    case .finish(let id, _):
      guard let item = item(id) else { throw .notOpen }
      if !item.ticket.flow { throw .notFlow }
      guard let last = item.lastAnswer else { throw .notAnswered }
      resolve(id, .answered(last.answer), by: last.resolver)
      bringUpToDate(item.surface, at: now)
    case .claim(let id):
      guard let index = index(of: id) else { throw .notOpen }
      items[index].heldUntil = nil
      bringUpToDate(items[index].surface, at: now)
    case .attach(let presenter, let surface):
      let attachment = Attachment(presenter: presenter, surface: surface)
      if !attachments.contains(attachment) { attachments.append(attachment) }
      bringUpToDate(surface, at: now)
    case .detach(let presenter, let surface):
      let wasAttached = attachments.contains(Attachment(presenter: presenter, surface: surface))
      attachments.removeAll { $0 == Attachment(presenter: presenter, surface: surface) }
      if wasAttached, presenters(on: surface).isEmpty { suspend(surface, at: now) }
      bringUpToDate(surface, at: now)
    }
    return changes
  }

  /// What is due ends, the earliest first; of two at the same time the one asked for first. One list for each surface where
  /// something is due.
  mutating func expire(at now: Duration) -> [[PresentationChange]] {
    let surfaces = Set(items.filter { deadline(of: $0).map { $0 <= now } ?? false }.map(\.surface)).sorted()
    return surfaces.map { surface in
      changes = []
      while let due = firstDue(on: surface, at: now) {
        let isLost = due.heldUntil == deadline(of: due)
        resolve(due.id, isLost ? .cancelled(.interrupted) : .expired(due.isShown ? .presented : .queued), by: nil)
      }
      bringUpToDate(surface, at: now)
      return changes
    }
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

  mutating func pause() {
    isPaused = true
  }

  /// One list for each surface where something is shown, or given up, that had to wait.
  mutating func resume(at now: Duration) -> [[PresentationChange]] {
    isPaused = false
    let surfaces = Set(items.map(\.surface)).sorted()
    return surfaces.compactMap { surface in
      changes = []
      bringUpToDate(surface, at: now)
      return changes.isEmpty ? nil : changes
    }
  }

  /// The coordinator went down and came back: nobody shows, and what was shown stands at the head of the line.
  ///
  /// - Parameter held: What waits for its requester to come back, and until when.
  mutating func restart(holding held: [PresentationID: Duration]) {
    attachments = []
    isPaused = false
    for surface in Set(items.map(\.surface)).sorted() {
      for item in stack(on: surface).reversed() { putAhead(item.id) }
    }
    for index in items.indices {
      items[index].shownSince = nil
      items[index].shownFor = .zero
      items[index].lastAnswer = nil
      items[index].heldUntil = held[items[index].id]
    }
  }

  private mutating func request(
    _ ticket: PresentationTicket, on surface: String, at now: Duration
  ) throws(PresentationRejection) {
    if let parent = ticket.over {
      guard let below = item(parent), below.surface == surface, below.ticket.uid == ticket.uid else { throw .unknownParent }
    }
    if items.count >= limits.total { throw .full(.total) }
    if items.filter({ $0.ticket.uid == ticket.uid }).count >= limits.perUser { throw .full(.user) }
    if items.filter({ $0.surface == surface }).count >= limits.perSurface { throw .full(.surface) }
    arrivals += 1
    var newcomer = Item(ticket: ticket, surface: surface, askedAt: now, arrival: arrivals)
    if ticket.flow, let parent = ticket.over, item(parent)?.ticket.flow == false { throw .parentIsNoFlow }
    if depth(of: newcomer) > limits.stackDepth { throw .stackedTooDeep }

    let holder = shown(on: surface, over: ticket.over) ?? line(on: surface, over: ticket.over).first
    let mayTakeOver = holder.map { ticket.isAdmin || $0.ticket.uid == ticket.uid } ?? false
    if ticket.conflictPolicy == .cancelPrevious, mayTakeOver {
      claims += 1
      newcomer.claim = claims
    }
    items.append(newcomer)
    changes.append(.requested(ticket.id, place: PresentationPlace(lane: lane(of: newcomer), rank: 0)))
    if let holder {
      switch ticket.conflictPolicy {
      case .enqueue: break
      case .cancelNew: resolve(ticket.id, .cancelled(.busy), by: nil)
      case .cancelPrevious where mayTakeOver: resolve(holder.id, .cancelled(.superseded), by: nil)
      case .cancelPrevious: resolve(ticket.id, .cancelled(.busy), by: nil)
      }
    }
    bringUpToDate(surface, at: now)
  }

  private mutating func end(
    _ id: PresentationID, _ generation: Int?, _ outcome: PresentationOutcome, by resolver: Resolver?, at now: Duration
  ) throws(PresentationRejection) {
    let item = try check(id, generation)
    resolve(id, outcome, by: resolver)
    bringUpToDate(item.surface, at: now)
  }

  /// The item, if it is before the person, on that showing.
  private func check(_ id: PresentationID, _ generation: Int?) throws(PresentationRejection) -> Item {
    guard let item = item(id) else { throw .notOpen }
    if !item.isShown { throw .notPresented }
    if !item.isOnTop { throw .covered }
    if let generation, generation != item.generation { throw .staleGeneration(item.generation) }
    return item
  }
}
