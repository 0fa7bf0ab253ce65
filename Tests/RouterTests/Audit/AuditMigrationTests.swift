import Foundation
import Testing

@testable import Router

/// Databases of earlier versions.
@Suite(.timeLimit(.minutes(1)))
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
    try connection.execute(AuditMigrations.steps[0])
    try connection.execute("PRAGMA journal_mode = WAL; PRAGMA user_version = 1;")
    try connection.execute("PRAGMA application_id = \(AuditMigrations.applicationID)")
    var chain = AuditChain()
    chain.append(at: "2026-11-21T07:00:00.000Z", type: "requested", presentation: Self.id, detail: Self.detail)
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
      chain.append(at: at, type: type, presentation: presentation, detail: detail)
      #expect(chain.hash == hash)
    }
    #expect(events.count == 2)
  }
}
