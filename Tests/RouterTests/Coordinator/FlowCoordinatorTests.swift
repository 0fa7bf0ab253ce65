import Router
import RouterTesting
import TestSupport
import Testing

extension PresentationRequest {
  /// The root of a flow or, with `over`, one of its screens.
  static func screen(_ sheet: String, over: PresentationID? = nil) -> PresentationRequest {
    PresentationRequest(kind: .sheet, sheet: sheet, over: over, flow: true)
  }
}

/// Flows through the coordinator, as seen by the requester, the presenters and the log.
@Suite(.timeLimit(.minutes(10)))
struct FlowCoordinatorTests {
  let log: AuditLog
  let reader: AuditReader
  let clock = ManualClock()
  let coordinator: PresentationCoordinator
  let presenter: TestPresenter

  init() async throws {
    log = try AuditLog.inMemory()
    reader = try AuditReader(log)
    coordinator = try await PresentationCoordinator(log: log, clock: clock.clock, app: "tests")
    presenter = TestPresenter(coordinator)
  }

  private func answers(_ handle: PresentationHandle) async -> [PresentationAnswer] {
    var answers: [PresentationAnswer] = []
    for await answer in handle.answers { answers.append(answer) }
    return answers
  }

  @Test func `delivers each answer to the requester, and finish ends with the last one`() async throws {
    let handle = coordinator.submit(.screen("address"))
    let first = try await presenter.nextPresentation()
    let told = try await presenter.answer("Ada", on: first)
    #expect((told.state, told.generation, told.outcome) == (.presented, 2, nil))
    let second = try await presenter.nextPresentation()
    #expect((second.id, second.generation) == (first.id, 2))
    try await presenter.answer("Grace", on: second)
    let finished = try await handle.finish()
    #expect(finished.outcome == .answered(.value("Grace")))
    #expect(finished.resolvedBy?.presenter == "test")
    #expect(try await handle.resolved() == finished)
    #expect(await answers(handle) == [.value("Ada"), .value("Grace")])
    #expect(try await reader.presentation(first.id) == finished)
  }

  @Test func `presenters withdraw an answered screen and then show it again`() async throws {
    let handle = coordinator.submit(.screen("address"))
    let shown = try await presenter.nextPresentation()
    let other = TestPresenter(coordinator, name: "other")
    #expect(try await other.nextPresentation() == shown)
    try await presenter.answer(1, on: shown)
    for presenter in [presenter, other] {
      #expect(try await presenter.nextWithdrawal() == (shown.id, .answered))
      #expect(try await presenter.nextPresentation().generation == 2)
    }
    let error = await #expect(throws: RouterError.self) { try await other.answer(2, on: shown) }
    #expect(error?.code == .staleGeneration)
    _ = try await handle.finish()
    #expect(try await other.nextWithdrawal() == (shown.id, .answered))
  }

  @Test func `a screen covers its root, Back uncovers it, and finish ends the screens above`() async throws {
    let root = coordinator.submit(.screen("address"))
    let shown = try await presenter.nextPresentation()
    try await presenter.answer("Ada", on: shown)
    let first = coordinator.submit(.screen("payment", over: shown.id))
    let payment = try await presenter.next("payment")
    try await presenter.dismiss(payment)
    #expect(try await first.resolved().outcome == .dismissed)
    let again = try await presenter.nextPresentation()
    #expect(again.id == shown.id)
    try await presenter.answer("Grace", on: again)
    let second = coordinator.submit(.screen("payment", over: shown.id))
    let third = coordinator.submit(.screen("done", over: try await second.accepted().id))
    _ = try await third.accepted()
    #expect(try await root.finish().outcome == .answered(.value("Grace")))
    #expect(try await second.resolved().outcome == .cancelled(.parentEnded))
    #expect(try await third.resolved().outcome == .cancelled(.parentEnded))
    #expect(await coordinator.openCount == 0)
  }

  @Test func `records each answer and who finished the flow`() async throws {
    let handle = coordinator.submit(.screen("address"))
    let shown = try await presenter.nextPresentation()
    clock.advance(by: .seconds(3))
    try await presenter.answer("Ada", on: shown)
    #expect(try await reader.presentation(shown.id)?.state == .presented)
    _ = try await handle.finish()
    let events = try await reader.events(of: shown.id)
    #expect(events.map(\.kind) == [.requested, .presented, .answered, .presented, .answered])
    #expect(events[0].detail["request"]?["flow"] == true)
    #expect(events[2].detail["stays"] == true)
    #expect(events[2].detail["generation"] == 1)
    #expect(events[2].detail["shownFor"] == 3)
    #expect(events[2].detail["by"]?["presenter"] == "test")
    #expect(events[4].detail["stays"] == nil)
    #expect(events[4].detail["by"]?["presenter"] == "test")
    #expect(events[4].detail["finishedBy"]?["presenter"] == .null)
    #expect(events[4].detail["outcome"] == ["type": "answered", "value": "Ada"])
    let (ended, _) = try await reader.resolved(AuditQuery())
    #expect(ended.map(\.id) == [shown.id])
  }

