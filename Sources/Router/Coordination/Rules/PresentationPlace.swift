/// Where a presentation stands in a line: lower is sooner.
public struct PresentationPlace: Sendable, Hashable, Comparable {
  /// 0 for what was shown before or takes the place of what was; then one lane for each priority, the highest first.
  public var lane: Int
  /// The order within the lane.
  public var rank: Int

  public init(lane: Int, rank: Int) {
    self.lane = lane
    self.rank = rank
  }

  /// How many lanes there are.
  static let laneCount = 5
  /// The lane before all priorities.
  static let front = 0

  /// The lane of a priority.
  static func lane(of priority: PresentationPriority) -> Int {
    switch priority {
    case .critical: 1
    case .high: 2
    case .normal: 3
    case .low: 4
    }
  }

  public static func < (left: PresentationPlace, right: PresentationPlace) -> Bool {
    (left.lane, left.rank) < (right.lane, right.rank)
  }
}
