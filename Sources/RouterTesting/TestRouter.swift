public import Router

/// Runs a test with its own router in the environment, and fails the test if it leaves anything unfinished.
///
/// ```swift
/// @Test func `deletes what the person confirms`() async throws {
///   try await withTestRouter { router in
///     let presenter = router.presenter(script: [.choose("Delete")])
///     try await Cleaner().clean("cache")
///     #expect(presenter.shown.map(\.request.title) == ["Delete cache?"])
///   }
/// }
/// ```
///
/// - Parameter operation: The test. The code it calls and its child tasks ask the router passed to it.
/// - Throws: What the operation throws; otherwise ``LeftOver`` if a presentation is still open, an answer was never read, a
///   request that nobody waits for was refused, or a presenter's script was not played completely.
@discardableResult
public func withTestRouter<Value>(
  isolation: isolated (any Actor)? = #isolation, operation: (TestRouter) async throws -> Value
) async throws -> Value {
  let router = try await TestRouter()
  do {
    let value = try await withEnvironment(\.presentationBroker, router) { try await operation(router) }
    try await router.check()
    await router.shutDown()
    return value
  } catch {
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

  /// Creates a router without presentations.
  public init(limits: PresentationSurfaces.Limits = .init()) async throws {
    let log = try AuditLog.inMemory()
    clock = ManualClock()
    reader = try AuditReader(log)
    coordinator = try await PresentationCoordinator(log: log, clock: clock.clock, limits: limits, app: "test")
  }

  /// Forwards a request to the coordinator, and tracks it.
  public func submit(_ request: PresentationRequest, onDismiss: DismissCallback?) -> PresentationHandle {
    let handle = coordinator.submit(request, onDismiss: onDismiss)
    noted.withLock { $0.asked.append((request, handle)) }
    return handle
  }

  /// Forwards a presenter to the coordinator.
  public func attach(presenter name: String, to surface: String) -> PresenterAttachment {
    coordinator.attach(presenter: name, to: surface)
  }

  /// Attaches a presenter to control step by step or by a script, which must be played completely by the end of the test.
  public func presenter(
    _ name: String = "test", on surface: String = "main", script: [TestPresenter.Step] = []
  ) -> TestPresenter {
    noted(TestPresenter(self, name: name, surface: surface, script: script))
  }

  /// Attaches a presenter whose answers come from a closure.
  public func presenter(
    _ name: String = "test", on surface: String = "main",
    answering: @escaping @Sendable (Presentation) async throws -> TestPresenter.Step
  ) -> TestPresenter {
    noted(TestPresenter(self, name: name, surface: surface, answering: answering))
  }

  private func noted(_ presenter: TestPresenter) -> TestPresenter {
    noted.withLock { $0.presenters.append(presenter) }
    return presenter
  }

  /// Throws ``LeftOver``, which lists everything unfinished, if there is anything.
  public func check() async throws {
    let noted = noted.withLock { $0 }
    var items: [LeftOver.Item] = []
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
      } catch let error as RouterError {
        if handle.isAnswerForgone { items.append(.refused(request, error.message)) }
      }
    }
    // Presentations requested from the coordinator directly.
    items += await coordinator.presentations { !known.contains($0.id) }.map(LeftOver.Item.open)
    for presenter in noted.presenters {
      items += presenter.refused.map { .failedStep(presenter: presenter.name, $0.step, $0.error) }
      if !presenter.unplayed.isEmpty { items.append(.unplayed(presenter: presenter.name, presenter.unplayed)) }
    }
    guard items.isEmpty else { throw LeftOver(items: items) }
  }

  /// Cancels open presentations as interrupted and detaches the presenters. Returns once every dismiss callback has returned.
  public func shutDown() async {
    await coordinator.shutDown()
    for presenter in noted.withLock(\.presenters) { presenter.vanish() }
  }
}