  @Test func `delivers each sensitive answer to the requester only`() async throws {
    let form = FormSchema(properties: [FormSchema.Property(name: "secret", kind: .string, format: .password)])
    let handle = coordinator.submit(PresentationRequest(kind: .sheet, sheet: "unlock", schema: form, flow: true))
    let shown = try await presenter.nextPresentation()
    try await presenter.answer(["secret": "canary-1"], on: shown)
    try await presenter.answer(["secret": "canary-2"], on: try await presenter.nextPresentation())
    #expect(try await handle.finish().outcome == .answered(.redacted))
    #expect(try await handle.resolved().outcome == .answered(.value(["secret": "canary-2"])))
    #expect(await answers(handle) == [.value(["secret": "canary-1"]), .value(["secret": "canary-2"])])
    for event in try await reader.events(of: shown.id) { #expect(!event.json.description.contains("canary")) }
  }

  @Test func `rejects an invalid answer, and finish without an answer`() async throws {
    let form = FormSchema(properties: [FormSchema.Property(name: "name", kind: .string)])
    let handle = coordinator.submit(PresentationRequest(kind: .fullScreenCover, sheet: "name", schema: form, flow: true))
    let shown = try await presenter.nextPresentation()
    await #expect(throws: RouterError.self) { try await presenter.answer(["name": 7], on: shown) }
    let error = await #expect(throws: RouterError.self) { try await handle.finish() }
    #expect(error?.code == .notAnswered)
    #expect(error?.status == 409)
    try await presenter.answer(["name": "Ada"], on: shown)
    _ = try await handle.finish()
    let late = await #expect(throws: RouterError.self) { try await handle.finish() }
    #expect(late?.code == .resolved)
    #expect(late?.outcome == .answered(.value(["name": "Ada"])))
  }

  @Test func `rejects a request that cannot be a flow and names the field`() async throws {
    var alert = PresentationRequest.alert("?")
    alert.flow = true
    let requester = Presentation.Requester(app: "tests", process: .current)
    let sheet = coordinator.submit(PresentationRequest(kind: .sheet, sheet: "plain"))
    let id = try await sheet.accepted().id
    let refused: [(PresentationHandle, RouterError.Code, String)] = [
      (coordinator.submit(alert), .invalid, "/flow"),
      (coordinator.ask(.screen("address"), from: requester, attached: false), .impossible, "/flow"),
      (coordinator.submit(.screen("address", over: id)), .impossible, "/over"),
    ]
    for (handle, code, field) in refused {
      let error = await #expect(throws: RouterError.self) { try await handle.accepted() }
      #expect(error?.code == code)
      #expect(error?.field == field)
    }
    let error = await #expect(throws: RouterError.self) { try await sheet.finish() }
    #expect(error?.code == .impossible)
  }

  @Test func `only the flow's user or an administrator can finish it`() async throws {
    let process = ProcessIdentity(uid: 1000, gid: 1000, pid: 4242)
    let handle = coordinator.ask(.screen("address"), from: Presentation.Requester(app: "deploy", process: process))
    let shown = try await presenter.nextPresentation()
    try await presenter.answer("Ada", on: shown)
    let otherUser = Presentation.Responder(process: ProcessIdentity(uid: 1001, gid: 1001, pid: 1))
    let error = await #expect(throws: RouterError.self) {
      try await coordinator.change(shown.id) { .change($0, Verbs.Finish(), by: otherUser) }
    }
    #expect(error?.code == .notFound)
    #expect(
      try await coordinator.change(shown.id) { .change($0, Verbs.Finish(), by: otherUser, isAdmin: true) }.outcome
        == .answered(.value("Ada")))
    #expect(try await handle.resolved().outcome == .answered(.value("Ada")))
  }

  @Test func `delivers answers in order, before the end, to a following requester`() async throws {
    let (updates, continuation) = AsyncStream<PresentationUpdate>.makeStream()
    let asker = FollowingAsker(updates: continuation)
    _ = await coordinator.ask(
      try ValidRequest(.screen("address")), from: Presentation.Requester(app: "tests", process: .current), isAdmin: false,
      attached: true, key: nil, for: asker)
    let shown = try await presenter.nextPresentation()
    try await presenter.answer(1, on: shown)
    try await presenter.answer(2, on: try await presenter.nextPresentation())
    _ = try await coordinator.change(shown.id) { .change($0, Verbs.Finish(), by: Presentation.Responder(process: .current)) }
    var told: [PresentationUpdate] = []
    for await update in updates { told.append(update) }
    #expect(
      told == [
        .presented(shown.id, generation: 1), .answered(shown.id, generation: 1, .value(1)),
        .presented(shown.id, generation: 2), .answered(shown.id, generation: 2, .value(2)),
        .presented(shown.id, generation: 3),
      ])
  }

  @Test func `survives the loss of its presenters with all screens`() async throws {
    let root = coordinator.submit(.screen("address"))
    try await presenter.answer("Ada", on: try await presenter.nextPresentation())
    let screen = coordinator.submit(.screen("payment", over: try await root.accepted().id))
    try await presenter.answer("card", on: try await presenter.next("payment"))
    presenter.disconnect()
    let next = TestPresenter(coordinator, name: "next")
    let again = try await next.nextPresentation()
    #expect(again.request.sheet == "payment")
    #expect(try await screen.finish().outcome == .answered(.value("card")))
    #expect(try await next.nextPresentation().request.sheet == "address")
    #expect(try await root.finish().outcome == .answered(.value("Ada")))
  }
}

extension TestPresenter {
  /// Returns the next presentation of that sheet, skipping screens that are shown again.
  func next(_ sheet: String) async throws -> Presentation {
    while true {
      let presentation = try await nextPresentation()
      if presentation.request.sheet == sheet { return presentation }
    }
  }
}

/// A requester that forwards its updates to a stream until the end.
private final class FollowingAsker: PresentationAsker {
  let updates: AsyncStream<PresentationUpdate>.Continuation
  let followsPosition = true

  init(updates: AsyncStream<PresentationUpdate>.Continuation) {
    self.updates = updates
  }

  func accept(_ presentation: Presentation) {}

  func tell(_ update: PresentationUpdate) { updates.yield(update) }

  func end(_ result: Result<Presentation, RouterError>) -> Bool {
    updates.finish()
    return true
  }
}
