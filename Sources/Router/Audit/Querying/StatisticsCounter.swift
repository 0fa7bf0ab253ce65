import OrderedCollections

/// Counts presentations into groups.
struct StatisticsCounter {
  private struct Sum {
    var tally = AuditStatsTally()
    /// How many ended how, in the order of ``PresentationOutcome/Name/allCases``.
    private var outcomes = [Int](repeating: 0, count: PresentationOutcome.Name.allCases.count)

    mutating func add(_ other: AuditStatsTally, _ outcome: PresentationOutcome.Name) {
      tally.add(other)
      outcomes[outcome.ordinal] += other.number
    }

    mutating func add(_ other: Sum) {
      tally.add(other.tally)
      for index in outcomes.indices { outcomes[index] += other.outcomes[index] }
    }

    mutating func add(_ row: SQLiteStatement, from column: Int32, _ outcome: PresentationOutcome.Name) throws {
      try tally.add(row, from: column)
      outcomes[outcome.ordinal] += Int(row.integer(column))
    }

    func group(_ key: String) -> AuditStatistics.Group {
      var named: OrderedDictionary<PresentationOutcome.Name, Int> = [:]
      for name in PresentationOutcome.Name.allCases where outcomes[name.ordinal] != 0 { named[name] = outcomes[name.ordinal] }
      named.sort { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
      return AuditStatistics.Group(
        key: key, count: tally.number, outcomes: named, waited: tally.waited.times, shown: tally.shown.times)
    }
  }

  let dimensions: Set<AuditStatistics.Dimension>
  /// The day that a moment is in, in the order of time as in the order of the alphabet.
  let day: (Timestamp) -> String
  private let hasApps: Bool
  private let hasHours: Bool
  private let hasDays: Bool
  private let hasOutcomes: Bool
  private var apps: [String: Sum] = [:]
  private var hours: [Int64: Sum] = [:]
  private var days: [String: Sum] = [:]
  private var outcomes: [PresentationOutcome.Name: Sum] = [:]
  /// Everything, where nothing else has everything in it.
  private var rest = Sum()
  /// What rows are counted in now, the hour, or the day where no hours are wanted: they come in the order of hours, and outcomes.
  private var current = Sum()
  private var currentHour: Int64?
  private var currentDay = ""
  private var lastOutcome = (text: "", name: PresentationOutcome.Name.answered)

  init(by dimensions: Set<AuditStatistics.Dimension>, day: @escaping (Timestamp) -> String) {
    self.dimensions = dimensions
    self.day = day
    hasApps = dimensions.contains(.app)
    hasHours = dimensions.contains(.hour)
    hasDays = dimensions.contains(.day)
    hasOutcomes = dimensions.contains(.outcome)
  }

  /// Counts one presentation.
  mutating func add(_ row: AuditIndex.Row) {
    var tally = AuditStatsTally()
    tally.add(requestedAt: row.requestedAt, presentedAt: row.presentedAt, resolvedAt: row.resolvedAt)
    let key = row.key
    if hasApps { apps[key.app ?? "", default: Sum()].add(tally, key.outcome) }
    if hasHours { hours[key.hour, default: Sum()].add(tally, key.outcome) }
    if hasDays { days[day(Timestamp(hour: key.hour)), default: Sum()].add(tally, key.outcome) }
    if hasOutcomes { outcomes[key.outcome, default: Sum()].add(tally, key.outcome) }
    if isRestNeeded { rest.add(tally, key.outcome) }
  }

  /// Counts what a row of `stats` or `totals` has: its columns are `hour`, `outcome`, `number`, `waited`, `shown`, `app`.
  mutating func add(stats row: SQLiteStatement) throws {
    guard let text = row.text(1) else { throw JSONError("an outcome cannot be read") }
    if text != lastOutcome.text {
      guard let name = PresentationOutcome.Name(rawValue: text) else { throw JSONError("an outcome cannot be read") }
      lastOutcome = (text, name)
    }
    let outcome = lastOutcome.name
    if hasHours || hasDays {
      let hour = row.integer(0)
      if currentHour != hour { begin(hour) }
      try current.add(row, from: 2, outcome)
    }
    if hasApps { try apps[row.text(5) ?? "", default: Sum()].add(row, from: 2, outcome) }
    if hasOutcomes { try outcomes[outcome, default: Sum()].add(row, from: 2, outcome) }
    if isRestNeeded { try rest.add(row, from: 2, outcome) }
  }

  private var isRestNeeded: Bool { !hasApps && !hasHours && !hasDays && !hasOutcomes }

  /// Goes on with another hour.
  private mutating func begin(_ hour: Int64) {
    let day = hasDays ? day(Timestamp(hour: hour)) : ""
    if hasHours || day != currentDay { putAway() }
    (currentHour, currentDay) = (hour, day)
  }

  /// Adds what was counted up to now to its hour and its day.
  private mutating func putAway() {
    guard let hour = currentHour else { return }
    if hasHours { hours[hour, default: Sum()].add(current) }
    if hasDays { days[currentDay, default: Sum()].add(current) }
    (current, currentHour) = (Sum(), nil)
  }

  mutating func statistics(open: Int) -> AuditStatistics {
    putAway()
    var groups: [AuditStatistics.Dimension: [AuditStatistics.Group]] = [:]
    for dimension in dimensions {
      switch dimension {
      case .app: groups[.app] = mostFirst(apps.map { $1.group($0) })
      case .outcome: groups[.outcome] = mostFirst(outcomes.map { $1.group($0.rawValue) })
      case .hour:
        groups[.hour] = hours.sorted { $0.key < $1.key }.map { $1.group(Timestamp(hour: $0).description) }
      case .day:
        groups[.day] = days.sorted { $0.key < $1.key }.map { $1.group($0) }
      }
    }
    // Each of them has everything in it; the outcomes are the fewest.
    let all: [Sum] =
      if hasOutcomes {
        Array(outcomes.values)
      } else if hasApps {
        Array(apps.values)
      } else if hasDays {
        Array(days.values)
      } else {
        hasHours ? Array(hours.values) : [rest]
      }
    let total = all.reduce(into: Sum()) { $0.add($1) }
    return AuditStatistics(open: open, total: total.group(""), groups: groups.mapValues { $0.filter { $0.count > 0 } })
  }

  private func mostFirst(_ groups: [AuditStatistics.Group]) -> [AuditStatistics.Group] {
    groups.sorted { ($1.count, $0.key) < ($0.count, $1.key) }
  }
}

extension PresentationOutcome.Name {
  /// Its place in ``allCases``.
  fileprivate var ordinal: Int {
    switch self {
    case .answered: 0
    case .dismissed: 1
    case .cancelled: 2
    case .expired: 3
    case .failed: 4
    }
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
