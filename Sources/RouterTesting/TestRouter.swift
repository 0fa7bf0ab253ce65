public import Router

/// Runs a test's body with a router of its own in the environment, and fails the test if it leaves something behind.
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
/// - Parameter operation: The test. What it calls and the child tasks it starts ask the router that it is given.
/// - Throws: What the operation throws; else ``LeftOver`` if a presentation is still open, an answer was never read, a request
///   that nobody waits for was refused, or a presenter's script was not played as it stands.
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

/// A coordinator for one test: its log is in memory, its clock stands until it is moved, and it knows what was left behind.
public final class TestRouter: PresentationBroker {
  /// The coordinator that everything is passed on to.
  public let coordinator: PresentationCoordinator
  /// The coordinator's clock.
  public let clock: ManualClock
  /// What is on record.
  public let reader: AuditReader

  private struct Noted {
    var asked: [(request: PresentationRequest, handle: PresentationHandle)] = []
    var presenters: [TestPresenter] = []
  }

  private let noted = Mutex(Noted())

  /// A router with nothing open.
  public init(limits: PresentationSurfaces.Limits = .init()) async throws {
    let log = try AuditLog.inMemory()
    clock = ManualClock()
    reader = try AuditReader(log)
    coordinator = try await PresentationCoordinator(log: log, clock: clock.clock, limits: limits, app: "test")
  }

  /// Passes a request on, and notes it.
  public func submit(_ request: PresentationRequest, onDismiss: DismissCallback?) -> PresentationHandle {
    let handle = coordinator.submit(request, onDismiss: onDismiss)
    noted.withLock { $0.asked.append((request, handle)) }
    return handle
  }

  /// Passes a presenter on.
  public func attach(presenter name: String, to surface: String) -> PresenterAttachment {
    coordinator.attach(presenter: name, to: surface)
  }

  /// A presenter to play step by step, or by a script, all of which must have been played at the end.
  public func presenter(
    _ name: String = "test", on surface: String = "main", script: [TestPresenter.Step] = []
  ) -> TestPresenter {
    noted(TestPresenter(self, name: name, surface: surface, script: script))
  }

  /// A presenter for which a closure says what the person does with each showing.
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

  /// Checks that everything has come to its end; throws ``LeftOver`` that names what has not.
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
    // What was asked of the coordinator itself.
    items += await coordinator.presentations { !known.contains($0.id) }.map(LeftOver.Item.open)
    for presenter in noted.presenters {
      items += presenter.refused.map { .failedStep(presenter: presenter.name, $0.step, $0.error) }
      if !presenter.unplayed.isEmpty { items.append(.unplayed(presenter: presenter.name, presenter.unplayed)) }
    }
    guard items.isEmpty else { throw LeftOver(items: items) }
  }

  /// Ends what is open as cancelled, interrupted, and lets the presenters go. It returns when every dismiss callback has.
  public func shutDown() async {
    await coordinator.shutDown()
    for presenter in noted.withLock(\.presenters) { presenter.vanish() }
  }
}
