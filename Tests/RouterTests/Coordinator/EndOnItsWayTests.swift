import Dispatch
import RouterTesting
import Testing

@testable import Router

/// Calls that arrive while a decision is not yet committed.
@Suite(.timeLimit(.minutes(20)))
struct EndOnItsWayTests {
  let directory: TemporaryDirectory
  let log: AuditLog
  let coordinator: PresentationCoordinator
  let presenter: TestPresenter

  init() async throws {
    // A file, because its readers have their own threads.
    directory = try TemporaryDirectory()
    log = try AuditLog(path: directory.file("log.db"))
    coordinator = try await PresentationCoordinator(log: log, app: "tests")
    presenter = TestPresenter(coordinator)
  }

  /// Answers the current prompt while the log's thread is blocked, and calls `act` before the answer is committed.
  private func whileAnswering(
    _ act: @escaping @Sendable (PresentationID) async throws -> Presentation
  ) async throws -> (answered: Presentation, error: RouterError?) {
    let asked = try await coordinator.ask(.alert("?"), from: Requester(app: "a", process: .current)).accepted()
    let shown = try await presenter.nextPresentation()
    #expect(shown.id == asked.id)
    let letGo = await log.holdUp()
    async let answered = presenter.press("yes", on: shown)
    while await coordinator.decidedState(of: shown.id) != .resolved { await Task.yield() }
    async let error = #expect(throws: RouterError.self) { try await act(shown.id) }
    // By now the call is in the mailbox or queued behind the blocked log.
    for _ in 0..<200 { await Task.yield() }
    letGo.signal()
    return (try await answered, await error)
  }

  @Test func `canceling reports the committed outcome`() async throws {
    let (answered, error) = try await whileAnswering { [coordinator] id in
      try await coordinator.cancel(id, by: Resolver(process: .current))
    }
    #expect(answered.outcome == .answered(.button("yes")))
    #expect((error?.code, error?.outcome) == (.resolved, .answered(.button("yes"))))
  }

  @Test func `a second answer reports the committed outcome`() async throws {
    let (_, error) = try await whileAnswering { [coordinator] id in
      try await coordinator.respond(to: id, generation: 1, with: .answer(.button("no")), by: Resolver(process: .current))
    }
    #expect((error?.code, error?.outcome) == (.resolved, .answered(.button("yes"))))
  }

  @Test func `detaching reports the committed outcome`() async throws {
    let (_, error) = try await whileAnswering { [coordinator] id in try await coordinator.detach(id) }
    #expect((error?.code, error?.outcome) == (.resolved, .answered(.button("yes"))))
    #expect(try await !AuditReader(log).events(after: 0).contains { $0.kind == .detached })
  }

  @Test func `hides the presentation from another user`() async throws {
    let otherUser = Resolver(process: ProcessIdentity(uid: 7, gid: 7, pid: 7))
    let asked = try await coordinator.ask(.alert("?"), from: Requester(app: "a", process: .current)).accepted()
    let error = await #expect(throws: RouterError.self) { try await coordinator.cancel(asked.id, by: otherUser) }
    #expect(error?.code == .notFound)
  }

  @Test func `a presenter that attaches during a commit gets the prompt and its withdrawal once`() async throws {
    let letGo = await log.holdUp()
    let handle = coordinator.ask(.alert("?"), from: Requester(app: "a", process: .current))
    let late = TestPresenter(coordinator, name: "late")
    while await coordinator.screens.arriving.isEmpty { await Task.yield() }
    letGo.signal()
    let shown = try await late.nextPresentation()
    try await presenter.press("yes", on: shown)
    #expect(try await handle.resolved().id == shown.id)
    let (next, reason) = try await late.nextWithdrawal()
    #expect(next == shown.id && reason == .answered)
    #expect(late.shown.map(\.id) == [shown.id])
  }

  @Test func `a presenter that attaches during a commit gets no withdrawal of a prompt it never showed`() async throws {
    let handle = coordinator.ask(.alert("1"), from: Requester(app: "a", process: .current))
    let first = try await presenter.nextPresentation()
    let letGo = await log.holdUp()
    async let answered = presenter.press("yes", on: first)
    while await coordinator.decidedState(of: first.id) != .resolved { await Task.yield() }
    let late = TestPresenter(coordinator, name: "late")
    while await coordinator.screens.arriving.isEmpty { await Task.yield() }
    letGo.signal()
    _ = try await (answered, handle.resolved())
    #expect(try await late.next() == .queue(waiting: 0))
  }
}

extension PresentationCoordinator {
  /// The decided state of an open presentation, committed or not.
  func decidedState(of id: PresentationID) -> Presentation.State? {
    (decider as? LocalDecider)?.surfaces.entry(id)?.presentation.state ?? (committed[id] == nil ? nil : .resolved)
  }
}
