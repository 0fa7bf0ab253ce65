import OrderedCollections

struct StatisticsCounter {
  private let dimensions: Set<AuditStatistics.Dimension>
  /// Returns the day of a time, as text whose alphabetical order is chronological.
  private let day: (Timestamp) -> String
  private var apps: [String: Sum] = [:]
  private var hours: [Int64: Sum] = [:]
  private var outcomes: [PresentationOutcome.Name: Sum] = [:]
  private var lastOutcome = Word<PresentationOutcome.Name>()
  private var lastMeasure = Word<AuditCounts.Measure>()

  init(by dimensions: Set<AuditStatistics.Dimension>, day: @escaping (Timestamp) -> String) {
    self.dimensions = dimensions
    self.day = day
  }

  mutating func add(_ ended: AuditCounts.Ended) {
    let isByApp = dimensions.contains(.app)
    for (measure, bucket) in ended.durations {
      let count = Count(outcome: ended.outcome, measure: measure, bucket: bucket, n: 1)
      add(count, hour: ended.requestedAt.hour)
      if isByApp { add(count, app: ended.app) }
    }
  }

  /// Counts a row of `counts`: `app`, `period`, `outcome`, `measure`, `bucket`, `n`.
  mutating func add(_ row: SQLiteStatement) throws {
    guard let app = row.text(0), let outcome = lastOutcome.read(row, 2), let measure = lastMeasure.read(row, 3)
    else { throw JSONError("a row of the table counts cannot be read") }
    // The limit keeps sums over all rows from overflowing.
    let n = Int(try row.checked(5, "n", in: 0...Int(UInt32.max)))
    let count = Count(outcome: outcome, measure: measure, bucket: DurationBucket(index: Int(clamping: row.integer(4))), n: n)
    if app.isEmpty { add(count, hour: row.integer(1)) } else { add(count, app: app) }
  }

  private mutating func add(_ count: Count, hour: Int64) {
    hours[hour, default: Sum()].add(count)
    if dimensions.contains(.outcome) { outcomes[count.outcome, default: Sum()].add(count) }
  }

  private mutating func add(_ count: Count, app: String) {
    apps[app, default: Sum()].add(count)
  }

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
    // No hours were read when grouping by app alone.
    let counted = hours.isEmpty ? Array(apps.values) : Array(hours.values)
    let total = counted.reduce(into: Sum()) { $0.add($1) }
    return AuditStatistics(open: open, total: total.group(""), groups: groups.mapValues { $0.filter { $0.count > 0 } })
  }

  private func mostFirst(_ groups: [AuditStatistics.Group]) -> [AuditStatistics.Group] {
    groups.sorted { ($1.count, $0.key) < ($0.count, $1.key) }
  }
}

extension StatisticsCounter {
  /// A cached value for a column that rarely changes between rows: it is parsed only when its bytes differ.
  private struct Word<Value: RawRepresentable<String>> {
    private var bytes: [UInt8] = []
    private var value: Value?

    mutating func read(_ row: SQLiteStatement, _ column: Int32) -> Value? {
      if !row.withBytes(column, { $0.elementsEqual(bytes) }) {
        let text = row.text(column) ?? ""
        (bytes, value) = (Array(text.utf8), Value(rawValue: text))
      }
      return value
    }
  }

  private struct Count {
    let outcome: PresentationOutcome.Name
    let measure: AuditCounts.Measure
    let bucket: DurationBucket
    let n: Int
  }

  private struct Sum {
    private var outcomes: [PresentationOutcome.Name: Int] = [:]
    var count: Int { outcomes.values.reduce(0, +) }
    private var waited = DurationHistogram()
    private var shown = DurationHistogram()

    mutating func add(_ count: Count) {
      switch count.measure {
      case .waited:
        waited.add(count.bucket, times: count.n)
        // Each ended presentation has exactly one `waited` duration.
        outcomes[count.outcome, default: 0] += count.n
      case .shown: shown.add(count.bucket, times: count.n)
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
