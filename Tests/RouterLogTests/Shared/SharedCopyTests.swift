import FoundationEssentials
import RouterTesting
import TestSupport
import Testing

@testable import Router
@testable import RouterCore
@testable import RouterLog
@testable import RouterSystem
@testable import RouterTerminal

/// A host's copy of the record of a shared surface.
/// Promise P31.
@Suite(.timeLimit(.minutes(10)))
struct SharedCopyTests {
  /// Returns the stored events of a log that has not been pruned before `start`.
  private func records(_ log: AuditLog, after seq: Int64 = 0) async throws -> [AuditRecord] {
    try await AuditReader(log).read { connection in
      try connection.rows(
        "SELECT \(AuditRecord.columns) FROM events WHERE seq > ? ORDER BY seq", [.integer(seq)], AuditRecord.init(row:))
    }
  }

  private func rows(_ log: AuditLog) async throws -> [Presentation] {
    var query = AuditQuery()
    query.limit = 10_000
    return try await AuditReader(log).presentationPage(query).page
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `equals the record, and verifies, in pages of any size`(seed: UInt64) async throws {
    let log = try AuditLog.inMemory()
    try await log.append(try RecordedStory.entries(seed: seed, steps: 120))
    let records = try await records(log)
    let copy = try AuditLog.inMemory()
    var rest = records[...]
    var size = 1
    while !rest.isEmpty {
      _ = try copy.copy(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
      size = size % 7 + 1
    }
    #expect(copy.head == log.head)
    #expect(try await self.records(copy) == records)
    #expect(try await rows(copy) == rows(log))
    #expect(try await AuditReader(copy).verify().faults == [])
  }

  /// The first events after a restart may depend on what no row has, such as the end of a snooze.
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `goes on after each restart of its host`(seed: UInt64) async throws {
    let log = try AuditLog.inMemory()
    try await log.append(try RecordedStory.entries(seed: seed, steps: 120))
    let directory = try TemporaryDirectory()
    var rest = try await records(log)[...]
    while !rest.isEmpty {
      let copy = try AuditLog(path: directory.file("copy.db"))
      _ = try copy.copy(Array(rest.prefix(5)))
      rest = rest.dropFirst(5)
      await copy.close()
    }
    let copy = try AuditLog(path: directory.file("copy.db"))
    #expect(copy.head == log.head)
    #expect(try await AuditReader(copy).verify().faults == [], "seed \(seed)")
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func `begins after a pruning with what it has carried over`(seed: UInt64) async throws {
    var story = RecordedStory(seed: seed, setsClockBack: false)
    let entries = try story.next(60)
    let log = try AuditLog.inMemory()
    try await log.append(entries)
    let boundary = entries[entries.count / 2].at
    let pruning = try await log.prune(before: boundary, at: try #require(entries.last).at, keeping: nil)
    let anchor = try #require(pruning.anchor)
    try await log.append(try story.next(30))
    let pruned = try #require(try await AuditReader(log).read(AuditFold.lastPruned))
    let records = try await records(log, after: anchor.seq)
    let copy = try AuditLog.inMemory()
    for record in records { _ = try copy.copy([record], after: pruned) }
    #expect(copy.head == log.head)
    #expect(try await AuditReader(copy).verify().faults == [], "seed \(seed)")
    try await log.sweep()
    try await copy.sweep()
    #expect(try await rows(copy) == rows(log))
    #expect(try await AuditReader(copy).verify().faults == [], "seed \(seed)")
  }

  @Test func `refuses a record that was changed, left out, reordered or repeated`() async throws {
    let log = try AuditLog.inMemory()
    try await log.append(try RecordedStory.entries(seed: 7, steps: 20))
    let records = try await records(log)
    func with(_ record: AuditRecord, at: String? = nil, type: String? = nil, detail: String? = nil, hash: [UInt8]? = nil)
      -> AuditRecord
    {
      AuditRecord(
        seq: record.seq, at: at ?? record.at, type: type ?? record.type, presentation: record.presentation,
        detail: detail ?? record.detail, hash: hash ?? record.hash)
    }
    let second = records[1]
    let wrong: [[AuditRecord]] = [
      [with(second, at: "2020-01-01T00:00:00.000Z")], [with(second, type: "daemonStopped")],
      [with(second, detail: second.detail + " ")], [with(second, hash: second.hash.reversed())],
      [AuditRecord(seq: second.seq, at: second.at, type: second.type, presentation: nil, detail: "{}", hash: second.hash)],
      [records[2]], [records[0]], [records[2], second],
    ]
    for wrong in wrong {
      let copy = try AuditLog.inMemory()
      _ = try copy.copy([records[0]])
      #expect(throws: RouterError.self) { try copy.copy(wrong) }
      // Nothing of it was kept.
      _ = try copy.copy(Array(records.dropFirst()))
      #expect(copy.head == log.head)
    }
  }
}
