import DequeModule

/// A queue. Adding or removing at either end takes constant time; elsewhere, a binary search and one memory move.
struct PresentationLine: Sendable {
  fileprivate struct Member {
    let place: PresentationPlace
    let id: PresentationID
    let owner: Owner
  }

  /// One lane for each ``PresentationPlace/lane``, in order.
  private var lanes: [Deque<Member>] = Array(repeating: [], count: PresentationPlace.laneCount)

  var isEmpty: Bool { lanes.allSatisfy(\.isEmpty) }
  var first: PresentationID? { lanes.lazy.compactMap(\.first).first?.id }
  func first(where isWanted: (PresentationID) -> Bool) -> PresentationID? {
    for lane in lanes {
      if let member = lane.first(where: { isWanted($0.id) }) { return member.id }
    }
    return nil
  }
  var ids: [PresentationID] { lanes.flatMap { $0.map(\.id) } }

  mutating func insert(_ id: PresentationID, of owner: Owner, at place: PresentationPlace) {
    let index = lanes[place.lane].index(of: (place, id))
    lanes[place.lane].insert(Member(place: place, id: id, owner: owner), at: index)
  }

  mutating func remove(_ id: PresentationID, at place: PresentationPlace) {
    let index = lanes[place.lane].index(of: (place, id))
    precondition(lanes[place.lane][index].id == id, "\(id) is not at \(place)")
    lanes[place.lane].remove(at: index)
  }

  func countAhead(of id: PresentationID, at place: PresentationPlace) -> Int {
    lanes[..<place.lane].reduce(0) { $0 + $1.count } + lanes[place.lane].index(of: (place, id))
  }

  /// The round of a user's next request: after the user's last one in this lane, and after the current round, so that
  /// each user has at most one request per round. Held requests do not count.
  func nextRound(in lane: Int, of owner: Owner, isHeld: (PresentationID) -> Bool) -> Int {
    let members = lanes[lane]
    let current = (members.first { !isHeld($0.id) } ?? members.first)?.place.round ?? -1
    let last = members.last { $0.owner == owner }?.place.round ?? -1
    return max(current, last) + 1
  }
}

extension Deque<PresentationLine.Member> {
  /// The index of the first member that is not before `other`. Places are unique, except in a damaged log.
  fileprivate func index(of other: (place: PresentationPlace, id: PresentationID)) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if (self[middle].place, self[middle].id) < other { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
