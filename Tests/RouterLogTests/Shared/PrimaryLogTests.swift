import TestSupport
import Testing

@testable import Router
@testable import RouterLog

/// A log that copies a primary one which fails.
/// Promise P28.
@Suite(.timeLimit(.minutes(10)))
struct PrimaryLogTests {
  private struct Away: Error {}

  private final class Primary: PrimaryLog {
    let removed = Mutex<[Int64]>([])
    let isAway = Mutex(false)

    func commit(_ records: [AuditRecord], replies: [InboxReply], after previous: AuditHead) throws {
      if isAway.withLock(\.self) { throw Away() }
    }

    func remove(through seq: Int64) throws {
      if isAway.withLock(\.self) { throw Away() }
      removed.withLock { $0.append(seq) }
    }
  }

  private let primary = Primary()

  private func log(_ directory: TemporaryDirectory) async throws -> (log: AuditLog, end: Timestamp) {
    let log = try AuditLog(path: directory.file("copy.db"), clock: .system, primary: primary)
    let entries = try RecordedStory.entries(seed: 3, steps: 60)
    try await log.append(entries)
    return (log, try #require(entries.map(\.at).max()))
  }

  @Test func `reports a failed pruning as unchanged, and an unfinished one as recorded`() async throws {
    let directory = try TemporaryDirectory()
    let (log, end) = try await log(directory)
    let count = try await AuditReader(log).events(after: 0, limit: 10_000).count
    let prune = { try await log.prune(before: end, at: end, keeping: nil) }
    primary.isAway.withLock { $0 = true }
    let failure = await #expect(throws: RouterError.self) { try await prune() }
    #expect(failure?.code == .logUnavailable && failure?.cause is Away)
    #expect(failure?.message.contains("nothing was changed") == true)
    #expect(try await AuditReader(log).events(after: 0, limit: 10_000).count == count)

    primary.isAway.withLock { $0 = false }
    let pruning = try await prune()
    let anchor = try #require(pruning.anchor)
    primary.isAway.withLock { $0 = true }
    let unfinished = await #expect(throws: RouterError.self) { try await log.removePruned() }
    #expect(unfinished?.message.contains("recorded as pruned") == true && unfinished?.cause is Away)
    // What the copy has of it is removed, and the rest with the next attempt.
    #expect(try await AuditReader(log).events(after: 0, limit: 1).first?.seq == anchor.seq + 1)
    primary.isAway.withLock { $0 = false }
    #expect(try await prune().events == 0)
    try await log.removePruned()
    #expect(primary.removed.withLock(\.self) == [anchor.seq])
  }

  @Test func `names the cause of a copy that cannot be written`() async throws {
    let directory = try TemporaryDirectory()
    let (log, _) = try await log(directory)
    let entry = try #require(try RecordedStory.entries(seed: 3, steps: 1).first)
    try log.withWriter { try $0.connection.execute("PRAGMA query_only = 1") }
    // It is recorded in the primary log.
    try await log.append([entry])
    let failure = await #expect(throws: RouterError.self) { try await log.append([entry]) }
    #expect(failure.map { "\($0)".contains("cannot write the copy of the log") } == true)
    #expect(failure.map { "\($0)".contains("readonly") } == true, "\(failure.map { "\($0)" } ?? "")")
  }
}
