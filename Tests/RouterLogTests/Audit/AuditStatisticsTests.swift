import OrderedCollections
import RouterTesting
import TestSupport
import Testing

@testable import Router
@testable import RouterLog

@Suite(.timeLimit(.minutes(10)))
struct AuditStatisticsTests {
  let log: AuditLog
  let reader: AuditReader
  let samples = AuditSamples()

  init() throws {
    log = try AuditLog.inMemory()
    reader = try AuditReader(log)
  }

  /// The expected statistics, by a full scan.
  private func plain(_ query: AuditQuery) async throws -> (count: Int, open: Int, apps: [String: Int], outcomes: [String: Int])
  {
    var query = query
    query.limit = 100_000
    let page = try await reader.presentationPage(query).page
    let ended = page.filter { $0.state == .resolved }
    return (
      ended.count, page.count - ended.count, Dictionary(grouping: ended, by: \.requester.app).mapValues(\.count),
      Dictionary(grouping: ended) { $0.outcome?.name.rawValue ?? "" }.mapValues(\.count)
    )
  }

  @Test func `counts the same as a full scan for any time span and filter`() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    let outcomes: [PresentationOutcome] = [
      .answered(.button("yes")), .dismissed, .cancelled(.requester), .expired(.queued), .failed("no"),
    ]
    for number in 0..<400 {
      let presentation = samples.presentation(
        Int(random.next() % 20_000), app: ["one", "two", "three"][Int(random.next() % 3)], uid: UInt32(random.next() % 2))
      var entries = [samples.requested(presentation, rank: number)]
      if random.next() % 8 != 0 {
        if random.next() % 2 == 0 {
          entries.append(samples.presented(presentation, after: .milliseconds(Int(random.next() % 9000))))
        }
        entries.append(samples.resolved(presentation, outcomes[Int(random.next() % 5)], after: 10 + Int(random.next() % 500)))
      }
      try await log.append(entries)
    }
    for _ in 0..<60 {
      var query = AuditQuery()
      let times = [0, 1].map { _ in samples.start.advanced(by: .milliseconds(Int(random.next() % 22_000_000))) }
      if random.next() % 4 != 0 { query.since = times.min() }
      if random.next() % 4 != 0 { query.until = times.max() }
      if random.next() % 3 == 0 { query.apps = ["one", "three"] }
      if random.next() % 4 == 0 { query.outcomes = [.answered, .failed] }
      if random.next() % 4 == 0 { query.uids = [1] }
      let (statistics, plain) = (try await reader.statistics(query), try await plain(query))
      #expect(statistics.total.count == plain.count, "seed \(seed)")
      #expect(statistics.open == plain.open, "seed \(seed)")
      let apps = Dictionary(uniqueKeysWithValues: (statistics.groups[.app] ?? []).map { ($0.key, $0.count) })
      #expect(apps == plain.apps, "seed \(seed)")
      let counts = Dictionary(uniqueKeysWithValues: (statistics.groups[.outcome] ?? []).map { ($0.key, $0.count) })
      #expect(counts == plain.outcomes, "seed \(seed)")
      #expect((statistics.groups[.hour] ?? []).reduce(0) { $0 + $1.count } == plain.count, "seed \(seed)")
      #expect((statistics.groups[.day] ?? []).reduce(0) { $0 + $1.count } == plain.count, "seed \(seed)")
      #expect(try AuditStatistics(json: statistics.json) == statistics)
      // Without apps the statistics come from another table.
      let narrow = try await reader.statistics(query, by: [.hour, .day, .outcome])
      #expect(narrow.total == statistics.total && narrow.open == statistics.open, "seed \(seed)")
      let few = try await reader.statistics(query, by: [.app, .outcome])
      #expect(few.total == statistics.total && few.groups[.app] == statistics.groups[.app], "seed \(seed)")
      for dimension in narrow.groups.keys {
        #expect(narrow.groups[dimension] == statistics.groups[dimension], "\(dimension), seed \(seed)")
      }
    }
  }

  @Test func `computes percentiles within a sixteenth of the exact value`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      var histogram = DurationHistogram()
      let lengths = (0..<Int(1 + random.next() % 300)).map { _ in Int64(random.next() % (1 << (random.next() % 36))) }.sorted()
      for length in lengths { histogram.add(DurationBucket(of: .milliseconds(length))) }
      for percent in [1, 50, 90, 99, 100] {
        let truth = lengths[max(1, (lengths.count * percent + 99) / 100) - 1]
        let found = histogram.percentile(percent)?.milliseconds ?? -1
        #expect(abs(found - truth) * 16 <= truth, "\(found) for \(truth), seed \(seed)")
      }
      // Removing what was added empties the histogram.
      for length in lengths { histogram.add(DurationBucket(of: .milliseconds(length)), times: -1) }
      #expect(histogram.count == 0 && histogram.percentile(50) == nil)
    }
  }

  @Test func `measures waiting and display times`() async throws {
    let presentation = samples.presentation(0, app: "deploy")
    try await log.append([
      samples.requested(presentation), samples.presented(presentation, after: .seconds(2)),
      samples.resolved(presentation, .answered(.button("yes")), after: 42),
    ])
    let total = try await reader.statistics().total
    #expect(total.outcomes == [.answered: 1])
    #expect(abs((total.waited?.median ?? .zero).milliseconds - 2000) <= 125)
    #expect(abs((total.shown?.median ?? .zero).milliseconds - 40_000) <= 2500)
    #expect(try await reader.statistics().groups[.day]?.map(\.key) == ["2026-11-21"])
    let local = try await reader.statistics(by: [.day]) { _ in "a day" }
    #expect(local.groups.keys.map(\.self) == [.day])
    #expect(local.groups[.day]?.map(\.key) == ["a day"])
  }

  @Test func `keeps the counts consistent after any pruning`() async throws {
    for number in 0..<200 {
      let presentation = samples.presentation(number * 500, app: number.isMultiple(of: 3) ? "one" : "two")
      try await log.append([samples.requested(presentation), samples.presented(presentation)])
      try await log.append([samples.resolved(presentation, .dismissed, after: 2 + number)])
    }
    let query = AuditQuery()
    for cut in [30, 31, 90, 1000] {
      _ = try await log.prune(
        before: samples.start.advanced(by: .seconds(cut * 500)), at: samples.start.advanced(by: .seconds(1_000_000)))
      try await log.sweep()
      let (statistics, plain) = (try await reader.statistics(query), try await plain(query))
      #expect(statistics.total.count == plain.count && plain.count == max(0, 200 - cut))
      let apps = Dictionary(uniqueKeysWithValues: (statistics.groups[.app] ?? []).map { ($0.key, $0.count) })
      #expect(apps == plain.apps)
    }
    #expect(try log.withWriter { try $0.connection.integer("SELECT count(*) FROM counts") } == 0)
  }
}
