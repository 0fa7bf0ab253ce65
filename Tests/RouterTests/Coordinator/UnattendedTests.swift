import Router
import RouterTesting
import Testing

/// A program that asks without a presenter.
@Suite(.timeLimit(.minutes(10)))
struct UnattendedTests {
  private let clock = ManualClock()
  private let log = Lines()

  private func coordinator() async throws -> PresentationCoordinator {
    try await PresentationCoordinator(
      log: .inMemory(), clock: clock.clock, app: "tests", logger: log.logger, logsUnattended: true)
  }

  @Test func `logs a wait without a presenter once, after a second`() async throws {
    let coordinator = try await coordinator()
    for title in ["One?", "Two?"] {
      _ = try await coordinator.submit(PresentationRequest(kind: .alert, title: title)).accepted()
      await coordinator.roundTrip()
      clock.advance(by: .seconds(1))
      if log.lines.isEmpty { for await _ in log.stream { break } }
      await coordinator.roundTrip()
    }
    #expect(
      log.lines.map(\.message) == ["a prompt is waiting without a presenter: pass presenter: .terminal, or call run(_:on:)"])
    #expect(log.lines.first?.metadata["surface"] == "main")
    await coordinator.shutDown()
  }

  @Test func `logs nothing if a presenter attaches within a second`() async throws {
    let coordinator = try await coordinator()
    let handle = coordinator.submit(PresentationRequest(kind: .alert, title: "One?"))
    _ = try await handle.accepted()
    let presenter = TestPresenter(coordinator)
    let shown = try await presenter.nextPresentation()
    clock.advance(by: .seconds(2))
    try await presenter.dismiss(shown)
    #expect(log.lines.isEmpty)
    await coordinator.shutDown()
  }
}
