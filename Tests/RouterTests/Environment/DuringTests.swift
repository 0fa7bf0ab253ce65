import Router
import RouterTesting
import Testing

/// Sheets shown while an operation runs.
@Suite(.timeLimit(.minutes(10)))
struct DuringTests {
  private struct Wrong: Error, Equatable {}

  /// Waits until the task is canceled.
  private static func untilCancelled() async throws {
    let (never, continuation) = AsyncStream<Void>.makeStream()
    for await _ in never {}
    continuation.finish()
    throw CancellationError()
  }

  @Test @MainActor func `runs the operation on its actor`() async throws {
    try await withTestRouter { router in
      _ = router.presenter()
      var reports = 0
      try await ShowAction().during(AppSheet.settings) { reports += 1 }
      try await ShowAction.For<AppSheet>().during(.settings) { progress in
        progress(1, "Done")
        reports += 1
      }
      #expect(reports == 2)
    }
  }

  @Test func `withdraws the sheet when the operation returns, and returns its result`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      let (shown, continuation) = AsyncStream<Presentation>.makeStream()
      async let result = ShowAction().during(AppSheet.settings) {
        for await presentation in shown { return presentation.request.sheet }
        return nil
      }
      let presentation = try await presenter.nextPresentation()
      continuation.yield(presentation)
      #expect(try await result == "settings")
      #expect(try await presenter.nextWithdrawal() == (presentation.id, .cancelled))
      #expect(try await router.reader.presentation(presentation.id)?.outcome == .cancelled(.requester))
    }
  }

  @Test func `rethrows the operation's error and withdraws the sheet`() async throws {
    try await withTestRouter { _ in
      await #expect(throws: Wrong()) {
        try await ShowAction(as: .fullScreenCover).during(AppSheet.settings) { throw Wrong() }
      }
    }
  }

  @Test func `dismissing the sheet cancels the operation`() async throws {
    try await withTestRouter { router in
      _ = router.presenter(script: [.dismiss])
      await #expect(throws: NoAnswer.dismissed) {
        try await ShowAction().during(AppSheet.settings) { try await Self.untilCancelled() }
      }
    }
  }

  @Test func `returns the result of an operation that completes despite cancellation`() async throws {
    try await withTestRouter { router in
      _ = router.presenter(script: [.dismiss])
      let result = try await ShowAction().during(AppSheet.settings) {
        try? await Self.untilCancelled()
        return 7
      }
      #expect(result == 7)
    }
  }

  @Test func `dismiss in the operation withdraws the sheet`() async throws {
    try await withTestRouter { router in
      await #expect(throws: NoAnswer.cancelled(.requester)) {
        try await ShowAction().during(AppSheet.settings) {
          async let child: Void = EnvironmentValues.current.dismiss()
          await child
          try await Self.untilCancelled()
        }
      }
      let ended = try await ShowAction().during(AppSheet.settings) {
        try await EnvironmentValues.current.dismiss.outcome()
      }
      #expect(ended == .cancelled(.requester))
    }
  }

  @Test func `canceling the task ends the sheet and the operation`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      let working = Task { try await ShowAction().during(AppSheet.settings) { try await Self.untilCancelled() } }
      let shown = try await presenter.nextPresentation()
      working.cancel()
      await #expect(throws: NoAnswer.cancelled(.requester)) { try await working.value }
      #expect(try await presenter.nextWithdrawal() == (shown.id, .cancelled))
    }
  }

  @Test func `does not run the operation if the sheet is refused`() async throws {
    let broker = ScriptedBroker { _ in .refuse(RouterError(.full, "cannot queue another")) }
    await withEnvironment(\.presentationBroker, broker) {
      let error = await #expect(throws: RouterError.self) {
        try await ShowAction().during(AppSheet.settings) { Issue.record("the operation ran") }
      }
      #expect(error?.code == .full)
    }
  }
}
