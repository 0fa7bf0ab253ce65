public import Router
public import Testing

/// Runs a test's body with its own router in the environment, and records an issue, at the line of this call, if it leaves
/// something behind: an open presentation, an answer that was never read, a refused request that nobody waits for, or a
/// presenter's script that was not played to the end.
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
/// sentence that names what is open, at the line of this call. The router is then shut down, so that the waits end: open
/// presentations end as interrupted, and a presenter's waits throw `CancellationError`. The operation's task is not canceled.
///
/// Canceling the test's task cancels what the operation waits for; the router is shut down when the operation has ended.
///
/// - Parameters:
///   - limits: How much may be open.
///   - patience: How long nothing may happen: no request, no event in the log, no answer.
///   - isAllowed: Says what may be left behind (default: nothing).
///   - operation: The test. What it calls and the child tasks it starts ask the router that it is given.
/// - Throws: What the operation throws; after a stall, an error that is not a second issue.
@discardableResult
public func withTestRouter<Value>(
  limits: Presentation.Limits = .init(), patience: Duration = .seconds(10),
  leaving isAllowed: (UnfinishedWork.Item) -> Bool = { _ in false }, isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, operation: (TestRouter) async throws -> Value
) async throws -> Value {
  try await TestRouter(limits: limits).run(
    patience: patience, leaving: isAllowed, isolation: isolation, sourceLocation: sourceLocation, operation: operation)
}

/// A coordinator for one test, with a log in memory and a manual clock. It tracks what the test leaves unfinished.
public final class TestRouter: TestBroker {
  /// The underlying coordinator. What it is asked directly is not tracked, except that it must end.
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
