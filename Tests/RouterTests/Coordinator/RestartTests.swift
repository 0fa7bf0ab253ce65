import Router
import RouterTesting
import TestSupport
import Testing

// Promise P38.
@Suite(.timeLimit(.minutes(10)))
struct RestartTests {
  let directory: TemporaryDirectory
  let clock = ManualClock()
  let requester = Presentation.Requester(app: "deploy", process: ProcessIdentity(uid: 1000, gid: 1000, pid: 4242))

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func coordinator(on database: String) async throws -> PresentationCoordinator {
    try await PresentationCoordinator(log: AuditLog(path: database), clock: clock.clock, app: "tests")
  }

  /// Submits detached alerts.
  private func ask(_ titles: [String], of coordinator: PresentationCoordinator) async throws {
    for title in titles {
      _ = try await coordinator.ask(.alert(title), from: requester, attached: false).accepted()
    }
  }

  private func titles(_ coordinator: PresentationCoordinator) async -> [String] {
    await coordinator.presentations().map { $0.request.title ?? "" }
  }

  @Test func `restores detached presentations after a clean shutdown`() async throws {
    let database = directory.file("log.db")
    let first = try await coordinator(on: database)
    let presenter = TestPresenter(first)
    try await ask(["a", "b", "c"], of: first)
    let shown = try await presenter.nextPresentation()
    await first.shutDown()

    let second = try await coordinator(on: try directory.crashImage(of: database, as: "next.db"))
    #expect(await titles(second) == ["a", "b", "c"])
    let again = try await TestPresenter(second).nextPresentation()
    #expect((again.id, again.generation) == (shown.id, 2))
  }

  @Test func `keeps the order between users after a kill`() async throws {
    let database = directory.file("log.db")
    let first = try await coordinator(on: database)
    for (title, uid) in [("a", 1), ("b", 1), ("c", 1), ("p", 2), ("q", 2), ("x", 3)] as [(String, UInt32)] {
      let requester = Presentation.Requester(app: "deploy", process: ProcessIdentity(uid: uid, gid: 0, pid: 7))
      _ = try await first.ask(.alert(title), from: requester, attached: false).accepted()
    }
    #expect(await titles(first) == ["a", "b", "p", "x", "c", "q"])
    let second = try await coordinator(on: try directory.crashImage(of: database, as: "next.db"))
    #expect(await titles(second) == ["a", "b", "p", "x", "c", "q"])
  }

  @Test func `shows the current prompt first after a kill, with a new generation`() async throws {
    let database = directory.file("log.db")
    let first = try await coordinator(on: database)
    let presenter = TestPresenter(first)
    try await ask(["low"], of: first)
    _ = try await presenter.nextPresentation()
    var urgent = PresentationRequest.alert("urgent")
    urgent.priority = .critical
    _ = try await first.ask(urgent, from: requester, attached: false).accepted()

    let second = try await coordinator(on: try directory.crashImage(of: database, as: "next.db"))
    #expect(await titles(second) == ["low", "urgent"])
    let again = try await TestPresenter(second).nextPresentation()
    #expect((again.request.title, again.generation) == ("low", 2))
  }

  @Test func `interrupts attached requests after a kill`() async throws {
    let database = directory.file("log.db")
    let first = try await coordinator(on: database)
    let attached = try await first.ask(.alert("attached"), from: requester).accepted()
    try await ask(["detached"], of: first)

    let next = try directory.crashImage(of: database, as: "next.db")
    let second = try await coordinator(on: next)
    #expect(await titles(second) == ["detached"])
    #expect(try await second.presentation(attached.id).outcome == .cancelled(.interrupted))
  }

  @Test func `keeps an acknowledged answer after a kill`() async throws {
    let database = directory.file("log.db")
    let first = try await coordinator(on: database)
    let presenter = TestPresenter(first)
    try await ask(["a"], of: first)
    let shown = try await presenter.nextPresentation()
    try await presenter.press(id: "yes", on: shown)

    let second = try await coordinator(on: try directory.crashImage(of: database, as: "next.db"))
    #expect(try await second.presentation(shown.id).outcome == .answered(.button("yes")))
  }

