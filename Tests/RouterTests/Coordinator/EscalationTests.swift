import RouterTesting
import TestSupport
import Testing

@testable import Router

/// When a presenter that comes second is shown a prompt.
@Suite(.timeLimit(.minutes(10)))
struct EscalationTests {
  private let clock = ManualClock()
  private let coordinator: PresentationCoordinator

  init() async throws {
    coordinator = try await PresentationCoordinator(log: try AuditLog.inMemory(), clock: clock.clock, app: "tests")
  }

  private func attach() -> AsyncThrowingStream<PresenterEvent, any Error>.AsyncIterator {
    coordinator.attach(presenter: "later", to: "main", PresenterScope(after: .seconds(120))).events.makeAsyncIterator()
  }

  @Test func `shows at once what has been shown elsewhere for long enough`() async throws {
    let presenter = TestPresenter(coordinator)
    _ = coordinator.submit(.alert("?"))
    let shown = try await presenter.nextPresentation()
    clock.advance(by: .seconds(120))
    var later = attach()
    #expect(try await later.next() == .present(shown, waiting: 0))
  }

  @Test(arguments: [119, 120]) func `waits for the rest of the time, also after the wall clock was set back`(
    seconds: Int
  ) async throws {
    let presenter = TestPresenter(coordinator)
    _ = coordinator.submit(.alert("?"))
    let shown = try await presenter.nextPresentation()
    clock.setWall(shown.requestedAt.advanced(by: .seconds(-3600)))
    var later = attach()
    #expect(try await later.next() == .queue(waiting: 0))
    try await clock.untilSleeping()
    clock.advance(by: .seconds(seconds))
    if seconds == 120 {
      #expect(try await later.next() == .present(shown, waiting: 0))
    } else {
      // It was answered a second before the time.
      try await presenter.press(id: "yes", on: shown)
      await coordinator.shutDown()
      #expect(try await later.next() == nil)
    }
  }

  @Test func `counts again from each showing`() async throws {
    let presenter = TestPresenter(coordinator)
    var later = attach()
    #expect(try await later.next() == .queue(waiting: 0))
    _ = coordinator.submit(.alert("?"))
    let shown = try await presenter.nextPresentation()
    try await clock.untilSleeping()
    clock.advance(by: .seconds(100))
    try await presenter.snooze(shown, for: .seconds(60))
    clock.advance(by: .seconds(60))
    let again = try await presenter.nextPresentation()
    #expect(again.generation == 2)
    clock.advance(by: .seconds(119))
    try await clock.untilSleeping()
    clock.advance(by: .seconds(1))
    var told = try await later.next()
    while case .queue? = told { told = try await later.next() }
    #expect(told == .present(again, waiting: 0))
  }
}
