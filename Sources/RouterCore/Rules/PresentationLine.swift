/// A queue. Insertion and removal take a binary search and one memory move.
struct PresentationLine: Sendable {
  fileprivate struct Member {
    let place: PresentationPlace
    let id: PresentationID
    let owner: Owner
  }

  /// One lane for each ``PresentationPlace/lane``, in order.
  private var lanes: [[Member]] = Array(repeating: [], count: PresentationPlace.laneCount)
  /// The snoozed presentations, in the order of their positions. They come after all others, and are never next.
  private var snoozed: [Member] = []

  var isEmpty: Bool { snoozed.isEmpty && lanes.allSatisfy(\.isEmpty) }
  var first: PresentationID? { lanes.lazy.compactMap(\.first).first?.id }
  /// - Parameter last: The last lane to search.
  func first(
    through last: Int = PresentationPlace.laneCount - 1, where isWanted: (PresentationID) -> Bool
  ) -> PresentationID? {
    for lane in lanes[...last] {
      if let member = lane.first(where: { isWanted($0.id) }) { return member.id }
    }
    return nil
  }
  /// The ids of all members; snoozed ones last.
  var ids: [PresentationID] { lanes.flatMap { $0.map(\.id) } + snoozed.map(\.id) }

  mutating func insert(_ entry: OpenPresentation) {
    let member = Member(place: entry.presentation.place, id: entry.id, owner: entry.owner)
    change(entry) { $0.insert(member, at: $0.index(of: entry)) }
  }

  mutating func remove(_ entry: OpenPresentation) {
    change(entry) { lane in
      let index = lane.index(of: entry)
      if index < lane.count, lane[index].id == entry.id { lane.remove(at: index) }
    }
  }

  /// Changes the part of the queue with the presentation's position.
  private mutating func change(_ entry: OpenPresentation, _ body: (inout [Member]) -> Void) {
    if entry.isSnoozed { body(&snoozed) } else { body(&lanes[entry.presentation.place.lane]) }
  }

  func countAhead(of entry: OpenPresentation) -> Int {
    if entry.isSnoozed { return lanes.reduce(0) { $0 + $1.count } + snoozed.index(of: entry) }
    let lane = entry.presentation.place.lane
    return lanes[..<lane].reduce(0) { $0 + $1.count } + lanes[lane].index(of: entry)
  }

  /// The round of a user's next request: after the user's last one in this lane, and after the current round, so that
  /// each user has at most one request per round. Held requests are not the current round.
  func nextRound(in lane: Int, of owner: Owner, isHeld: (PresentationID) -> Bool) -> Int {
    let members = lanes[lane]
    let current = (members.first { !isHeld($0.id) } ?? members.first)?.place.round ?? -1
    let last = members.last { $0.owner == owner }?.place.round ?? -1
    // A user's prompts keep their order when they come back.
    let later = snoozed.last { $0.owner == owner && $0.place.lane == lane }?.place.round ?? -1
    return max(current, last, later) + 1
  }
}

extension [PresentationLine.Member] {
  /// The index of the first member at or after an entry's position. Positions are unique, except in a damaged log.
  fileprivate func index(of entry: OpenPresentation) -> Int {
    let other = (entry.presentation.place, entry.id)
    return partitioningIndex { ($0.place, $0.id) >= other }
  }
}
