import RouterTesting
import TestSupport
import Testing

@testable import Router
@testable import RouterCore
@testable import RouterLog

/// Reports of the results of approved acts, beside prunes of the log.
@Suite(.timeLimit(.minutes(10)))
struct ReportTests {
  private let log: AuditLog
  private let reader: AuditReader
  private let coordinator: PresentationCoordinator
  private let act = Act("deploy", object: "host")

  init() async throws {
    log = try AuditLog.inMemory()
    reader = try AuditReader(log)
    coordinator = try await PresentationCoordinator(log: log, clock: ManualClock().clock, app: "tests")
  }

  private func approve() async throws -> PresentationID {
    let presenter = TestPresenter(coordinator)
    var request = PresentationRequest.alert("Deploy?")
    request.act = act
    let handle = coordinator.submit(request)
    try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
    return try await handle.resolved().id
  }

  private func report(of id: PresentationID, by process: ProcessIdentity = .current) async throws {
    let report = ActReport(act: act.digest, .status(0))
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      coordinator.send { $0.report(report, of: id, by: process) { continuation.resume(with: $0.mapError { $0 }) } }
    }
  }

  private func prune() async throws {
    let end = try #require(Timestamp("2100-01-01T00:00:00.000Z"))
    #expect(try await log.prune(before: end, at: end, keeping: nil).events > 0)
  }

  @Test func `refuses a report of a pruned presentation`() async throws {
    let id = try await approve()
    try await prune()
    try await log.sweep()
    let error = await #expect(throws: RouterError.self) { try await report(of: id) }
    #expect(error?.code == .notFound)
    #expect(try await reader.verify().faults == [])
  }

  @Test func `proves a report that came between a prune and its sweep`() async throws {
    let id = try await approve()
    try await prune()
    try await report(of: id)
    #expect(try await reader.verify().faults == [])
    try await log.sweep()
    #expect(try await reader.verify().faults == [])
  }

  @Test func `hides a presentation from other users' reports`() async throws {
    let id = try await approve()
    let error = await #expect(throws: RouterError.self) {
      try await report(of: id, by: ProcessIdentity(uid: 4_000_000, gid: 1, pid: 1))
    }
    #expect(error?.code == .notFound)
    try await report(of: id)
    #expect(try await reader.presentation(id)?.ran?.report.result == .status(0))
  }
}
