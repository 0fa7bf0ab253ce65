import Glibc
import Router
import Testing

/// In-memory logs, which commit on the appending thread.
@Suite(.timeLimit(.minutes(10)))
struct AuditMemoryTests {
  let log: AuditLog
  let samples = AuditSamples()

  init() throws {
    log = try AuditLog.inMemory()
  }

  /// The results reported by the time an append returned, and whether all were reported on this thread.
  private func append(_ entries: [Event]) -> (isWritten: [Bool], isHere: Bool) {
    let told = Mutex<(isWritten: [Bool], isHere: Bool)>(([], true))
    let thread = UInt(pthread_self())
    log.append(AuditLog.Append(entries)) { result in
      told.withLock { told in
        told.isWritten.append((try? result.get()) != nil)
        told.isHere = told.isHere && UInt(pthread_self()) == thread
      }
    }
    return told.withLock { $0 }
  }

  @Test func `reports the result of an append before it returns, on the same thread`() async throws {
    let told = append([samples.requested(samples.presentation())])
    #expect(told.isWritten == [true] && told.isHere)
    #expect(try await AuditReader(log).lastSeq() == 1)
  }

  @Test func `fails until retried, like a file`() async throws {
    try log.execute("PRAGMA query_only = ON")
    #expect(append([samples.note()]).isWritten == [false])
    try log.execute("PRAGMA query_only = OFF")
    #expect(append([samples.note()]).isWritten == [false])
    log.retry()
    #expect(append([samples.note()]).isWritten == [true])
    #expect(try await AuditReader(log).lastSeq() == 1)
  }

  @Test func `can be appended to from a completion handler`() async throws {
    let told = Mutex<[String]>([])
    log.append(AuditLog.Append([samples.note("outer")])) { [log, samples] _ in
      log.append(AuditLog.Append([samples.note("inner")])) { _ in told.withLock { $0.append("inner") } }
      told.withLock { $0.append("outer") }
    }
    #expect(told.withLock { $0 } == ["inner", "outer"])
    #expect(try await AuditReader(log).events(after: 0).map { $0.detail["what"] } == ["outer", "inner"])
  }

  @Test func `can be read and written from many threads concurrently`() async throws {
    let reader = try AuditReader(log)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<50 { try await log.append([samples.note()]) } }
        group.addTask { for _ in 0..<50 { _ = try await reader.eventPage(AuditQuery()) } }
      }
      try await group.waitForAll()
    }
    #expect(try await reader.events(after: 0).map(\.seq) == Array(1...400))
  }
}
