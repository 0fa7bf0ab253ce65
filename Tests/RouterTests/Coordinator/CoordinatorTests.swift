import Router
import RouterTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CoordinatorTests {
  let log: AuditLog
  let reader: AuditReader
  let clock = ManualClock()
  let coordinator: PresentationCoordinator

  init() async throws {
    log = try AuditLog.inMemory()
    reader = try AuditReader(log)
    coordinator = try await PresentationCoordinator(log: log, clock: clock.clock, app: "tests")
  }

  @Test func `delivers an answer to its requester and records it`() async throws {
    let presenter = TestPresenter(coordinator)
    let handle = coordinator.submit(.alert("Deploy?"))
    let shown = try await presenter.nextPresentation()
    #expect(shown.generation == 1)
    let answered = try await presenter.press(id: "yes", on: shown)
    #expect(answered.outcome == .answered(.button("yes")))
    let ended = try await handle.resolved()
    #expect(ended == answered)
    let recorded = try #require(try await reader.presentation(shown.id))
    #expect(recorded == ended)
    await coordinator.shutDown()
    let kinds = try await reader.events(of: shown.id).map(\.kind)
    #expect(kinds.prefix(3) == [.requested, .presented, .answered])
  }

  @Test func `shows two requests submitted together in order`() async throws {
    let presenter = TestPresenter(coordinator)
    _ = coordinator.submit(.alert("first"))
    _ = coordinator.submit(.alert("second"))
    let first = try await presenter.nextPresentation()
    #expect(first.request.title == "first")
    try await presenter.press(id: "no", on: first)
    #expect(try await presenter.nextPresentation().request.title == "second")
  }

  @Test func `canceling the waiting task withdraws the presentation`() async throws {
    let presenter = TestPresenter(coordinator)
    let handle = coordinator.submit(.alert("?"))
    let waiting = Task { try await handle.resolved() }
    let shown = try await presenter.nextPresentation()
    waiting.cancel()
    #expect(try await presenter.nextWithdrawal() == (shown.id, .cancelled))
    #expect(try await waiting.value.outcome == .cancelled(.requester))
  }

  @Test func `shows the prompt again after a presenter disconnects`() async throws {
    let first = TestPresenter(coordinator)
    let handle = coordinator.submit(.alert("?"))
    _ = try await first.nextPresentation()
    first.disconnect()
    let second = TestPresenter(coordinator)
    let again = try await second.nextPresentation()
    #expect(again.generation == 2)
    try await second.press(id: "yes", on: again)
    #expect(try await handle.resolved().outcome == .answered(.button("yes")))
  }

  @Test func `withdraws an expired prompt and reports it as expired`() async throws {
    let presenter = TestPresenter(coordinator)
    var request = PresentationRequest.alert("?")
    request.timeout = .seconds(30)
    let handle = coordinator.submit(request)
    let shown = try await presenter.nextPresentation()
    clock.advance(by: .seconds(30))
    #expect(try await presenter.nextWithdrawal() == (shown.id, .expired))
    #expect(try await handle.resolved().outcome == .expired(.presented))
  }

  @Test func `delivers a sensitive answer to the requester only`() async throws {
    let presenter = TestPresenter(coordinator)
    let form = FormSchema(properties: [FormSchema.Property(name: "secret", kind: .string, format: .password)])
    let handle = coordinator.submit(PresentationRequest(kind: .sheet, sheet: "unlock", schema: form))
    let shown = try await presenter.nextPresentation()
    let answer = PresentationOutcome.answered(.value(["secret": "canary"]))
    let told = try await presenter.answer(["secret": "canary"], on: shown)
    #expect(told.outcome == .answered(.redacted))
    #expect(try await handle.resolved().outcome == answer)
    #expect(try await reader.presentation(shown.id)?.outcome == .answered(.redacted))
    for event in try await reader.events(of: shown.id) { #expect(!event.json.description.contains("canary")) }
  }

  @Test func `runs a dismiss callback once and records it`() async throws {
    let presenter = TestPresenter(coordinator)
    let calls = Mutex(0)
    let handle = coordinator.submit(.alert("?")) { calls.withLock { $0 += 1 } }
    let shown = try await presenter.nextPresentation()
    try await presenter.dismiss(shown)
    #expect(try await handle.resolved().outcome == .dismissed)
    await coordinator.shutDown()
    #expect(calls.withLock(\.self) == 1)
    #expect(try await reader.presentation(shown.id)?.callback == Presentation.Callback(state: .delivered, attempts: 1))
    #expect(try await reader.events(of: shown.id).map(\.kind).contains(.callbackDelivered))
  }

  @Test func `rejects an invalid or second answer and keeps the first valid one`() async throws {
    let presenter = TestPresenter(coordinator)
    let handle = coordinator.submit(.alert("?"))
    let shown = try await presenter.nextPresentation()
    await #expect(throws: RouterError.self) { try await presenter.press(id: "maybe", on: shown) }
    try await presenter.press(id: "yes", on: shown)
    #expect(try await handle.resolved().outcome == .answered(.button("yes")))
    do {
      try await presenter.press(id: "yes", on: shown)
      Issue.record("a second answer was taken")
    } catch let error as RouterError {
      #expect(error.code == .resolved)
      #expect(error.outcome == .answered(.button("yes")))
    }
  }

  @Test func `covers a parent with its child and shows it again afterwards`() async throws {
    let presenter = TestPresenter(coordinator)
    let form = coordinator.submit(PresentationRequest(kind: .sheet, sheet: "form"))
    let parent = try await presenter.nextPresentation()
    let alert = coordinator.submit(.alert("Save?", over: parent.id))
    #expect(try await presenter.nextWithdrawal() == (parent.id, .covered))
    let child = try await presenter.nextPresentation()
    await #expect(throws: RouterError.self) { try await presenter.dismiss(parent) }
    try await presenter.press(id: "yes", on: child)
    #expect(try await alert.resolved().outcome == .answered(.button("yes")))
    let again = try await presenter.nextPresentation()
    #expect((again.id, again.generation) == (parent.id, 2))
    try await presenter.dismiss(again)
    #expect(try await form.resolved().outcome == .dismissed)
  }
}
