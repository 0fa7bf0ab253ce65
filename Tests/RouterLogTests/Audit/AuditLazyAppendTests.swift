import RouterTesting
import TestSupport
import Testing

@testable import Router
@testable import RouterLog

/// Lazily appended events, which nobody waits for.
@Suite(.timeLimit(.minutes(10)))
struct AuditLazyAppendTests {
  let directory: TemporaryDirectory
  let log: AuditLog
  let samples = AuditSamples()

  init() throws {
    directory = try TemporaryDirectory()
    log = try AuditLog(path: directory.file("routerd.db"))
  }

  private func lazily(_ event: Event) -> AuditLog.Append { AuditLog.Append([event], isLazy: true) }

  private func notes(_ log: AuditLog) async throws -> [String] {
    try await AuditReader(log).events(after: 0).compactMap { $0.detail["what"]?.string }
  }

  @Test func `writes in order, in one transaction with the next regular append`() async throws {
    let commits = Mutex<[String]>([])
    log.append(lazily(samples.note("first"))) { _ in commits.withLock { $0.append("first") } }
    try await log.append([samples.note("second")])
    let first = commits.withLock { $0 }
    #expect(first == ["first"])
    #expect(try await notes(log) == ["first", "second"])
  }

  @Test func `writes on its own after a delay`() async throws {
    let (clock, writing) = (ManualClock(), AsyncStream<Bool>.makeStream())
    let log = try AuditLog(path: directory.file("timed.db"), clock: clock.clock)
    log.append(lazily(samples.note("alone"))) { result in writing.continuation.yield((try? result.get()) != nil) }
    try await clock.untilSleeping()
    clock.advance(by: AuditLog.lazyDelay - .milliseconds(1))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .milliseconds(1))
    #expect(await writing.stream.first { _ in true } == true)
    #expect(try await notes(log) == ["alone"])
  }

  @Test func `writes before finishWriting returns`() async throws {
    let isWritten = Mutex(false)
    log.append(lazily(samples.note("alone"))) { _ in isWritten.withLock { $0 = true } }
    await log.finishWriting()
    let wasWritten = isWritten.withLock { $0 }
    #expect(wasWritten)
  }

  @Test func `writes before the log closes`() async throws {
    log.append(lazily(samples.note("last"))) { _ in }
    await log.close()
    let events = try await AuditReader(path: directory.file("routerd.db")).events(after: 0)
    #expect(events.map { $0.detail["what"] } == ["last"])
  }

  @Test func `writes before the log is pruned`() async throws {
    log.append(lazily(samples.note("old"))) { _ in }
    #expect(try await log.prune(before: samples.start.advanced(by: .seconds(1)), at: samples.start, keeping: nil).events == 1)
  }

  @Test func `writes before a backup`() async throws {
    log.append(lazily(samples.note("kept"))) { _ in }
    let copy = directory.file("copy.db")
    try await AuditReader(log).backUp(to: copy)
    #expect(try await AuditReader(path: copy).lastSeq() == 1)
  }

  @Test func `writes immediately in memory`() async throws {
    let log = try AuditLog.inMemory()
    log.append(lazily(samples.note("here"))) { _ in }
    #expect(try await notes(log) == ["here"])
  }
}
