import OrderedCollections

/// Counts presentations into groups.
struct StatisticsCounter {
  private struct Sum {
    var tally = AuditStatsTally()
    var outcomes: OrderedDictionary<PresentationOutcome.Name, Int> = [:]

    mutating func add(_ other: AuditStatsTally, _ outcome: PresentationOutcome.Name) {
      tally.add(other)
      outcomes[outcome, default: 0] += other.number
    }

    mutating func add(_ other: Sum) {
      tally.add(other.tally)
      outcomes.merge(other.outcomes) { $0 + $1 }
    }

    mutating func add(_ row: SQLiteStatement, from column: Int32, _ outcome: PresentationOutcome.Name) throws {
      try tally.add(row, from: column)
      outcomes[outcome, default: 0] += Int(row.integer(column))
    }

    func group(_ key: String) -> AuditStatistics.Group {
      var outcomes = outcomes.filter { $0.value != 0 }
      outcomes.sort { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
      return AuditStatistics.Group(
        key: key, count: tally.number, outcomes: outcomes, waited: tally.waited.times, shown: tally.shown.times)
    }
  }

  let dimensions: Set<AuditStatistics.Dimension>
  /// The day that a moment is in, in the order of time as in the order of the alphabet.
  let day: (Timestamp) -> String
  private var apps: [String: Sum] = [:]
  private var hours: [Int64: Sum] = [:]
  /// Everything, since each presentation has one.
  private var outcomes: [PresentationOutcome.Name: Sum] = [:]

  init(by dimensions: Set<AuditStatistics.Dimension>, day: @escaping (Timestamp) -> String) {
    self.dimensions = dimensions
    self.day = day
  }

  /// Counts one presentation.
  mutating func add(_ row: AuditIndex.Row) {
    var tally = AuditStatsTally()
    tally.add(requestedAt: row.requestedAt, presentedAt: row.presentedAt, resolvedAt: row.resolvedAt)
    let key = row.key
    if dimensions.contains(.app) { apps[key.app, default: Sum()].add(tally, key.outcome) }
    if hasHours { hours[key.hour, default: Sum()].add(tally, key.outcome) }
    outcomes[key.outcome, default: Sum()].add(tally, key.outcome)
  }

  /// Counts what a row of `stats` has, from the columns `hour`, `outcome`, `app`, `number`, `waited`, `shown`.
  mutating func add(stats row: SQLiteStatement) throws {
    guard let outcome = row.text(1).flatMap(PresentationOutcome.Name.init) else { throw JSONError("an outcome cannot be read") }
    if hasHours { try hours[row.integer(0), default: Sum()].add(row, from: 3, outcome) }
    if dimensions.contains(.app) { try apps[row.text(2) ?? "", default: Sum()].add(row, from: 3, outcome) }
    try outcomes[outcome, default: Sum()].add(row, from: 3, outcome)
  }

  /// Days are put together of hours.
  private var hasHours: Bool { dimensions.contains(.hour) || dimensions.contains(.day) }

  func statistics(open: Int) -> AuditStatistics {
    var groups: [AuditStatistics.Dimension: [AuditStatistics.Group]] = [:]
    for dimension in dimensions {
      switch dimension {
      case .app: groups[.app] = mostFirst(apps.map { $1.group($0) })
      case .outcome: groups[.outcome] = mostFirst(outcomes.map { $1.group($0.rawValue) })
      case .hour:
        groups[.hour] = hours.sorted { $0.key < $1.key }.map { $1.group(Timestamp(hour: $0).description) }
      case .day:
        var days: [String: Sum] = [:]
        for (hour, sum) in hours { days[day(Timestamp(hour: hour)), default: Sum()].add(sum) }
        groups[.day] = days.sorted { $0.key < $1.key }.map { $1.group($0) }
      }
    }
    let total = outcomes.values.reduce(into: Sum()) { $0.add($1) }
    return AuditStatistics(open: open, total: total.group(""), groups: groups.mapValues { $0.filter { $0.count > 0 } })
  }

  private func mostFirst(_ groups: [AuditStatistics.Group]) -> [AuditStatistics.Group] {
    groups.sorted { ($1.count, $0.key) < ($0.count, $1.key) }
  }
}

extension DurationHistogram {
  fileprivate var times: AuditStatistics.Times? {
    guard let median = percentile(50), let ninetieth = percentile(90), let last = percentile(99) else { return nil }
    return AuditStatistics.Times(median: median, ninetieth: ninetieth, ninetyNinth: last)
  }
}

extension Timestamp {
  fileprivate init(hour: Int64) {
    self.init(milliseconds: hour * 3_600_000)
  }
}
