import Glibc
import Router
import RouterTesting
import TestSupport
import Testing

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

  @Test func `moves commits into the database file while the log is open`() async throws {
    let directory = try TemporaryDirectory()
    let log = try AuditLog(path: directory.file("log.db"))
    let before = size(directory.file("log.db"))
    while size(directory.file("log.db")) < before + 8_000_000 { try await append(500, to: log) }
    #expect(try await AuditReader(log).lastSeq() >= 500)
  }

  @Test func `an in-memory log works without checkpoints`() async throws {
    let log = try AuditLog.inMemory()
    try await append(100, to: log)
    #expect(try await AuditReader(log).lastSeq() == 100)
  }
}
