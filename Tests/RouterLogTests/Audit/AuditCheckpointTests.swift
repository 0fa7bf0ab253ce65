import Dispatch
import Glibc
import RouterTesting
import TestSupport
import Testing

@testable import Router
@testable import RouterLog
@testable import RouterSystem

/// Checkpoints of the write-ahead log, which run alongside commits.
@Suite(.timeLimit(.minutes(10)))
struct AuditCheckpointTests {
  private let samples = AuditSamples()

  private func size(_ path: String) -> Int {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    return Int(lseek(descriptor, 0, SEEK_END))
  }

  private func append(_ count: Int, to log: AuditLog) async throws {
    let entries = (0..<100).map { _ in samples.note(String(repeating: "x", count: 3000)) }
    for _ in 0..<count / entries.count { try await log.append(entries) }
  }

  /// Returns when the thread has run all earlier work.
  private func done(_ thread: ThreadExecutor) async {
    await withCheckedContinuation { continuation in thread.perform { continuation.resume() } }
  }

  @Test func `moves commits into the database file while the log is open`() async throws {
    let directory = try TemporaryDirectory()
    let log = try AuditLog(path: directory.file("log.db"))
    let before = size(directory.file("log.db"))
    while size(directory.file("log.db")) < before + 8_000_000 { try await append(500, to: log) }
    #expect(try await AuditReader(log).lastSeq() >= 500)
  }

  @Test func `copies pages on the thread of checkpoints, before the next commit`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("log.db")
    let threads = Mutex<[ThreadExecutor]>([])
    let log = try AuditLog(path: path, clock: .system) { () throws(RouterError) in
      let thread = try ThreadExecutor()
      threads.withLock { $0.append(thread) }
      return thread
    }
    let (writer, checkpoints) = threads.withLock { ($0[0], $0[1]) }
    // Holds the checkpoint until the writer has nothing left to do.
    let isReleased = DispatchSemaphore(value: 0)
    checkpoints.perform { isReleased.wait() }
    let before = size(path)
    // One commit of more than 4,000 pages.
    try await log.append((0..<6000).map { _ in samples.note(String(repeating: "x", count: 3000)) })
    await log.finishWriting()
    await done(writer)
    #expect(size(path) == before)
    isReleased.signal()
    await done(checkpoints)
    #expect(size(path) > before + 16_000_000)
    await log.close()
  }

  @Test func `leaves nothing to the writer after a failed checkpoint, and retries once the log has grown`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("log.db")
    let checkpointer = AuditCheckpointer(path: path, executor: try ThreadExecutor())
    let pages = AuditCheckpointer.pages
    checkpointer.grown(to: pages)
    await checkpointer.end()
    #expect(!checkpointer.takeRest())

    try SQLiteConnection(path: path, mode: .readWrite).execute("PRAGMA journal_mode = WAL")
    checkpointer.grown(to: 2 * pages - 1)
    await checkpointer.end()
    #expect(!checkpointer.takeRest())
    checkpointer.grown(to: 2 * pages)
    await checkpointer.end()
    #expect(checkpointer.takeRest())
    #expect(!checkpointer.takeRest())
  }

  @Test func `an in-memory log works without checkpoints`() async throws {
    let log = try AuditLog.inMemory()
    try await append(100, to: log)
    #expect(try await AuditReader(log).lastSeq() == 100)
  }
}
