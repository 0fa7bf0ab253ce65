import RouterTesting
import Testing

@testable import Router

/// What happens while the disk is full; the disk is real SQLite with a bound on its pages.
@Suite(.timeLimit(.minutes(1)))
struct UnwritableLogTests {
  let log: AuditLog
  let clock = ManualClock()
  let coordinator: PresentationCoordinator
  let presenter: TestPresenter

  init() async throws {
    log = try AuditLog.inMemory()
    coordinator = try await PresentationCoordinator(log: log, clock: clock.clock, app: "tests")
    presenter = TestPresenter(coordinator)
  }

  /// Lets the database grow no further, and takes up what is left of its pages.
  private func fillDisk() async throws {
    try await log.writer.perform { connection in
      try connection.execute("CREATE TABLE filler (content BLOB); PRAGMA max_page_count = 1;")
      do {
        while true { try connection.execute("INSERT INTO filler VALUES (zeroblob(100))") }
      } catch let error as SQLiteError {
        #expect(error.isStorageFailure)
      }
    }
  }

  private func emptyDisk() async throws {
    try await log.writer.perform { try $0.execute("PRAGMA max_page_count = 1000000; DROP TABLE filler;") }
  }

  /// Moves the clock until the log is tried again and can be written.
  private func recover() async throws {
    try await emptyDisk()
    while await !coordinator.isWritable {
      clock.advance(by: .seconds(1))
      await Task.yield()
    }
  }

  /// A request that needs more than what may be left of a page.
  private var large: PresentationRequest {
    var request = PresentationRequest.alert("large")
    request.message = String(repeating: "x", count: 60_000)
    return request
  }

  @Test func `a request that cannot be recorded is refused, and the next one after the disk has recovered is not`() async throws
  {
    try await fillDisk()
    let error = await #expect(throws: RouterError.self) { try await coordinator.submit(large).resolved() }
    #expect(error?.code == .logUnavailable)
    #expect(error?.retryAfter != nil)
    #expect(await coordinator.presentations().isEmpty)
    try await recover()
    let handle = coordinator.submit(.alert("after"))
    let shown = try await presenter.nextPresentation()
    #expect(shown.request.title == "after")
    try await presenter.press("yes", on: shown)
    #expect(try await handle.resolved().outcome == .answered(.button("yes")))
  }

  @Test func `an answer that cannot be recorded is refused, and counts when it is given again`() async throws {
    let form = FormSchema(properties: [FormProperty(name: "text", kind: .string)])
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

  @Test func `a requester that goes away meanwhile has its prompt withdrawn at once, and is on record later`() async throws {
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

  @Test func `nothing new is shown meanwhile, and what waits is shown after`() async throws {
    let first = coordinator.submit(.alert("first"))
    let waiting = Task { try await first.resolved() }
    _ = try await presenter.nextPresentation()
    _ = try await coordinator.submit(.alert("second")).accepted()
    try await fillDisk()
    await #expect(throws: RouterError.self) { try await coordinator.submit(large).resolved() }
    waiting.cancel()
    _ = try await presenter.nextWithdrawal()
    #expect(await coordinator.presentations().map(\.state) == [.queued])
    try await recover()
    #expect(try await presenter.nextPresentation().request.title == "second")
  }
}
