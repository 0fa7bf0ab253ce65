import Foundation
import RouterTesting
import TestSupport
import Testing

@testable import Router
@testable import RouterLog

/// A commit writes events only. The rows that queries read follow, and can be made from the events at any time.
/// Promise P5.
@Suite(.timeLimit(.minutes(10)))
struct AuditProjectionTests {
  let directory: TemporaryDirectory
  let path: String
  let samples = AuditSamples()

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("routerd.db")
  }

  /// All rows of the tables that follow from the events.
  private static func rows(_ connection: SQLiteConnection) throws -> [String] {
    try ["presentations", "words", "counts", "hours", "projected"].flatMap { table in
      let columns = try connection.rows("PRAGMA table_info(\(table))") { "quote(\"\($0.text(1) ?? "")\")" }
      return try connection.rows(
        "SELECT \(columns.joined(separator: " || ',' || ")) AS line FROM \(table) ORDER BY line"
      ) { "\(table): \($0.text(0) ?? "")" }
    }
  }

  @Test func `writes the same rows at any pace, and from the events after a kill`() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    for round in 0..<10 {
      let entries = try RecordedStory.entries(seed: random.next(), steps: 150)
      let expected = try rows(of: entries, "\(round).db") { _ in true }
      let atRandom = try rows(of: entries, "\(round)-random.db") { _ in random.chance(20) }
      #expect(atRandom == expected, "seed \(seed), round \(round)")
      // Some were written before the kill. The next writer reads the others from the events.
      let last = random.below(entries.count)
      let afterKill = try rows(of: entries, "\(round)-killed.db") { $0 == last }
      #expect(afterKill == expected, "seed \(seed), round \(round), killed after \(last)")
      let verification = try await AuditReader(path: directory.file("\(round)-killed.db")).verify()
      #expect(verification.faults == [], "seed \(seed), round \(round)")
    }
  }

  /// Commits each entry, and writes rows after those for which `projects` returns true. Returns the rows that the next
  /// writer finds or makes.
  private func rows(
    of entries: [Event], _ name: String, projects: (Int) -> Bool
  ) throws -> [String] {
    let path = directory.file(name)
    do {
      var writer = try AuditWriter(path: path, durability: .relaxed)
      for (index, entry) in entries.enumerated() {
        try writer.commit([entry])
        if projects(index) { try writer.project() }
      }
      writer.connection.close()
    }
    var writer = try AuditWriter(path: path, durability: .relaxed)
    try writer.project()
    defer { writer.connection.close() }
    return try Self.rows(writer.connection)
  }

  /// A log whose process was killed before it wrote the rows of its last events.
  private func killedLog() throws -> [Event] {
    let entries = try RecordedStory.entries(seed: 11, steps: 100)
    var writer = try AuditWriter(path: path, durability: .relaxed)
    try writer.commit(Array(entries[..<60]))
    try writer.project()
    try writer.commit(Array(entries[60...]))
    writer.connection.close()
    return entries
  }

  @Test func `verifies a log with events that have no rows yet, and writes nothing`() async throws {
    let entries = try killedLog()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let verification = try await AuditReader(path: path).verify()
    #expect(verification.faults == [])
    #expect(verification.events == entries.count)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func `a reader completes the rows that a killed process left out`() async throws {
    let entries = try killedLog()
    let requested = entries.count { if case .requested = $0.detail { true } else { false } }
    var query = AuditQuery()
    query.limit = 1000
    #expect(try await AuditReader(path: path).presentationPage(query).page.count == requested)
  }

  @Test func `a start restores what has no rows yet`() async throws {
    let asked = (0..<4).map { samples.presentation($0) }
    var writer = try AuditWriter(path: path, durability: .relaxed)
    try writer.commit([samples.requested(asked[0], rank: 0), samples.requested(asked[1], rank: 1)])
    try writer.project()
    try writer.commit([
      samples.resolved(asked[0], .dismissed), samples.requested(asked[2], rank: 2), samples.requested(asked[3], rank: 3),
      samples.presented(asked[1]), samples.resolved(asked[3], .dismissed),
    ])
    // Rows cannot be written at the start either.
    try writer.connection.execute(
      "CREATE TRIGGER refuse BEFORE INSERT ON presentations BEGIN SELECT RAISE(ABORT, 'test'); END")
    writer.connection.close()
    let reader = try AuditReader(try AuditLog(path: path))
    #expect(Set(try await reader.open().map(\.id)) == [asked[1].id, asked[2].id])
    #expect(try await reader.lastNumber() == 4)
  }

  @Test func `rebuilds everything from the events, also after a pruning`() async throws {
    let log = try AuditLog(path: path)
    let now = Timestamp("2027-01-01T00:00:00.000Z")!
    var story = RecordedStory(seed: 12)
    try await log.append(try story.next(100))
    _ = try await log.prune(before: now, at: now, keeping: nil)
    try await log.sweep()
    try await log.append(try story.next(100))
    log.project(within: .seconds(60))
    // A pruning keeps the whole first hour; a rebuilt index begins at the first event.
    func rows() throws -> [String] { try log.withWriter { try Self.rows($0.connection) }.filter { !$0.hasPrefix("hours") } }
    let before = try rows()
    try log.execute("UPDATE counts SET n = n + 1; DELETE FROM hours; DELETE FROM words")
    try log.execute("DROP TRIGGER presentations_end_once; DROP INDEX presentations_by_app; DROP INDEX events_standing")
    #expect(try await AuditReader(log).verify().faults != [])
    try await log.reindex()
    #expect(try rows() == before)
    #expect(try await AuditReader(log).verify().faults == [])
    await log.close()
  }

  @Test func `continues the log of another version in the same hour`() async throws {
    let asked = (0..<2).map { samples.presentation($0) }
    let log = try AuditLog(path: path)
    try await log.append([samples.requested(asked[0], rank: 0)])
    await log.finishWriting()
    try log.execute("DROP TABLE projected")
    await log.close()
    let next = try AuditLog(path: path)
    try await next.append([samples.requested(asked[1], rank: 1)])
    await next.finishWriting()
    #expect(try await AuditReader(next).verify().faults == [])
    await next.close()
    // A closed log holds no lock, although it is still referred to.
    withExtendedLifetime(log) {}
  }

  @Test func `keeps committing while rows cannot be written, in bounded memory, and writes them later`() async throws {
    let log = try AuditLog(path: path, durability: .relaxed)
    try log.execute(
      "CREATE TEMP TRIGGER refuse BEFORE INSERT ON main.presentations BEGIN SELECT RAISE(ABORT, 'test'); END")
    let count = AuditProjector.maximumChanges + 100
    let request = PresentationRequest(kind: .alert, title: "?")
    let key = try IdempotencyKey("key", of: request)
    let asked = (0..<count).map { samples.presentation($0, request) }
    for (index, sample) in asked.enumerated() {
      let requested = samples.requested(sample, rank: index, key: index == 0 ? key : nil)
      try await log.append([requested, samples.resolved(sample, .dismissed)])
    }
    #expect(log.withWriter { $0.projector.endedCount } <= AuditProjector.maximumChanges)
    let reader = try AuditReader(log)
    #expect(try await reader.lastSeq() == Int64(2 * count))
    #expect(try await reader.presentationPage(AuditQuery()).page.isEmpty)
    // What decides does not depend on rows.
    #expect(try await reader.presentation(asked[count - 1].id)?.outcome == .dismissed)
    #expect(try await reader.open().isEmpty)
    #expect(try await reader.lastNumber() == count)
    #expect(try await reader.ended(key.scope(of: asked[0].requester))?.id == asked[0].id)

    try log.withWriter { try $0.connection.execute("DROP TRIGGER refuse") }
    log.project(within: .seconds(600))
    #expect(try await reader.ended(key.scope(of: asked[0].requester))?.id == asked[0].id)
    #expect(try await AuditReader(log).statistics().open == 0)
    #expect(try await reader.verify().faults == [])
    await log.close()
  }
}
