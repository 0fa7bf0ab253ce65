import RouterTesting
import TestSupport
import Testing

@testable import Router
@testable import RouterCore
@testable import RouterLog
@testable import RouterSystem
@testable import RouterTerminal

/// SQLite's query plans.
@Suite(.timeLimit(.minutes(10)))
struct AuditPlanTests {
  let log: AuditLog
  let samples = AuditSamples()

  init() async throws {
    log = try AuditLog.inMemory()
    for number in 0..<50 {
      let presentation = samples.presentation(number * 600, app: number.isMultiple(of: 2) ? "even" : "odd")
      try await log.append([samples.requested(presentation), samples.resolved(presentation, .dismissed)])
    }
  }

  private func plan(_ change: @Sendable @escaping (inout AuditQuery) -> Void) async throws -> [String] {
    try await AuditReader(log).read { connection in
      var query = AuditQuery()
      change(&query)
      let sql = try #require(try AuditPlan(query, connection).numbers)
      return try connection.rows(SQLText("EXPLAIN QUERY PLAN ") + sql) { $0.text(3) ?? "" }
    }
  }

  @Test func `finds a part of an id from ranges of indexes`() async throws {
    let plans = try await AuditReader(log).read { connection in
      try [IDPart.beginning, IDPart.end].map { sql in
        try connection.rows("EXPLAIN QUERY PLAN \(sql)") { $0.text(3) ?? "" }
      }
    }
    #expect(
      plans == [
        ["SEARCH presentations USING COVERING INDEX sqlite_autoindex_presentations_1 (id>? AND id<?)"],
        ["SEARCH presentations USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"],
      ])
  }

  @Test func `adds an event without a temporary table, and finds standing decisions by their index`() async throws {
    let insert = "INSERT INTO events (seq, at, type, presentation, detail, hash) VALUES (?, ?, ?, ?, ?, ?)"
    let standing = "SELECT seq FROM events WHERE \(AuditSchema.isStanding) AND seq > 1 ORDER BY seq"
    let (opcodes, plan) = try await AuditReader(log).read { connection in
      (
        try connection.rows("EXPLAIN \(insert)") { $0.text(1) ?? "" },
        try connection.rows("EXPLAIN QUERY PLAN \(standing)") { $0.text(3) ?? "" }
      )
    }
    #expect(opcodes.contains("Insert") && !opcodes.contains("OpenEphemeral"))
    #expect(plan.count == 1 && plan[0].contains("USING INDEX events_standing (seq>?)"), "\(plan)")
  }

  @Test func `finds the events of a grant by their index`() async throws {
    let sql = "SELECT seq FROM events WHERE \(AuditSchema.grantID) = 'x' AND \(AuditSchema.isOfGrant) ORDER BY seq"
    let plan = try await AuditReader(log).read { try $0.rows("EXPLAIN QUERY PLAN \(sql)") { $0.text(3) ?? "" } }
    #expect(plan == ["SEARCH events USING INDEX events_of_grant (<expr>=?)"])
    let list = "SELECT seq FROM events WHERE \(AuditSchema.isStanding) AND \(AuditSchema.isOfGrant) ORDER BY seq DESC LIMIT 9"
    let listPlan = try await AuditReader(log).read { try $0.rows("EXPLAIN QUERY PLAN \(list)") { $0.text(3) ?? "" } }
    #expect(listPlan == ["SCAN events USING INDEX events_standing"])
  }

  private func isSorted(_ plan: [String]) -> Bool { plan.contains { $0.contains("TEMP B-TREE") } }

  @Test func `reads the newest presentations from the end of the table`() async throws {
    let plan = try await plan { _ in }
    #expect(plan == ["SCAN presentations"])
  }

  @Test func `reads one app in one hour from a range of one index`() async throws {
    let (start, end) = (samples.start.advanced(by: .seconds(7200)), samples.start.advanced(by: .seconds(10_800)))
    let plan = try await plan { query in
      query.apps = ["even"]
      (query.since, query.until) = (start, end)
    }
    #expect(
      plan == ["SEARCH presentations USING INDEX presentations_by_app (app=? AND rowid>? AND rowid<?)"], "\(plan)")
  }

  @Test func `reads a time span from a range of the table`() async throws {
    let (start, end) = (samples.start.advanced(by: .seconds(7200)), samples.start.advanced(by: .seconds(10_800)))
    let plan = try await plan { query in (query.since, query.until) = (start, end) }
    #expect(plan == ["SEARCH presentations USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"])
  }

  @Test(arguments: ["uid", "surface", "outcome"])
  func `reads each indexed filter from its index in order`(column: String) async throws {
    let plan = try await plan { query in
      switch column {
      case "uid": query.uids = [7]
      case "surface": query.surfaces = ["desk"]
      default: query.outcomes = [.failed]
      }
    }
    #expect(plan == ["SEARCH presentations USING COVERING INDEX presentations_by_\(column) (\(column)=?)"], "\(plan)")
  }

  @Test func `reads several values in order and sorts the page only`() async throws {
    let plan = try await plan { $0.apps = ["even", "odd"] }
    let search = "SEARCH presentations USING COVERING INDEX presentations_by_app (app=?)"
    #expect(plan.filter { $0 == search }.count == 2, "\(plan)")
    #expect(!plan.contains { $0.hasPrefix("SCAN presentations") }, "\(plan)")
  }

  @Test func `reads search matches in request order from the search index`() async throws {
    let plan = try await plan { $0.search = "deploy" }
    #expect(plan.first?.hasPrefix("SCAN words VIRTUAL TABLE INDEX") == true, "\(plan)")
    #expect(!isSorted(plan), "\(plan)")
  }

  @Test func `finds time spans even if the clock was set`() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    let log = try AuditLog.inMemory()
    var at: Int64 = 1_795_000_000_000
    var all: [Presentation] = []
    for _ in 0..<300 {
      // Mostly forward, often slightly back, occasionally by hours in either direction.
      switch random.next() % 20 {
      case 0: at += Int64(random.next() % 20_000_000) - 10_000_000
      case 1...5: at -= Int64(random.next() % 9000)
      default: at += Int64(random.next() % 30_000)
      }
      let time = Timestamp(milliseconds: at)
      let sample = samples.presentation()
      let presentation = Presentation(
        id: sample.id, requester: sample.requester, request: sample.request, requestedAt: time)
      all.append(presentation)
      try await log.append([samples.requested(presentation, rank: all.count)])
    }
    let reader = try AuditReader(log)
    for _ in 0..<100 {
      let (one, other) = (all[Int(random.next() % 300)].requestedAt, all[Int(random.next() % 300)].requestedAt)
      var query = AuditQuery()
      query.order = .oldestFirst
      query.limit = 1000
      query.since = random.next() % 4 == 0 ? nil : min(one, other)
      query.until = random.next() % 4 == 0 ? nil : max(one, other)
      let expected = all.filter {
        $0.requestedAt >= query.since ?? $0.requestedAt && $0.requestedAt < query.until ?? Timestamp(milliseconds: .max)
      }
      #expect(try await reader.presentationPage(query).page.map(\.id) == expected.map(\.id), "seed \(seed)")
      let events = try await reader.eventPage(query).page
      #expect(events.map(\.presentation) == expected.map(\.id), "seed \(seed)")
    }
  }
}
