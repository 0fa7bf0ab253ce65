import RouterTesting
import TestSupport
import Testing

@testable import Router
@testable import RouterLog

/// Behavior with a full disk, simulated by SQLite's page limit.
/// Promise P15.
@Suite(.timeLimit(.minutes(10)))
struct UnwritableLogTests {
  let directory: TemporaryDirectory
  let log: AuditLog
  let clock = ManualClock()
  let coordinator: PresentationCoordinator
  let presenter: TestPresenter

  init() async throws {
    directory = try TemporaryDirectory()
    log = try AuditLog(path: directory.file("routerd.db"))
    coordinator = try await PresentationCoordinator(log: log, clock: clock.clock, app: "tests")
    presenter = TestPresenter(coordinator)
  }

  /// Stops the database from growing and fills its remaining pages.
  private func fillDisk() async throws {
    try log.withWriter { writer in
      let connection = writer.connection
      try connection.execute("CREATE TABLE filler (content BLOB); PRAGMA max_page_count = 1;")
      do {
        while true { try connection.execute("INSERT INTO filler VALUES (zeroblob(100))") }
      } catch let error as SQLiteError {
        #expect(error.isStorageFailure)
      }
    }
  }

  private func emptyDisk() async throws {
    try log.execute("PRAGMA max_page_count = 1000000; DROP TABLE filler;")
  }

  /// Empties the disk, and waits until a retry finds the log writable.
  private func recover() async throws {
    try await emptyDisk()
    clock.advance(by: .seconds(1))
    try await log.eventually("the log is written again") { await coordinator.isWritable }
  }

  /// A request too large for any remaining page.
  private var large: PresentationRequest {
    var request = PresentationRequest.alert("large")
    request.message = String(repeating: "x", count: 60_000)
    return request
  }

  @Test func `rejects a request that cannot be recorded, and accepts one after recovery`() async throws {
    try await fillDisk()
    let error = await #expect(throws: RouterError.self) { try await coordinator.submit(large).resolved() }
    #expect(error?.code == .logUnavailable)
    #expect(error?.retryAfter != nil)
    #expect(await coordinator.presentations().isEmpty)
    try await recover()
    let handle = coordinator.submit(.alert("after"))
    let shown = try await presenter.nextPresentation()
    #expect(shown.request.title == "after")
    try await presenter.press(id: "yes", on: shown)
    #expect(try await handle.resolved().outcome == .answered(.button("yes")))
  }

  @Test func `rejects an answer that cannot be recorded, and accepts it again after recovery`() async throws {
    let form = FormSchema(properties: [FormSchema.Property(name: "text", kind: .string)])
    let handle = coordinator.submit(PresentationRequest(kind: .sheet, sheet: "note", schema: form))
    let shown = try await presenter.nextPresentation()
    try await fillDisk()
    let answer: JSONValue = ["text": .string(String(repeating: "y", count: 60_000))]
    let error = await #expect(throws: RouterError.self) { try await presenter.answer(answer, on: shown) }
    #expect(error?.code == .logUnavailable)
    try await recover()
    try await presenter.answer(answer, on: shown)
    #expect(try await handle.resolved().outcome == .answered(.value(answer)))
  }

  @Test func `discards a flow's unrecorded answer, and rejects finish until recovery`() async throws {
    let handle = coordinator.submit(.screen("note"))
    let shown = try await presenter.nextPresentation()
    try await presenter.answer("short", on: shown)
    let again = try await presenter.nextPresentation()
    clock.advance(by: .seconds(2))
    try await fillDisk()
    let long: JSONValue = .string(String(repeating: "y", count: 60_000))
    let error = await #expect(throws: RouterError.self) { try await presenter.answer(long, on: again) }
    #expect(error?.code == .logUnavailable)
    let refused = await #expect(throws: RouterError.self) { try await handle.finish() }
    #expect(refused?.code == .logUnavailable)
    try await recover()
    clock.advance(by: .seconds(1))
    try await presenter.answer("other", on: again)
    #expect(try await handle.finish().outcome == .answered(.value("other")))
    var answers: [PresentationAnswer] = []
    for await answer in handle.answers { answers.append(answer) }
    #expect(answers == [.value("short"), .value("other")])
    let showings = try await AuditReader(log).events(of: shown.id).compactMap { $0.detail["generation"]?.number?.integer }
    // The third generation was never recorded, and its number is not reused.
    #expect(showings == [1, 1, 2, 2, 4, 4])
  }

