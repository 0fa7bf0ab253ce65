import OrderedCollections

struct StatisticsCounter {
  private let dimensions: Set<AuditStatistics.Dimension>
  /// The day that a moment is in, in the order of time as in the order of the alphabet.
  private let day: (Timestamp) -> String
  private var apps: [String: Sum] = [:]
  private var hours: [Int64: Sum] = [:]
  private var outcomes: [PresentationOutcome.Name: Sum] = [:]
  /// The measure that the last row had, as text: it is the same in many rows.
  private var lastMeasure = (text: Array("ended".utf8), measure: AuditCounts.Measure.ended)

  init(by dimensions: Set<AuditStatistics.Dimension>, day: @escaping (Timestamp) -> String) {
    self.dimensions = dimensions
    self.day = day
  }

  mutating func add(_ ended: AuditCounts.Ended) {
    let hour = ended.requestedAt.hour
    hours[hour, default: Sum()].add(ended.outcome, 1)
    outcomes[ended.outcome, default: Sum()].add(ended.outcome, 1)
    let isByApp = dimensions.contains(.app)
    if isByApp { apps[ended.app, default: Sum()].add(ended.outcome, 1) }
    for (measure, bucket) in ended.durations {
      hours[hour, default: Sum()].add(measure, bucket, 1)
      outcomes[ended.outcome, default: Sum()].add(measure, bucket, 1)
      if isByApp { apps[ended.app, default: Sum()].add(measure, bucket, 1) }
    }
  }

  /// Counts a row of `counts` for all apps: `period`, `outcome`, `measure`, `bucket`, `n`.
  mutating func add(hour row: SQLiteStatement) throws {
    let (hour, measure, n) = (row.integer(0), try measure(row), try count(row))
    if measure == .ended {
      hours[hour, default: Sum()].add(try outcome(row), n)
    } else {
      hours[hour, default: Sum()].add(measure, bucket(row), n)
    }
  }

  /// Counts a row of `counts` for one app: `app`, `outcome`, `measure`, `bucket`, `n`.
  mutating func add(app row: SQLiteStatement) throws {
    let (outcome, measure, bucket, n) = (try outcome(row), try measure(row), bucket(row), try count(row))
    outcomes[outcome, default: Sum()].add(measure, bucket, n)
    if measure == .waited { outcomes[outcome]?.add(outcome, n) }
    guard dimensions.contains(.app), let app = row.text(0) else { return }
    apps[app, default: Sum()].add(measure, bucket, n)
    if measure == .waited { apps[app]?.add(outcome, n) }
  }

  private func bucket(_ row: SQLiteStatement) -> DurationBucket { DurationBucket(index: Int(row.integer(3))) }

  /// Up to some billions, so that no sum of a file's rows overflows.
  private func count(_ row: SQLiteStatement) throws -> Int { try row.checked(4, "n", in: 0...Int(UInt32.max)) }

  private func outcome(_ row: SQLiteStatement) throws -> PresentationOutcome.Name {
    guard let outcome = row.text(1).flatMap(PresentationOutcome.Name.init) else { throw Self.damage }
    return outcome
  }

  private mutating func measure(_ row: SQLiteStatement) throws -> AuditCounts.Measure {
    if !row.withBytes(2, { $0.elementsEqual(lastMeasure.text) }) {
      guard let text = row.text(2), let measure = AuditCounts.Measure(rawValue: text) else { throw Self.damage }
      lastMeasure = (Array(text.utf8), measure)
    }
    return lastMeasure.measure
  }

  private static var damage: JSONError { JSONError("a row of the table counts cannot be read") }

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
    // By app and outcome alone, no hours were read.
    let counted = hours.isEmpty ? Array(outcomes.values) : Array(hours.values)
    let total = counted.reduce(into: Sum()) { $0.add($1) }
    return AuditStatistics(open: open, total: total.group(""), groups: groups.mapValues { $0.filter { $0.count > 0 } })
  }

  private func mostFirst(_ groups: [AuditStatistics.Group]) -> [AuditStatistics.Group] {
    groups.sorted { ($1.count, $0.key) < ($0.count, $1.key) }
  }
}

extension StatisticsCounter {
  private struct Sum {
    private var outcomes: [PresentationOutcome.Name: Int] = [:]
    var count: Int { outcomes.values.reduce(0, +) }
    private var waited = DurationHistogram()
    private var shown = DurationHistogram()

    mutating func add(_ outcome: PresentationOutcome.Name, _ n: Int) { outcomes[outcome, default: 0] += n }

    mutating func add(_ measure: AuditCounts.Measure, _ bucket: DurationBucket, _ n: Int) {
      switch measure {
      case .ended: break
      case .waited: waited.add(bucket, times: n)
      case .shown: shown.add(bucket, times: n)
      }
    }

    mutating func add(_ other: Sum) {
      outcomes.merge(other.outcomes, uniquingKeysWith: +)
      waited.add(other.waited)
      shown.add(other.shown)
    }

    func group(_ key: String) -> AuditStatistics.Group {
      let named = outcomes.filter { $0.value != 0 }.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
      return AuditStatistics.Group(
        key: key, count: count, outcomes: OrderedDictionary(uniqueKeysWithValues: named.map { ($0.key, $0.value) }),
        waited: waited.times, shown: shown.times)
    }
  }
}

extension DurationHistogram {
  fileprivate var times: AuditStatistics.Times? {
    guard let median = percentile(50), let ninetieth = percentile(90), let last = percentile(99) else { return nil }
    return AuditStatistics.Times(median: median, ninetieth: ninetieth, ninetyNinth: last)
  }
}
