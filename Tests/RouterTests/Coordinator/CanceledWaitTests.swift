import Router
import RouterTesting
import TestSupport
import Testing

/// `outcome(of:)` in tasks that are canceled.
@Suite(.timeLimit(.minutes(10)))
struct CanceledWaitTests {
  let coordinator: PresentationCoordinator
  let presenter: TestPresenter

  init() async throws {
    coordinator = try await PresentationCoordinator(log: .inMemory(), app: "tests")
    presenter = TestPresenter(coordinator)
  }

  private func ask() async throws -> Presentation {
    try await coordinator.ask(.alert("?"), from: Presentation.Requester(app: "a", process: .current)).accepted()
  }

  /// Waits in a task that is canceled before it begins to wait.
  private func waitCanceled(for id: PresentationID) async {
    let (canceled, cancels) = AsyncStream<Void>.makeStream()
    let task = Task { [coordinator] in
      for await _ in canceled {}
      _ = try await coordinator.resolved(id)
    }
    task.cancel()
    cancels.finish()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `throws at once in a canceled task`() async throws {
    let open = try await ask()
    await waitCanceled(for: open.id)
    #expect(await coordinator.openPresentation(open.id) != nil)
    try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
    await waitCanceled(for: open.id)
    await waitCanceled(for: PresentationIDGenerator().next(at: open.requestedAt))
  }

  @Test func `ends the wait when its task is canceled, at any moment`() async throws {
    let open = try await ask()
    for delay in 0..<300 {
      let task = Task { [coordinator] in try await coordinator.resolved(open.id) }
      // Cancels before, while and after the wait is registered.
      for _ in 0..<delay % 30 { await coordinator.roundTrip() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
    #expect(try await coordinator.resolved(open.id).outcome == .answered(.button("yes")))
  }
}
