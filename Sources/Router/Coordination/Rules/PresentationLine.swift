import DequeModule

/// A waiting line: its ends cost the same however long it is, and leaving it from the middle is a binary search and one
/// move of memory.
struct PresentationLine: Sendable {
  fileprivate struct Member {
    let rank: Int
    let id: PresentationID
  }

  /// One lane for each ``PresentationPlace/lane``, each by rising rank.
  private var lanes: [Deque<Member>] = Array(repeating: [], count: PresentationPlace.laneCount)

  var count: Int { lanes.reduce(0) { $0 + $1.count } }
  var isEmpty: Bool { lanes.allSatisfy(\.isEmpty) }
  /// Whose turn it is next.
  var first: PresentationID? { lanes.lazy.compactMap(\.first).first?.id }
  /// The next one for whom a condition holds.
  func first(where isWanted: (PresentationID) -> Bool) -> PresentationID? {
    for lane in lanes {
      if let member = lane.first(where: { isWanted($0.id) }) { return member.id }
    }
    return nil
  }
  /// Everybody in the line, the next first.
  var ids: [PresentationID] { lanes.flatMap { $0.map(\.id) } }

  mutating func insert(_ id: PresentationID, at place: PresentationPlace) {
    let index = lanes[place.lane].index(of: place.rank)
    lanes[place.lane].insert(Member(rank: place.rank, id: id), at: index)
  }

  mutating func remove(_ id: PresentationID, at place: PresentationPlace) {
    let index = lanes[place.lane].index(of: place.rank)
    precondition(lanes[place.lane][index].id == id, "\(id) is not at \(place)")
    lanes[place.lane].remove(at: index)
  }

  /// How many are ahead of a place.
  func countAhead(of place: PresentationPlace) -> Int {
    lanes[..<place.lane].reduce(0) { $0 + $1.count } + lanes[place.lane].index(of: place.rank)
  }
}

extension Deque<PresentationLine.Member> {
  /// The index of the first member whose rank is not below `rank`.
  fileprivate func index(of rank: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].rank < rank { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
