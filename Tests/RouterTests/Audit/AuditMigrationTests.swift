import Foundation
import OrderedCollections
import Testing

@testable import Router

/// Databases of earlier versions.
@Suite(.timeLimit(.minutes(20)))
struct AuditMigrationTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("routerd.db")
  }

  private static let id = "01a1fdb6-ea24-7114-b4fd-98d4271e7c7c"
  private static let detail = #"{"request":{"kind":"alert","title":"?"}}"#

  /// A database as the first version left it, with one presentation.
  private func makeFirstVersion() throws {
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    try connection.execute(AuditMigrations.steps[0].sql)
    try connection.execute("PRAGMA journal_mode = WAL; PRAGMA user_version = 1;")
    try connection.execute("PRAGMA application_id = \(AuditMigrations.applicationID)")
    var chain = AuditChain()
    chain.append(at: "2026-11-21T07:00:00.000Z", type: "requested", presentation: Self.id, detail: Self.detail.utf8)
    try connection.run(
      "INSERT INTO events (seq, at, type, presentation, detail, hash) VALUES (?, ?, ?, ?, ?, ?)", .integer(chain.seq),
      .text("2026-11-21T07:00:00.000Z"), .text("requested"), .text(Self.id), .text(Self.detail), .blob(chain.hash))
    try connection.execute(
      """
      INSERT INTO presentations (
        id, surface, kind, app, uid, gid, pid, executable, title, request, requested_at, state, attached, lane, rank,
        level, covered, generation)
      VALUES (
        '\(Self.id)', 'main', 'alert', 'deploy', 1000, 1000, 42, '/bin/x', '?', '{"kind":"alert","title":"?"}',
        '2026-11-21T07:00:00.000Z', 'queued', 0, 3, 0, 0, 0, 0)
      """)
  }

  private var version: Int64 {
    get throws { try SQLiteConnection(path: path, mode: .readOnly).integer("PRAGMA user_version") }
  }

  @Test func `the first version is read as it is, without a unit`() async throws {
    try makeFirstVersion()
    let page = try await AuditReader(path: path).presentations(AuditQuery()).page
    #expect(page.map(\.id.description) == [Self.id])
    #expect(
      page.first?.requester.process == ProcessIdentity(uid: 1000, gid: 1000, pid: 42, executable: "/bin/x", unit: nil))
    #expect(try version == 1)
  }

  @Test func `the first version is brought up to date, and goes on`() async throws {
    try makeFirstVersion()
    let log = try AuditLog(path: path)
    #expect(try version == Int64(AuditMigrations.steps.count))
    var samples = AuditSamples().presentation(1)
    samples = Presentation(
      id: samples.id,
      requester: Requester(app: "new", process: ProcessIdentity(uid: 1, gid: 1, pid: 1, unit: "deploy.service")),
      request: samples.request, requestedAt: samples.requestedAt)
    try await log.append([AuditSamples().requested(samples, rank: 1)])
    let reader = try AuditReader(path: path)
    #expect(try await reader.presentations(AuditQuery()).page.map(\.requester.process.unit) == ["deploy.service", nil])
    #expect(try await reader.open().map(\.presentation.requester.process.unit) == [nil, "deploy.service"])
    // The chain goes on where it was: no byte of the events has changed.
    let events = try SQLiteConnection(path: path, mode: .readOnly).rows(
      "SELECT at, type, presentation, detail, hash FROM events ORDER BY seq"
    ) { ($0.text(0) ?? "", $0.text(1) ?? "", $0.text(2), $0.text(3) ?? "", $0.blob(4)) }
    var chain = AuditChain()
    for (at, type, presentation, detail, hash) in events {
      chain.append(at: at, type: type, presentation: presentation, detail: detail.utf8)
      #expect(chain.hash == hash)
    }
    #expect(events.count == 2)
  }

  /// A database of the version before the queries', with presentations of which all but the last few have ended.
  private func makeThirdVersion(count: Int, open: Int = 0) throws {
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    for step in AuditMigrations.steps.prefix(3) { try connection.execute(step.sql) }
    try connection.execute("PRAGMA journal_mode = WAL; PRAGMA user_version = 3;")
    try connection.execute("PRAGMA application_id = \(AuditMigrations.applicationID)")
    var chain = AuditChain()
    let samples = AuditSamples()
    for number in 0..<count {
      // The clock is set back by an hour in the middle.
      let sample = samples.presentation(number < count / 2 ? number + 3600 : number)
      let isOpen = number >= count - open
      let end = samples.resolved(sample, .answered(.button("go\(number % 2)")))
      for entry in [samples.requested(sample)] + (isOpen ? [] : [end]) {
        let (at, type, detail) = (entry.at.description, entry.kind.rawValue, entry.detail.description)
        chain.append(at: at, type: type, presentation: sample.id.description, detail: detail.utf8)
        try connection.run(
          "INSERT INTO events (seq, at, type, presentation, detail, hash) VALUES (?, ?, ?, ?, ?, ?)", .integer(chain.seq),
          .text(at), .text(type), .text(sample.id.description), .text(detail), .blob(chain.hash))
      }
      try connection.run(
        """
        INSERT INTO presentations (
          id, surface, kind, app, uid, gid, pid, executable, title, request, requested_at, state, attached, lane, rank,
          level, covered, generation, resolved_at, outcome, result)
        VALUES (?, 'main', 'alert', 'tests', 1000, 1000, 42, '/bin/x', '?', ?, ?, ?, 0, 3, 0, 0, 0, 0, ?, ?, ?)
        """, .text(sample.id.description), .text(sample.request.json.description), .text(sample.requestedAt.description),
        .text(isOpen ? "queued" : "resolved"),
        .optional(isOpen ? nil : sample.requestedAt.advanced(by: .seconds(2)).description),
        .optional(isOpen ? nil : "answered"),
        .optional(isOpen ? nil : PresentationOutcome.answered(.button("go\(number % 2)")).json.description))
    }
  }

  @Test func `an earlier version is searched and counted as it is, without its tables`() async throws {
    try makeThirdVersion(count: 6)
    let reader = try AuditReader(path: path)
    var query = AuditQuery()
    query.search = "go1"
    #expect(try await reader.presentations(query).page.count == 3)
    query.search = "*o0"
    #expect(try await reader.presentations(query).page.count == 3)
    #expect(try await reader.statistics().total.count == 6)
    #expect(try await reader.verify().fault == nil)
    #expect(try version == 3)
  }

  @Test func `what an earlier version wrote is found by the new indexes`() async throws {
    try makeThirdVersion(count: 40)
    let told = Mutex<[AuditMigration]>([])
    let log = try AuditLog(path: path) { migration in told.withLock { $0.append(migration) } }
    #expect(told.withLock(\.self) == [AuditMigration(path: path, from: 3, to: AuditMigrations.steps.count, events: 80)])
    let reader = try AuditReader(path: path)
    var query = AuditQuery()
    query.search = "go1"
    #expect(try await reader.presentations(query).page.count == 20)
    #expect(try await reader.statistics().total.outcomes == [.answered: 40])
    #expect(try await reader.statistics(by: [.day]).total == reader.statistics(by: [.app]).total)
    #expect(try await reader.verify().fault == nil)
    query = AuditQuery()
    query.until = AuditSamples().start.advanced(by: .seconds(3000))
    #expect(try await reader.presentations(query).page.count == 20)
    // And it goes on from there.
    let next = AuditSamples().presentation(5000)
    try await log.append([AuditSamples().requested(next), AuditSamples().resolved(next, .dismissed)])
    #expect(try await reader.statistics().total.count == 41)
    #expect(try await reader.verify().fault == nil)
  }

  /// Brings a database of the third version to a later one.
  private func bring(to version: Int) throws {
    let connection = try SQLiteConnection(path: path, mode: .existing)
    for step in AuditMigrations.steps[3..<version] {
      try connection.execute(step.sql)
      try step.backfill(connection)
    }
    try connection.execute("PRAGMA user_version = \(version)")
  }

  @Test(arguments: [4, 5, 6]) func `each version with queries answers the same, before it is brought up to date and after`(
    version: Int
  ) async throws {
    try makeThirdVersion(count: 20, open: 1)
    try bring(to: version)
    func check() async throws {
      let reader = try AuditReader(path: path)
      func count(_ change: (inout AuditQuery) -> Void) async throws -> Int {
        var query = AuditQuery()
        change(&query)
        return try await reader.presentations(query).page.count
      }
      #expect(try await count { $0.apps = ["tests"] } == 20)
      #expect(try await count { $0.uids = [1000] } == 20)
      #expect(try await count { $0.surfaces = ["desk"] } == 0)
      #expect(try await count { $0.outcomes = [.answered] } == 19)
      #expect(try await count { $0.search = "go1" } == 9)
      #expect(try await count { $0.search = "*o0" } == 10)
      let statistics = try await reader.statistics()
      #expect(statistics.total.outcomes == [.answered: 19])
      #expect(statistics.open == 1)
    }
    try await check()
    #expect(try self.version == Int64(version))
    let log = try AuditLog(path: path)
    try await check()
    #expect(try await AuditReader(log).open().count == 1)
    try await log.index()
    try await check()
    #expect(try self.version == Int64(AuditMigrations.steps.count))
  }

  @Test func `the rewritten schema holds rows to the same rules`() async throws {
    let log = try AuditLog(path: path)
    try await log.append([AuditSamples().requested(AuditSamples().presentation(1))])
    let connection = try SQLiteConnection(path: path, mode: .existing)
    #expect(try connection.rows("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
    for change in ["state = 'odd'", "state = 'resolved'", "outcome = 'answered', resolved_at = 'now'"] {
      let error = #expect(throws: SQLiteError.self) { try connection.execute("UPDATE presentations SET \(change)") }
      #expect(error?.message.contains("CHECK constraint failed") == true, "\(change)")
    }
  }

  @Test func `a migration that fails leaves the database as it was`() async throws {
    try makeThirdVersion(count: 4)
    do {
      let connection = try SQLiteConnection(path: path, mode: .readWrite)
      try connection.execute("DROP TRIGGER presentations_end_once; UPDATE presentations SET result = '{' WHERE number = 3")
    }
    let error = #expect(throws: RouterError.self) { try AuditLog(path: path) }
    #expect(error?.message.contains("a row is damaged") == true)
    let connection = try SQLiteConnection(path: path, mode: .readOnly)
    #expect(try connection.integer("PRAGMA user_version") == 3)
    #expect(try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name IN ('texts', 'words', 'stats')") == 0)
  }
}
