public import Router
public import Testing

/// Runs a test's body with its own router in the environment. Records an issue, at the line of this call, for unfinished work:
/// an open presentation, an unread answer, a refused request that no task waits for, or the remaining steps of a presenter's
/// script.
///
/// ```swift
/// @Test func `deletes what the person confirms`() async throws {
///   try await withTestRouter { router in
///     let presenter = router.presenter(script: [.press("Delete")])
///     try await Cleaner().clean("cache")
///     #expect(presenter.shown.map(\.request.title) == ["Delete cache?"])
///   }
/// }
/// ```
///
/// If nothing happens in the router for `patience` while a prompt is open or a presenter waits for one, the test fails with a
/// description of the open waits, at the line of this call. The router is then shut down, so that the waits end: open
/// presentations end as interrupted, and a presenter's waits throw `CancellationError`. The operation's task is not canceled.
///
/// Canceling the test's task cancels the operation's waits; the router is shut down when the operation has ended.
///
/// - Parameters:
///   - limits: The limits on open presentations.
///   - patience: The maximum period without a request, an event in the log or an answer.
///   - isAllowed: Whether an unfinished item is allowed (default: never).
///   - operation: The test's body, with the router. Code that it calls, and its child tasks, use this router.
/// - Throws: The operation's error; after a stall, an error that does not record a second issue.
@discardableResult
public func withTestRouter<Value>(
  limits: Presentation.Limits = .init(), patience: Duration = .seconds(10),
  leaving isAllowed: (UnfinishedWork.Item) -> Bool = { _ in false }, isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, operation: (TestRouter) async throws -> Value
) async throws -> Value {
  try await TestRouter(limits: limits).run(
    patience: patience, leaving: isAllowed, isolation: isolation, sourceLocation: sourceLocation, operation: operation)
}

/// A coordinator for one test, with a log in memory and a manual clock. Tracks the test's unfinished work.
public final class TestRouter: TestBroker {
  /// The underlying coordinator. Direct requests to it are not tracked, but must end.
  public let coordinator: PresentationCoordinator
  /// The coordinator's clock.
  public let clock: ManualClock
  public let reader: AuditReader
  public let work: TestWork

  /// Creates a router without presentations.
  public init(limits: Presentation.Limits = .init()) async throws {
    let log = try AuditLog.inMemory()
    clock = ManualClock()
    reader = try AuditReader(log)
    coordinator = try await PresentationCoordinator(
      log: log, clock: clock.clock, policy: .init(limits: limits), app: "test")
    work = TestWork(of: coordinator)
  }

  /// Cancels open presentations as interrupted and detaches the presenters. Returns once every dismiss callback has returned.
  public func shutDown() async {
    await coordinator.shutDown()
    work.disconnect()
  }
}
