import OrderedCollections
import RouterCore

struct StatisticsCounter {
  private let dimensions: Set<AuditStatistics.Dimension>
  /// Returns the day of a time, as text whose alphabetical order is chronological.
  private let day: (Timestamp) -> String
  private var apps: [String: Sum] = [:]
  private var hours: [Int64: Sum] = [:]
  private var endings: [AuditCounts.Ending: Sum] = [:]
  private var lastEnding = Word<AuditCounts.Ending>()
  private var lastMeasure = Word<AuditCounts.Measure>()

  init(by dimensions: Set<AuditStatistics.Dimension>, day: @escaping (Timestamp) -> String) {
    self.dimensions = dimensions
    self.day = day
  }

  mutating func add(_ ended: AuditCounts.Ended) {
    let isByApp = dimensions.contains(.app)
    for (measure, bucket) in ended.durations {
      let count = Count(ending: ended.ending, measure: measure, bucket: bucket, n: 1)
      add(count, hour: ended.requestedAt.hour)
      if isByApp { add(count, app: ended.app) }
    }
  }

  /// Counts a row of `counts`: `app`, `period`, `outcome`, `measure`, `bucket`, `n`.
  mutating func add(_ row: SQLiteStatement) throws {
    guard let app = row.text(0), let ending = lastEnding.read(row, 2), let measure = lastMeasure.read(row, 3)
    else { throw JSONError("a row of the table counts cannot be read") }
    // The limit prevents overflow in sums over all rows.
    let n = Int(try row.checked(5, "n", in: 0...Int(UInt32.max)))
    let count = Count(ending: ending, measure: measure, bucket: DurationBucket(index: Int(clamping: row.integer(4))), n: n)
    if app.isEmpty { add(count, hour: row.integer(1)) } else { add(count, app: app) }
  }

  private mutating func add(_ count: Count, hour: Int64) {
    hours[hour, default: Sum()].add(count)
    if !dimensions.isDisjoint(with: [.outcome, .answer]) { endings[count.ending, default: Sum()].add(count) }
  }

  private mutating func add(_ count: Count, app: String) {
    apps[app, default: Sum()].add(count)
  }

  func statistics(open: Int) -> AuditStatistics {
    var groups: [AuditStatistics.Dimension: [AuditStatistics.Group]] = [:]
    for dimension in dimensions {
      switch dimension {
      case .app: groups[.app] = mostFirst(apps.map { $1.group(.app, $0) })
      case .outcome: groups[.outcome] = mostFirst(ended(.outcome) { $0.outcome.rawValue })
      case .answer: groups[.answer] = mostFirst(ended(.answer) { $0.answer?.rawValue ?? $0.outcome.rawValue })
      case .hour:
        groups[.hour] = hours.sorted { $0.key < $1.key }.map { $1.group(.hour, Timestamp(hour: $0).description) }
      case .day:
        var days: [String: Sum] = [:]
        for (hour, sum) in hours { days[day(Timestamp(hour: hour)), default: Sum()].add(sum) }
        groups[.day] = days.sorted { $0.key < $1.key }.map { $1.group(.day, $0) }
      }
    }
    // No hours were read when grouping by app alone.
    let counted = hours.isEmpty ? Array(apps.values) : Array(hours.values)
    let total = counted.reduce(into: Sum()) { $0.add($1) }
    return AuditStatistics(open: open, total: total.group(nil, ""), groups: groups.mapValues { $0.filter { $0.count > 0 } })
  }

  private func ended(
    _ dimension: AuditStatistics.Dimension, by key: (AuditCounts.Ending) -> String
  ) -> [AuditStatistics.Group] {
    var sums: [String: Sum] = [:]
    for (ending, sum) in endings { sums[key(ending), default: Sum()].add(sum) }
    return sums.map { $1.group(dimension, $0) }
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
    let ending: AuditCounts.Ending
    let measure: AuditCounts.Measure
    let bucket: DurationBucket
    let n: Int
  }

  private struct Sum {
    private var endings: [AuditCounts.Ending: Int] = [:]
    var count: Int { endings.values.reduce(0, +) }
    private var settled = 0
    private var waited = DurationHistogram()
    private var shown = DurationHistogram()

    mutating func add(_ count: Count) {
      switch count.measure {
      case .waited:
        waited.add(count.bucket, times: count.n)
        // Each ended presentation has exactly one `waited` or `settled` duration.
        endings[count.ending, default: 0] += count.n
      case .settled:
        endings[count.ending, default: 0] += count.n
        settled += count.n
      case .shown: shown.add(count.bucket, times: count.n)
      }
    }

    mutating func add(_ other: Sum) {
      endings.merge(other.endings, uniquingKeysWith: +)
      settled += other.settled
      waited.add(other.waited)
      shown.add(other.shown)
    }

    func group(_ dimension: AuditStatistics.Dimension?, _ key: String) -> AuditStatistics.Group {
      func most<Name: RawRepresentable<String> & Hashable>(
        _ name: (AuditCounts.Ending) -> Name?
      ) -> OrderedDictionary<Name, Int> {
        let named = endings.compactMap { ending, n in name(ending).map { ($0, n) } }.filter { $0.1 != 0 }
        let sums = Dictionary(named, uniquingKeysWith: +).sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        return OrderedDictionary(uniqueKeysWithValues: sums.map { ($0.key, $0.value) })
      }
      return AuditStatistics.Group(
        dimension: dimension, key: key, count: count, outcomes: most { $0.outcome }, answers: most { $0.answer },
        settled: settled, waited: waited.times, shown: shown.times)
    }
  }
}

extension DurationHistogram {
  fileprivate var times: AuditStatistics.Times? {
    guard let median = percentile(50), let ninetieth = percentile(90), let last = percentile(99) else { return nil }
    return AuditStatistics.Times(median: median, ninetieth: ninetieth, ninetyNinth: last)
  }
}
