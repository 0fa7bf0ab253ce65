import Dispatch
import Router
import RouterTesting
import TestSupport
import Testing

/// Calls that arrive while a decision is not yet committed.
@Suite(.timeLimit(.minutes(10)))
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

  /// Answers the current prompt while the log's thread is blocked, and applies another input before the answer is committed.
  private func whileAnswering(
    _ late: (PresentationID) -> PresentationInput
  ) async throws -> (answered: Presentation, error: RouterError?) {
    let asked = try await coordinator.ask(.alert("?"), from: Presentation.Requester(app: "a", process: .current)).accepted()
    let shown = try await presenter.nextPresentation()
    #expect(shown.id == asked.id)
    let letGo = await log.holdUp()
    let answered = await coordinator.pressing("yes", on: shown)
    let refused = await coordinator.deciding(late(shown.id), on: shown.id)
    letGo.signal()
    let error = await #expect(throws: RouterError.self) { try await refused.value() }
    return (try await answered.value(), error)
  }

  @Test func `canceling reports the committed outcome`() async throws {
    let (answered, error) = try await whileAnswering {
      .change($0, Verbs.Cancel(), by: Presentation.Responder(process: .current))
    }
    #expect(answered.outcome == .answered(.button("yes")))
    #expect((error?.code, error?.outcome) == (.resolved, .answered(.button("yes"))))
  }

  @Test func `a second answer reports the committed outcome`() async throws {
    let by = Presentation.Responder(process: .current)
    let (_, error) = try await whileAnswering { .change($0, Verbs.Answer(.button("no")), generation: 1, by: by) }
    #expect((error?.code, error?.outcome) == (.resolved, .answered(.button("yes"))))
  }

  @Test func `detaching reports the committed outcome`() async throws {
    let (_, error) = try await whileAnswering { .change($0, Verbs.Detach()) }
    #expect((error?.code, error?.outcome) == (.resolved, .answered(.button("yes"))))
    #expect(try await !AuditReader(log).events(after: 0).contains { $0.kind == .detached })
  }

  @Test func `hides the presentation from another user`() async throws {
    let otherUser = Presentation.Responder(process: ProcessIdentity(uid: 7, gid: 7, pid: 7))
    let asked = try await coordinator.ask(.alert("?"), from: Presentation.Requester(app: "a", process: .current)).accepted()
    let error = await #expect(throws: RouterError.self) {
      try await coordinator.change(asked.id) { .change($0, Verbs.Cancel(), by: otherUser) }
    }
    #expect(error?.code == .notFound)
  }

  @Test func `a presenter that attaches during a commit gets the prompt and its withdrawal once`() async throws {
    let letGo = await log.holdUp()
    let handle = coordinator.ask(.alert("?"), from: Presentation.Requester(app: "a", process: .current))
    let late = TestPresenter(coordinator, name: "late")
    await coordinator.turn()
    letGo.signal()
    let shown = try await late.nextPresentation()
    try await presenter.press(id: "yes", on: shown)
    #expect(try await handle.resolved().id == shown.id)
    let (next, reason) = try await late.nextWithdrawal()
    #expect(next == shown.id && reason == .answered)
    #expect(late.shown.map(\.id) == [shown.id])
  }

  @Test func `a presenter that attaches during a commit gets no withdrawal of a prompt it never showed`() async throws {
    let handle = coordinator.ask(.alert("1"), from: Presentation.Requester(app: "a", process: .current))
    let first = try await presenter.nextPresentation()
    let letGo = await log.holdUp()
    let answered = await coordinator.pressing("yes", on: first)
    let late = TestPresenter(coordinator, name: "late")
    await coordinator.turn()
    letGo.signal()
    _ = try await (answered.value(), handle.resolved())
    #expect(try await late.nextEvent() == .queue(waiting: 0))
  }
}
