/// A queue position: lower is sooner. Within a lane, users take turns (rounds); within a round, order is first in, first out.
/// The position is recorded with the request, so the order survives a restart.
package struct PresentationPlace: Sendable, Hashable, Comparable {
  /// The lane; lower is sooner. Lane 0 is for presentations that were shown before, or that replace such a presentation. Each
  /// priority has a further lane, highest first.
  package var lane: Int
  /// The user's turn within the lane.
  package var round = 0
  package var rank: Int

  package static let laneCount = 5
  package init(lane: Int, round: Int = 0, rank: Int) {
    (self.lane, self.round, self.rank) = (lane, round, rank)
  }

  static let front = 0

  package static func < (left: PresentationPlace, right: PresentationPlace) -> Bool {
    (left.lane, left.round, left.rank) < (right.lane, right.round, right.rank)
  }
}

extension PresentationOptions.Priority {
  /// The lane of a waiting presentation; lower is sooner.
  package var lane: Int {
    switch self {
    case .critical: 1
    case .high: 2
    case .normal: 3
    case .low: 4
    }
  }
}
