import Testing

@testable import Router

/// Entries that nobody waits for.
@Suite(.timeLimit(.minutes(20)))
struct AuditCompanyTests {
  private func entry(_ name: String) -> AuditEntry {
    AuditEntry(at: Timestamp(milliseconds: 1_000_000), kind: .accessDenied, detail: ["name": .string(name)])
  }

  private func names(_ log: AuditLog) async throws -> [String] {
    try await AuditReader(log).events(after: 0).compactMap { $0.detail["name"]?.string }
  }

  @Test func `they are written in their place, in one transaction with what somebody waits for`() async throws {
    let log = try AuditLog.inMemory()
    let commits = Mutex<[String]>([])
    log.appendInCompany([entry("first")]) { _ in commits.withLock { $0.append("first") } }
    try await log.append([entry("second")])
    let first = commits.withLock { $0 }
    #expect(first == ["first"])
    #expect(try await names(log) == ["first", "second"])
  }

  @Test func `they are written when nothing else comes`() async throws {
    let log = try AuditLog.inMemory()
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      log.appendInCompany([entry("alone")]) { continuation.resume(with: $0.mapError { $0 }) }
    }
    #expect(try await names(log) == ["alone"])
  }

  @Test func `a turn of the log has them written before`() async throws {
    let log = try AuditLog.inMemory()
    let isWritten = Mutex(false)
    log.appendInCompany([entry("alone")]) { _ in isWritten.withLock { $0 = true } }
    await withCheckedContinuation { continuation in log.turn { continuation.resume() } }
    let wasWritten = isWritten.withLock { $0 }
    #expect(wasWritten)
  }
}