  @Test func `withdraws a whole flow at once if its requester leaves`() async throws {
    let root = coordinator.submit(.screen("address"))
    let waiting = Task { try await root.resolved() }
    _ = try await presenter.nextPresentation()
    let screen = coordinator.submit(.screen("payment", over: try await root.accepted().id))
    let shown = try await presenter.nextPresentation()
    try await fillDisk()
    await #expect(throws: RouterError.self) { try await coordinator.submit(large).resolved() }
    waiting.cancel()
    #expect(try await presenter.nextWithdrawal() == (shown.id, .cancelled))
    try await recover()
    #expect(try await waiting.value.outcome == .cancelled(.requester))
    #expect(try await screen.resolved().outcome == .cancelled(.parentEnded))
  }

  @Test func `records the full display time of an answer that was given twice`() async throws {
    let form = FormSchema(properties: [FormSchema.Property(name: "text", kind: .string)])
    _ = coordinator.submit(PresentationRequest(kind: .sheet, sheet: "note", schema: form))
    let shown = try await presenter.nextPresentation()
    let start = clock.now
    clock.advance(by: .seconds(2))
    try await fillDisk()
    let answer: JSONValue = ["text": .string(String(repeating: "y", count: 60_000))]
    await #expect(throws: RouterError.self) { try await presenter.answer(answer, on: shown) }
    try await recover()
    try await presenter.answer(answer, on: shown)
    let event = try await AuditReader(log).events(of: shown.id).last
    #expect(event?.detail["shownFor"] == .seconds(start.duration(to: clock.now)))
  }

  @Test func `withdraws a canceled prompt at once and records it after recovery`() async throws {
    let handle = coordinator.submit(.alert("?"))
    let waiting = Task { try await handle.resolved() }
    let shown = try await presenter.nextPresentation()
    try await fillDisk()
    await #expect(throws: RouterError.self) { try await coordinator.submit(large).resolved() }
    waiting.cancel()
    #expect(try await presenter.nextWithdrawal() == (shown.id, .cancelled))
    #expect(try await AuditReader(log).presentation(shown.id)?.outcome == nil)
    try await recover()
    #expect(try await waiting.value.outcome == .cancelled(.requester))
    #expect(try await AuditReader(log).presentation(shown.id)?.outcome == .cancelled(.requester))
  }

  @Test func `holds nothing for presenters that left, and shows prompts to those that stay`() async throws {
    presenter.disconnect()
    let reader = try AuditReader(log)
    try await log.eventually("the presenter has left") {
      try await reader.events(after: 0).contains { $0.kind == .presenterDetached }
    }
    _ = try await coordinator.submit(.alert("waiting")).accepted()
    try await fillDisk()
    await #expect(throws: RouterError.self) { try await coordinator.submit(large).resolved() }
    for _ in 0..<100 {
      let visitor = try await coordinator.attach("visitor", process: .current, on: "main") { _ in
      } end: { _ in
      }
      await coordinator.leave(visitor)
    }
    let staying = TestPresenter(coordinator)
    await coordinator.turn()
    #expect(await coordinator.waitingCount == 1)
    try await recover()
    #expect(try await staying.nextPresentation().request.title == "waiting")
    let kinds = try await AuditReader(log).events(after: 0).map(\.kind)
    #expect(kinds.count { $0 == .presenterAttached } == 2)
  }

  @Test func `shows no new prompt until recovery`() async throws {
    let first = coordinator.submit(.alert("first"))
    let waiting = Task { try await first.resolved() }
    _ = try await presenter.nextPresentation()
    _ = try await coordinator.submit(.alert("second")).accepted()
    try await fillDisk()
    await #expect(throws: RouterError.self) { try await coordinator.submit(large).resolved() }
    waiting.cancel()
    _ = try await presenter.nextWithdrawal()
    // It remains open in the log until its end can be recorded.
    #expect(await coordinator.presentations().map(\.state) == [.presented, .queued])
    try await recover()
    #expect(try await presenter.nextPresentation().request.title == "second")
  }

  @Test func `holds a bounded number of arriving presenters and refuses the rest`() async throws {
    _ = try await coordinator.submit(.alert("open")).accepted()
    _ = try await presenter.nextPresentation()
    try await fillDisk()
    await #expect(throws: RouterError.self) { try await coordinator.submit(large).resolved() }
    let bound = LocalDecider.maximumWaitingArrivals + 1
    let visitors = (0..<bound).map { _ in TestPresenter(coordinator) }
    let error = await #expect(throws: RouterError.self) { try await TestPresenter(coordinator).nextEvent() }
    #expect(error?.code == .logUnavailable)
    // Presenters that were let in may leave.
    for visitor in visitors { visitor.disconnect() }
    #expect(await coordinator.waitingCount <= 2 * bound)
    try await recover()
    #expect(try await TestPresenter(coordinator).nextPresentation().request.title == "open")
  }
}

extension PresentationCoordinator {
  /// The number of facts that wait until the log is writable.
  fileprivate var waitingCount: Int { (decider as? LocalDecider)?.facts.count ?? 0 }
}
