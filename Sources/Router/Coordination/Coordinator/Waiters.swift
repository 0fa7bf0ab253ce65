struct Waiters {
  struct Asker: Sendable {
    /// The id of the request's presentation; for a joined request, the id that it would have had.
    let id: PresentationID
    let target: any PresentationAsker
    /// The last queue position sent to the requester.
    var toldPosition: Int?
    /// The reason for leaving before the request was decided or recorded.
    var leaving: PresentationOutcome.CancellationReason?
  }

  struct Group {
    /// The requesters; several if they share an idempotency key.
    var askers: [Asker] = []
    /// Other callers that wait for the end.
    var watchers: [Int: PresentationCoordinator.Completion] = [:]
    var onDismiss: DismissCallback?
    /// Whether the request is not decided yet.
    fileprivate var isUndecided = false

    func fail(_ error: RouterError) {
      for asker in askers { _ = asker.target.end(.failure(error)) }
      for watcher in watchers.values { watcher(.failure(error)) }
    }
  }

  private var groups: [PresentationID: Group] = [:]
  /// The presentations that requesters joined, by requester id.
  private var joined: [PresentationID: PresentationID] = [:]
  private(set) var followerCount = 0

  /// Returns the presentation for a requester's id.
  func resolve(_ id: PresentationID) -> PresentationID { joined[id] ?? id }

  func askers(of id: PresentationID) -> [Asker] { groups[id]?.askers ?? [] }

  mutating func add(
    _ asker: Asker, to id: PresentationID, onDismiss: DismissCallback? = nil, isUndecided: Bool = false
  ) {
    if asker.id != id { joined[asker.id] = id }
    if asker.target.followsPosition { followerCount += 1 }
    groups[id, default: Group()].askers.append(asker)
    if let onDismiss { groups[id]!.onDismiss = onDismiss }
    if isUndecided { groups[id]!.isUndecided = true }
  }

  /// Whether a request is still to be recorded.
  func isAsked(_ id: PresentationID) -> Bool { groups[id].map { !$0.askers.isEmpty } ?? false }

  /// Marks a request as decided. Returns the reason if its requester has left in the meantime; otherwise `nil`.
  mutating func decided(_ id: PresentationID) -> PresentationOutcome.CancellationReason? {
    groups[id]?.isUndecided = false
    return groups[id]?.askers.first?.leaving
  }

  /// Fails the requesters of a request that could not be recorded. A request of this host that is still in the inbox of a shared
  /// surface is undecided: its reply comes from the next leader.
  mutating func lost(_ id: PresentationID, _ error: RouterError) {
    if groups[id]?.isUndecided == false { take(id)?.fail(error) }
  }

  /// Defers a requester's departure until its request is decided, or recorded if there are several requesters. Returns whether
  /// it was deferred.
  mutating func leave(_ askerID: PresentationID, _ reason: PresentationOutcome.CancellationReason) -> Bool {
    let id = resolve(askerID)
    guard let group = groups[id], group.isUndecided || group.askers.count > 1,
      let index = group.askers.firstIndex(where: { $0.id == askerID })
    else { return false }
    groups[id]!.askers[index].leaving = reason
    return true
  }

  /// The requesters of a recorded request that have left, with the reasons.
  func leavers(of id: PresentationID) -> [(PresentationID, PresentationOutcome.CancellationReason)] {
    askers(of: id).compactMap { asker in asker.leaving.map { (asker.id, $0) } }
  }

  mutating func remove(_ askerID: PresentationID) -> Asker? {
    let id = resolve(askerID)
    guard let index = groups[id]?.askers.firstIndex(where: { $0.id == askerID }) else { return nil }
    joined[askerID] = nil
    let asker = groups[id]!.askers.remove(at: index)
    if asker.target.followsPosition { followerCount -= 1 }
    return asker
  }

  mutating func watch(_ id: PresentationID, _ number: Int, _ completion: @escaping PresentationCoordinator.Completion) {
    groups[id, default: Group()].watchers[number] = completion
  }

  mutating func unwatch(_ id: PresentationID, _ number: Int) -> PresentationCoordinator.Completion? {
    groups[id]?.watchers.removeValue(forKey: number)
  }

  mutating func take(_ id: PresentationID) -> Group? {
    guard let group = groups.removeValue(forKey: id) else { return nil }
    for asker in group.askers where asker.id != id { joined[asker.id] = nil }
    followerCount -= group.askers.count { $0.target.followsPosition }
    return group
  }

  mutating func takeAll() -> [Group] { Array(groups.keys).compactMap { take($0) } }

  mutating func tell(_ id: PresentationID, _ update: PresentationUpdate) {
    for index in groups[id]?.askers.indices ?? 0..<0 {
      switch update {
      case .queued(_, let position): groups[id]!.askers[index].toldPosition = position
      case .presented: groups[id]!.askers[index].toldPosition = 0
      case .answered, .approved: break
      }
      groups[id]!.askers[index].target.tell(update)
    }
  }

  mutating func tell(_ id: PresentationID, position: Int) {
    guard groups[id]?.askers.contains(where: { $0.target.followsPosition && $0.toldPosition != position }) == true else {
      return
    }
    tell(id, .queued(id, position: position))
  }
}
