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
/// - Parameters:
///   - limits: How much may be open.
///   - isAllowed: Says what may be left behind (default: nothing).
///   - operation: The test. What it calls and the child tasks it starts ask the router that it is given.
/// - Throws: What the operation throws.
@discardableResult
public func withTestRouter<Value>(
  limits: Presentation.Limits = .init(), leaving isAllowed: (UnfinishedWork.Item) -> Bool = { _ in false },
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  operation: (TestRouter) async throws -> Value
) async throws -> Value {
  let router = try await TestRouter(limits: limits)
  func record(_ items: [UnfinishedWork.Item]) {
    let left = items.filter { !isAllowed($0) }
    if !left.isEmpty { Issue.record("\(UnfinishedWork(items: left))", sourceLocation: sourceLocation) }
  }
  do {
    let value = try await withEnvironment(\.presentationBroker, router) { try await operation(router) }
    record(await router.unfinishedWork())
    await router.shutDown()
    return value
  } catch {
    // A failed step may be why the operation threw. Whatever else is left over is a result of that.
    record(router.failedSteps)
    await router.shutDown()
    throw error
  }
}

/// A coordinator for one test, with a log in memory and a manual clock. It tracks what the test leaves unfinished.
public final class TestRouter: PresentationBroker {
  /// The underlying coordinator.
  public let coordinator: PresentationCoordinator
  /// The coordinator's clock.
  public let clock: ManualClock
  /// Reads the log.
  public let reader: AuditReader

  private struct Noted {
    var asked: [(request: PresentationRequest, handle: PresentationHandle)] = []
    var presenters: [TestPresenter] = []
  }

  private let noted = Mutex(Noted())
  let refusals = Broadcast<Refusal>()

  /// Creates a router without presentations.
  public init(limits: Presentation.Limits = .init()) async throws {
    let log = try AuditLog.inMemory()
    clock = ManualClock()
    reader = try AuditReader(log)
    coordinator = try await PresentationCoordinator(
      log: log, clock: clock.clock, policy: .init(limits: limits), app: "test")
  }

  /// Forwards a request to the coordinator, and tracks it.
  public func submit(_ request: PresentationRequest, onDismiss: (@Sendable () async -> Void)?) -> PresentationHandle {
    let handle = coordinator.submit(request, onDismiss: onDismiss)
    noted.withLock { $0.asked.append((request, handle)) }
    let task = withUnsafeCurrentTask { $0?.hashValue }
    // Ends when the request is accepted or refused.
    Task { [refusals] in
      do {
        _ = try await handle.accepted()
      } catch {
        refusals.send(Refusal(request: request, error: error, handle: handle, task: task))
      }
    }
    return handle
  }

  /// Forwards a presenter to the coordinator.
  public func attach(presenter name: String, to surface: String) -> PresenterAttachment {
    coordinator.attach(presenter: name, to: surface)
  }

  /// Forwards progress to the coordinator.
  public func report(progress fraction: Double, label: String?, of id: PresentationID) async throws {
    try await coordinator.report(progress: fraction, label: label, of: id)
  }

  /// Returns the coordinator's open presentations.
  public func presentations(surface: String?) async -> [Presentation] { await coordinator.presentations(surface: surface) }

  /// Returns a presentation of the coordinator.
  public func presentation(_ id: PresentationID) async throws -> Presentation { try await coordinator.presentation(id) }

  /// Waits until a presentation of the coordinator has ended.
  public func resolved(_ id: PresentationID) async throws -> Presentation { try await coordinator.resolved(id) }

  /// Cancels a presentation of the coordinator.
  public func cancel(_ id: PresentationID) async throws -> Presentation { try await coordinator.cancel(id) }

  /// Attaches a presenter to control step by step, or by a script with a step for each showing, which must be played completely
  /// by the end of the test.
  public func presenter(
    _ name: String = "test", on surface: String = "main", script: [TestPresenter.Step] = []
  ) -> TestPresenter {
    noted(TestPresenter(self, name: name, on: surface, script: script))
  }

  /// Attaches a presenter whose answers come from a closure.
  public func presenter(
    _ name: String = "test", on surface: String = "main",
    answering: @escaping @Sendable (Presentation) async throws -> TestPresenter.Step
  ) -> TestPresenter {
    noted(TestPresenter(self, name: name, on: surface, answering: answering))
  }

  private func noted(_ presenter: TestPresenter) -> TestPresenter {
    noted.withLock { $0.presenters.append(presenter) }
    return presenter
  }

  /// Throws ``UnfinishedWork``, which lists everything unfinished, if there is anything.
  public func check() async throws {
    let items = await unfinishedWork()
    guard items.isEmpty else { throw UnfinishedWork(items: items) }
  }

  /// What has not come to its end.
  func unfinishedWork() async -> [UnfinishedWork.Item] {
    let noted = noted.withLock { $0 }
    var items: [UnfinishedWork.Item] = []
    var known: Set<PresentationID> = []
    for (request, handle) in noted.asked {
      do {
        let presentation = try await handle.accepted()
        known.insert(presentation.id)
        if handle.presentation?.outcome == nil {
          items.append(.open(presentation))
        } else if handle.hasUnreadAnswer {
          items.append(.unread(presentation))
        }
      } catch {
        guard let error = error as? RouterError, handle.isAnswerForgone else { continue }
        items.append(.refused(request, error.message))
      }
    }
    // Presentations requested from the coordinator directly.
    items += await coordinator.presentations { !known.contains($0.id) }.map(UnfinishedWork.Item.open)
    items += failedSteps
    for presenter in noted.presenters where !presenter.unplayed.isEmpty {
      items.append(.unplayed(presenter: presenter.name, presenter.unplayed))
    }
    return items
  }

  /// The steps of scripts that failed.
  var failedSteps: [UnfinishedWork.Item] {
    noted.withLock(\.presenters).flatMap { presenter in
      presenter.refused.map { .failedStep(presenter: presenter.name, $0.step, $0.error) }
    }
  }

  /// Cancels open presentations as interrupted and detaches the presenters. Returns once every dismiss callback has returned.
  public func shutDown() async {
    await coordinator.shutDown()
    for presenter in noted.withLock(\.presenters) { presenter.disconnect() }
  }
}
