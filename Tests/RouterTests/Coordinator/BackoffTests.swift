import Router
import RouterTesting
import TestSupport
import Testing

/// Backoff against prompt bombing: a requester whose prompts are repeatedly refused is rejected for a while.
/// Promise P72.
@Suite(.timeLimit(.minutes(10)))
struct BackoffTests {
  let reader: AuditReader
  let clock = ManualClock()
  let coordinator: PresentationCoordinator
  let presenter: TestPresenter
  let requester = Presentation.Requester(app: "agent", process: ProcessIdentity(uid: 1000, gid: 1000, pid: 4242))

  init() async throws {
    let log = try AuditLog.inMemory()
    reader = try AuditReader(log)
    coordinator = try await PresentationCoordinator(log: log, clock: clock.clock, backoff: .init(), app: "tests")
    presenter = TestPresenter(coordinator)
  }

  private func ask() -> PresentationHandle {
    coordinator.ask(.alert("Let me in?"), from: requester)
  }

  private func isRefused() async throws {
    let handle = ask()
    let shown = try await presenter.nextPresentation()
    try await presenter.dismiss(shown)
    _ = try await handle.resolved()
  }

  @Test func `rejects requests after three dismissals in a row until the backoff ends`() async throws {
    try await isRefused()
    try await isRefused()
    // A negative answer neither counts nor resets the count.
    let handle = ask()
    try await presenter.press(id: "no", on: try await presenter.nextPresentation())
    _ = try await handle.resolved()
    try await isRefused()
    let error = await #expect(throws: RouterError.self) { try await ask().resolved() }
    #expect((error?.code, error?.retryAfter) == (.full, .seconds(10)))
    #expect(error?.message == "cannot ask: you closed 3 prompts of agent in a row; try again in 10 s")
    // The backoff does not apply to another user's program of the same name.
    let other = Presentation.Requester(app: "agent", process: ProcessIdentity(uid: 1001, gid: 1001, pid: 4243))
    let handleOfOther = coordinator.ask(.alert("?"), from: other)
    try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
    #expect(try await handleOfOther.resolved().outcome == .answered(.button("yes")))

    clock.advance(by: .seconds(10))
    try await isRefused()
    let again = await #expect(throws: RouterError.self) { try await ask().resolved() }
    #expect(again?.retryAfter == .seconds(20))
    await coordinator.shutDown()
    let pauses = try await reader.events(after: 0).filter { $0.kind == .throttled }.map(\.detail)
    #expect(pauses == [10, 20].map { ["uid": 1000, "app": "agent", "for": .integer($0)] })
  }

  @Test func `does not count prompts that their own process dismissed, as in its terminal`() async throws {
    let own = Presentation.Responder(process: requester.process, presenter: "inline")
    for _ in 1...5 {
      let handle = ask()
      let shown = try await presenter.nextPresentation()
      _ = try await coordinator.change(shown.id) {
        PresentationInput($0, generation: nil, .dismiss, by: own)
      }
      #expect(try await handle.resolved().outcome == .dismissed)
    }
  }

  @Test func `resets the count on an answer in between`() async throws {
    try await isRefused()
    try await isRefused()
    let handle = ask()
    try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
    _ = try await handle.resolved()
    try await isRefused()
    try await isRefused()
    let last = ask()
    try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
    #expect(try await last.resolved().outcome == .answered(.button("yes")))
  }

  @Test func `rejects the eleventh request after a negative answer`() async throws {
    for _ in 1...11 {
      let handle = ask()
      try await presenter.press(id: "no", on: try await presenter.nextPresentation())
      _ = try await handle.resolved()
    }
    let error = await #expect(throws: RouterError.self) { try await ask().resolved() }
    #expect((error?.code, error?.retryAfter) == (.full, .seconds(10)))
    await coordinator.shutDown()
    let pauses = try await reader.events(after: 0).filter { $0.kind == .throttled }
    #expect(pauses.count == 1 && pauses.allSatisfy { $0.presentation == nil })
  }
}
