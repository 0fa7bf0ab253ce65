import Foundation
import RouterTesting
import Testing

@testable import Router

/// Queries say the same whether what they ask for is in the tables that are written in company, or still fresh.
@Suite(.timeLimit(.minutes(20)))
struct AuditIndexTests {
  private let directory: TemporaryDirectory
  private let path: String
  private let samples = AuditSamples()

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("routerd.db")
  }

  /// Presentations that were drawn, as they are on record now.
  private struct Drawn {
    var random: SplitMix64
    let samples: AuditSamples
    var presentations: [Presentation] = []

    mutating func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }

    mutating func next() -> [AuditEntry] {
      let request = PresentationRequest(
        kind: .alert, title: pick(["Deploy?", "Delete the disk", "Wipe"]), message: pick([nil, "for ever", "now"]),
        surface: pick(["main", "desk"]))
      var presentation = samples.presentation(
        presentations.count, request, app: pick(["agent", "deploy", "mail"]), uid: pick([1000, 1001]))
      let entry = samples.requested(presentation, rank: presentations.count)
      guard random.next() % 4 > 0 else {
        presentations.append(presentation)
        return [entry]
      }
      let outcome = pick([
        PresentationOutcome.answered(.button("go")), .dismissed, .failed("no display"), .cancelled(.requester),
      ])
      let end = samples.resolved(presentation, outcome, after: 1 + Int(random.next() % 9))
      presentation = end.row?.presentation ?? presentation
      presentations.append(presentation)
      return [entry, end]
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

  /// What a query means, by looking at everything.
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
  func `any query, at any moment`(round: Int) async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var drawn = Drawn(random: SplitMix64(seed: seed), samples: samples)
    let log = try AuditLog(path: path)
    let reader = try AuditReader(log)
    for stage in 0..<6 {
      for _ in 0..<20 { try await log.append(drawn.next()) }
      // All fresh, all in the tables, and some of both.
      if stage % 2 == 1 { try await log.index() }
      for _ in 0..<40 {
        let query = drawn.query()
        let meant = meant(by: query, drawn.presentations)
        let comment = Comment("seed \(seed), stage \(stage): \(query)")
        let page = try await reader.presentations(query)
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
    #expect(try await reader.verify().fault == nil)
  }

  /// How many have ended and are in none of the tables.
  private func freshCount() throws -> Int64 {
    try SQLiteConnection(path: path, mode: .readOnly).integer(
      "SELECT count(*) FROM fresh JOIN presentations USING (number) WHERE state = 'resolved'")
  }

  private func end(_ count: Int, from first: Int = 0, in log: AuditLog) async throws {
    for number in first..<first + count {
      let presentation = samples.presentation(number)
      try await log.append([samples.requested(presentation), samples.resolved(presentation, .dismissed)])
    }
    // The tables are written after the last append is told of.
    await withCheckedContinuation { continuation in log.turn { continuation.resume() } }
  }

  @Test func `they are written when enough has ended`() async throws {
    let log = try AuditLog(path: path)
    try await end(AuditIndex.batch - 1, in: log)
    #expect(try freshCount() == Int64(AuditIndex.batch) - 1)
    try await end(1, from: AuditIndex.batch, in: log)
    #expect(try freshCount() == 0)
  }

  @Test func `long texts do not wait in memory for others`() async throws {
    let log = try AuditLog(path: path)
    let text = String(repeating: "a long word ", count: 8000)
    for number in 0..<3 {
      let presentation = samples.presentation(number)
      let answer = PresentationOutcome.answered(.value(["text": .string(text)]))
      try await log.append([samples.requested(presentation), samples.resolved(presentation, answer)])
    }
    await withCheckedContinuation { continuation in log.turn { continuation.resume() } }
    #expect(try freshCount() == 0)
  }

  @Test func `what was fresh when the program was killed is taken up by the next`() async throws {
    let first = try AuditLog(path: path)
    try await end(AuditIndex.batch - 2, in: first)
    // Its files as they are, as a kill leaves them.
    let copy = directory.file("killed.db")
    for suffix in ["", "-wal"] {
      let content = try #require(FileManager.default.contents(atPath: path + suffix))
      #expect(FileManager.default.createFile(atPath: copy + suffix, contents: content))
    }
    let log = try AuditLog(path: copy)
    #expect(try await AuditReader(log).statistics().total.count == AuditIndex.batch - 2)
    try await end(2, from: AuditIndex.batch, in: log)
    let count = try SQLiteConnection(path: copy, mode: .readOnly).integer("SELECT count(*) FROM texts")
    #expect(count == Int64(AuditIndex.batch))
    #expect(try await AuditReader(log).statistics().total.count == AuditIndex.batch)
  }

  @Test func `closing the log leaves nothing fresh that has ended`() async throws {
    let log = try AuditLog(path: path)
    try await end(3, in: log)
    await log.close()
    #expect(try freshCount() == 0)
  }

  @Test func `where they cannot be written everything else goes on, and is found, until they can`() async throws {
    let warnings = Mutex<[RouterError]>([])
    let log = try AuditLog(path: path, warning: { error in warnings.withLock { $0.append(error) } })
    try await log.writer.perform { connection in
      try connection.execute("CREATE TRIGGER broken BEFORE INSERT ON texts BEGIN SELECT RAISE(ABORT, 'it is broken'); END")
    }
    let count = 2 * AuditIndex.batch + 10
    try await end(count, in: log)
    let told = warnings.withLock(\.self)
    #expect(told.map(\.code) == [.database, .database])
    #expect(told.first?.description.contains("it is broken") == true)
    let reader = try AuditReader(log)
    #expect(try await reader.statistics().total.count == count)
    var query = AuditQuery()
    (query.apps, query.limit) = (["tests"], 2000)
    #expect(try await reader.presentations(query).page.count == count)
    try await log.writer.perform { try $0.execute("DROP TRIGGER broken") }
    try await end(AuditIndex.batch, from: count, in: log)
    try await log.index()
    #expect(try freshCount() == 0)
    #expect(try await reader.statistics().total.count == count + AuditIndex.batch)
    #expect(try await reader.presentations(query).page.count == count + AuditIndex.batch)
  }

  @Test func `a damaged row stays fresh, and holds up no other`() async throws {
    do {
      let log = try AuditLog(path: path)
      try await end(3, in: log)
      try await log.writer.perform { connection in
        try connection.execute(
          "DROP TRIGGER presentations_end_once; UPDATE presentations SET result = '{' WHERE number = 2; DELETE FROM texts")
      }
    }
    let log = try AuditLog(path: path)
    try await log.index()
    #expect(try freshCount() == 1)
    try await end(1, from: 3, in: log)
    try await log.index()
    #expect(try freshCount() == 1)
  }
}
