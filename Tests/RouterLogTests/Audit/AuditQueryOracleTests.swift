import RouterTesting
import TestSupport
import Testing

@testable import Router
@testable import RouterLog

/// Queries and statistics compared with a full scan, for generated presentations.
@Suite(.timeLimit(.minutes(10)))
struct AuditQueryOracleTests {
  /// Random presentations in their recorded state.
  private struct Drawn {
    var random: SplitMix64
    let samples = AuditSamples()
    var presentations: [Presentation] = []

    mutating func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }

    mutating func next() throws -> [Event] {
      let request = PresentationRequest(
        kind: .alert, title: pick(["Deploy?", "Delete the disk", "Wipe"]), message: pick([nil, "for ever", "now"]),
        surface: pick(["main", "desk"]))
      let sample = samples.presentation(
        presentations.count, request, app: pick(["agent", "deploy", "mail"]), uid: pick([1000, 1001]))
      var entries = [samples.requested(sample, rank: presentations.count)]
      if random.next() % 4 > 0 {
        let outcome = pick([
          PresentationOutcome.answered(.button("go")), .dismissed, .failed("no display"), .cancelled(.requester),
        ])
        entries.append(samples.resolved(sample, outcome, after: 1 + Int(random.next() % 9)))
      }
      presentations.append(samples.folded(sample) ?? sample)
      return entries
    }

    mutating func query() -> AuditQuery {
      var query = AuditQuery()
      query.order = pick([.newestFirst, .oldestFirst])
      query.limit = pick([3, 1000])
      query.apps = pick([[], [], ["agent"], ["deploy", "mail"]])
      query.uids = pick([[], [], [1001]])
      query.surfaces = pick([[], [], ["desk"]])
      query.outcomes = pick([[], [], [.failed], [.answered], [.dismissed, .cancelled]])
      query.search = pick([nil, nil, "deploy", "wip*", "*isk", "display", "\"for ever\" delete"])
      let end = presentations.count
      query.since = pick([nil, nil, samples.start.advanced(by: .seconds(end / 3))])
      query.until = pick([nil, nil, samples.start.advanced(by: .seconds(end / 2 + 1))])
      return query
    }
  }

  /// The expected result of a query, by a full scan.
  private func meant(by query: AuditQuery, _ presentations: [Presentation]) -> [Presentation] {
    let found = presentations.filter { presentation in
      let (request, requester) = (presentation.request, presentation.requester)
      let text = SearchableText(presentation)
      let words = [text.title, text.message, text.answer].compactMap { $0?.lowercased() }
      func has(_ part: String) -> Bool { words.contains { $0.contains(part) } }
      let isFound: Bool =
        switch query.search {
        case nil: true
        case "deploy": has("deploy")
        case "wip*": has("wip")
        case "*isk": has("isk")
        case "display": has("display")
        default: has("for ever") && has("delete")
        }
      return isFound && (query.apps.isEmpty || query.apps.contains(requester.app))
        && (query.uids.isEmpty || query.uids.contains(requester.process.uid))
        && (query.surfaces.isEmpty || query.surfaces.contains(request.surface))
        && (query.outcomes.isEmpty || presentation.outcome.map { query.outcomes.contains($0.name) } == true)
        && presentation.requestedAt >= query.since ?? presentation.requestedAt
        && presentation.requestedAt < query.until ?? Timestamp(milliseconds: .max)
    }
    return query.order == .newestFirst ? found.reversed() : found
  }

  @Test(arguments: 0..<4)
  func `finds the same presentations as a full scan`(round: Int) async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var drawn = Drawn(random: SplitMix64(seed: seed))
    let directory = try TemporaryDirectory()
    let log = try AuditLog(path: directory.file("routerd.db"))
    let reader = try AuditReader(log)
    for _ in 0..<6 {
      for _ in 0..<20 { try await log.append(try drawn.next()) }
      for _ in 0..<40 {
        let query = drawn.query()
        let meant = meant(by: query, drawn.presentations)
        let comment = Comment("seed \(seed): \(query)")
        let page = try await reader.presentationPage(query)
        #expect(page.page.map(\.id) == meant.prefix(query.limit).map(\.id), comment)
        #expect((page.next != nil) == (meant.count > query.limit), comment)
        let statistics = try await reader.statistics(query)
        #expect(statistics.open == meant.count { $0.state != .resolved }, comment)
        #expect(statistics.total.count == meant.count { $0.state == .resolved }, comment)
        let apps = Dictionary(grouping: meant.filter { $0.state == .resolved }, by: \.requester.app).mapValues(\.count)
        let counted = statistics.groups[.app]?.map { ($0.key, $0.count) } ?? []
        #expect(Dictionary(uniqueKeysWithValues: counted) == apps, comment)
      }
    }
  }
}