  @Test func `restores a whole stack`() async throws {
    let database = directory.file("log.db")
    let first = try await coordinator(on: database)
    let presenter = TestPresenter(first)
    let form = try await first.ask(
      PresentationRequest(kind: .sheet, sheet: "form"), from: requester, attached: false
    ).accepted()
    _ = try await presenter.nextPresentation()
    _ = try await first.ask(.alert("Save?", over: form.id), from: requester, attached: false).accepted()
    _ = try await presenter.nextPresentation()

    let second = try await coordinator(on: try directory.crashImage(of: database, as: "next.db"))
    let next = TestPresenter(second)
    let alert = try await next.nextPresentation()
    #expect(alert.request.title == "Save?")
    try await next.press(id: "yes", on: alert)
    #expect(try await next.nextPresentation().id == form.id)
  }

  @Test func `interrupts a whole flow after a kill and keeps detached requests`() async throws {
    let database = directory.file("log.db")
    let first = try await coordinator(on: database)
    let presenter = TestPresenter(first)
    var screens: [PresentationID] = []
    for name in ["address", "payment", "done"] {
      let screen = first.ask(.screen(name, over: screens.last), from: requester)
      try await presenter.answer("given", on: try await presenter.next(name))
      screens.append(try await screen.accepted().id)
    }
    try await ask(["detached"], of: first)

    let second = try await coordinator(on: try directory.crashImage(of: database, as: "next.db"))
    for id in screens { #expect(try await second.presentation(id).outcome == .cancelled(.interrupted)) }
    #expect(await titles(second) == ["detached"])
  }

  @Test func `interrupts a flow on a clean shutdown and ends its answers`() async throws {
    let coordinator = try await coordinator(on: directory.file("log.db"))
    let presenter = TestPresenter(coordinator)
    let root = coordinator.submit(.screen("address"))
    try await presenter.answer("Ada", on: try await presenter.nextPresentation())
    let screen = coordinator.submit(.screen("payment", over: try await root.accepted().id))
    _ = try await screen.accepted()
    await coordinator.shutDown()
    for handle in [root, screen] { #expect(try await handle.resolved().outcome == .cancelled(.interrupted)) }
    var answers: [PresentationAnswer] = []
    for await answer in root.answers { answers.append(answer) }
    #expect(answers == [.value("Ada")])
    await #expect(throws: RouterError.self) { try await root.finish() }
  }

  @Test func `counts downtime toward deadlines and never runs time backwards`() async throws {
    let database = directory.file("log.db")
    let first = try await coordinator(on: database)
    var request = PresentationRequest.alert("?")
    request.timeout = .seconds(60)
    let id = try await first.ask(request, from: requester, attached: false).accepted().id
    let image = try directory.crashImage(of: database, as: "back.db")
    let later = try directory.crashImage(of: database, as: "later.db")

    clock.setWall(Timestamp(milliseconds: 0))
    let back = try await coordinator(on: image)
    clock.advance(by: .seconds(60))
    #expect(try await back.resolved(id).outcome == .expired(.queued))

    clock.setWall(Timestamp(milliseconds: 4_000_000_000_000))
    let forth = try await coordinator(on: later)
    #expect(try await forth.resolved(id).outcome == .expired(.queued))
  }

  @Test func `reports a clean shutdown to attached requesters`() async throws {
    let coordinator = try await coordinator(on: directory.file("log.db"))
    let handle = coordinator.submit(.alert("?"))
    _ = try await handle.accepted()
    await coordinator.shutDown()
    #expect(try await handle.resolved().outcome == .cancelled(.interrupted))
    await #expect(throws: RouterError.self) { try await coordinator.submit(.alert("late")).resolved() }
  }
}
