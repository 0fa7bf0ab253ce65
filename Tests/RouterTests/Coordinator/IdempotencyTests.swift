import Dispatch
import Router
import RouterTesting
import TestSupport
import Testing

/// Idempotency keys: deduplication, and reconnecting after a restart.
@Suite(.timeLimit(.minutes(10)))
struct IdempotencyTests {
  let directory: TemporaryDirectory
  let clock = ManualClock()
  let requester = Presentation.Requester(app: "deploy", process: ProcessIdentity(uid: 1000, gid: 1000, pid: 4242))

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func coordinator(on database: String) async throws -> PresentationCoordinator {
    try await PresentationCoordinator(log: AuditLog(path: database), clock: clock.clock, app: "tests")
  }

  private func ask(
    _ title: String = "?", key: String = "k", of coordinator: PresentationCoordinator,
    from requester: Presentation.Requester? = nil,
    attached: Bool = true
  ) throws -> PresentationHandle {
    let request = PresentationRequest.alert(title)
    return coordinator.ask(
      request, from: requester ?? self.requester, attached: attached, key: try IdempotencyKey(key, of: request))
  }

  // MARK: Keys

  @Test(arguments: ["", "a b", "ä", "a\u{7F}", String(repeating: "k", count: 256)])
  func `a key is 1 to 255 visible ASCII characters`(key: String) {
    let error = #expect(throws: RouterError.self) { try IdempotencyKey(key, of: .alert("?")) }
    #expect(error?.code == .invalid)
  }

  @Test func `ignores the member order of a payload and respects the field order of a form`() throws {
    func hash(_ text: String) throws -> [UInt8] {
      try IdempotencyKey("k", of: PresentationRequest(json: JSONValue(parsing: text))).requestHash
    }
    #expect(
      try hash(#"{"kind":"sheet","sheet":"s","payload":{"a":[{"x":1,"y":2}],"b":2},"metadata":{"m":"1","n":"2"}}"#)
        == hash(#"{"metadata":{"n":"2","m":"1"},"payload":{"b":2,"a":[{"y":2,"x":1}]},"sheet":"s","kind":"sheet"}"#))
    #expect(
      try hash(
        #"{"kind":"sheet","sheet":"s","schema":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}}"#)
        != hash(
          #"{"kind":"sheet","sheet":"s","schema":{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"string"}}}}"#
        ))
  }

  // MARK: Joining

  @Test(arguments: [1, 2])
  func `is canceled only if all of its askers leave before it is recorded`(leaving: Int) async throws {
    let log = try AuditLog(path: directory.file("log.db"))
    let coordinator = try await PresentationCoordinator(log: log, clock: clock.clock, app: "tests")
    let letGo = await log.holdUp()
    let handles = [try ask(of: coordinator), try ask(of: coordinator)]
    let leavers = handles.prefix(leaving).map { handle in Task { try await handle.resolved() } }
    for handle in handles.prefix(leaving) { await handle.awaited() }
    for leaver in leavers { leaver.cancel() }
    await coordinator.turn()
    letGo.signal()
    for leaver in leavers {
      let outcome = try await leaver.value.outcome
      if leaving == 1 { #expect(outcome == nil) }
    }
    #expect(await coordinator.presentations().count == (leaving == 1 ? 1 : 0))
    guard leaving == 1 else { return }
    let presenter = TestPresenter(coordinator)
    try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
    #expect(try await handles[1].resolved().outcome == .answered(.button("yes")))
  }

  @Test func `joins a repeated request to the open one and reports the outcome to both`() async throws {
    let coordinator = try await coordinator(on: directory.file("log.db"))
    let presenter = TestPresenter(coordinator)
    let first = try ask(of: coordinator)
    let second = try ask(of: coordinator)
    let shown = try await presenter.nextPresentation()
    #expect(try await first.accepted().id == shown.id)
    #expect(try await second.accepted().id == shown.id)
    #expect(await coordinator.openCount == 1)
    try await presenter.press(id: "yes", on: shown)
    #expect(try await first.resolved().outcome == .answered(.button("yes")))
    #expect(try await second.resolved().outcome == .answered(.button("yes")))
  }

  @Test func `stays open until its last connection closes`() async throws {
    let coordinator = try await coordinator(on: directory.file("log.db"))
    let (first, second) = (try ask(of: coordinator), try ask(of: coordinator))
    let id = try await second.accepted().id
    first.cancel()
    #expect(try await first.resolved().state == .queued)
    #expect(try await coordinator.presentation(id).outcome == nil)
    second.cancel()
    #expect(try await second.resolved().outcome == .cancelled(.requesterGone))
  }

  @Test func `rejects a reused key with a different request, open or ended`() async throws {
    let coordinator = try await coordinator(on: directory.file("log.db"))
    let presenter = TestPresenter(coordinator)
    let handle = try ask("first", of: coordinator)
    let shown = try await presenter.nextPresentation()
    let open = await #expect(throws: RouterError.self) { try await ask("second", of: coordinator).resolved() }
    #expect(open?.code == .impossible)
    try await presenter.press(id: "yes", on: shown)
    _ = try await handle.resolved()
    let recent = await #expect(throws: RouterError.self) { try await ask("second", of: coordinator).resolved() }
    #expect(recent?.code == .impossible)
    let other = try IdempotencyKey("k", of: .alert("second"))
    let ended = await #expect(throws: RouterError.self) { try await coordinator.ended(other, of: requester) }
    #expect(ended?.code == .impossible)
  }

  @Test func `scopes keys to user and app`() async throws {
    let coordinator = try await coordinator(on: directory.file("log.db"))
    _ = try ask(of: coordinator)
    _ = try ask(
      of: coordinator, from: Presentation.Requester(app: "deploy", process: ProcessIdentity(uid: 1001, gid: 1, pid: 1)))
    _ = try ask(of: coordinator, from: Presentation.Requester(app: "other", process: requester.process))
    _ = try await ask(key: "l", of: coordinator).accepted()
    #expect(await coordinator.openCount == 4)
  }

  @Test func `frees the key of a request lost with its requester, and keeps that of an answered one`() async throws {
    let coordinator = try await coordinator(on: directory.file("log.db"))
    let presenter = TestPresenter(coordinator)
    let lost = try ask(of: coordinator)
    let first = try await presenter.nextPresentation()
    lost.cancel()
    _ = try await lost.resolved()
    let key = try IdempotencyKey("k", of: .alert("?"))
    #expect(try await coordinator.ended(key, of: requester) == nil)
    let again = try ask(of: coordinator)
    let second = try await presenter.nextPresentation()
    #expect(second.id != first.id)
    let answered = try await presenter.press(id: "no", on: second)
    _ = try await again.resolved()
    #expect(try await coordinator.ended(key, of: requester) == answered)
    // A caller that looked it up a moment too early gets the outcome too.
    #expect(try await ask(of: coordinator).resolved() == answered)
  }

  // MARK: After a restart

  /// Returns the successor of a coordinator that was killed or shut down with three open presentations.
  private func restarted(_ name: String, stops: Bool) async throws -> PresentationCoordinator {
    let database = directory.file(name + ".db")
    let first = try await coordinator(on: database)
    let presenter = TestPresenter(first)
    let kept = try ask("kept", of: first)
    _ = try await presenter.nextPresentation()
    _ = try await first.ask(.alert("lost"), from: requester).accepted()
    _ = try await first.ask(.alert("detached"), from: requester, attached: false).accepted()
    if stops {
      await first.shutDown()
      let error = await #expect(throws: RouterError.self) { try await kept.resolved() }
      #expect(error?.code == .shuttingDown)
    }
    return try await coordinator(on: try directory.crashImage(of: database, as: name + "-next.db"))
  }

  @Test(arguments: [false, true])
  func `keeps the position of a keyed request after a restart, hidden until its requester reconnects`(stops: Bool) async throws
  {
    let second = try await restarted("log", stops: stops)
    #expect(await second.presentations().map(\.request.title) == ["kept", "detached"])
    let presenter = TestPresenter(second)
    // Nothing overtakes it for one second.
    #expect(try await presenter.nextEvent() == .queue(waiting: 2))
    clock.advance(by: .seconds(1))
    let detached = try await presenter.nextPresentation()
    #expect(detached.request.title == "detached")
    let handle = try ask("kept", of: second)
    try await presenter.press(id: "yes", on: detached)
    let kept = try await presenter.nextPresentation()
    #expect((kept.request.title, kept.generation) == ("kept", 2))
    try await presenter.press(id: "no", on: kept)
    #expect(try await handle.resolved().outcome == .answered(.button("no")))
  }

  @Test func `serves requesters that reconnect within a second in the recorded order`() async throws {
    let database = directory.file("order.db")
    let first = try await coordinator(on: database)
    for key in ["1", "2", "3"] { _ = try await ask(key, key: key, of: first).accepted() }
    let second = try await coordinator(on: try directory.crashImage(of: database, as: "order-next.db"))
    let presenter = TestPresenter(second)
    for key in ["3", "2", "1"] { _ = try await ask(key, key: key, of: second).accepted() }
    for title in ["1", "2", "3"] {
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.title == title)
      try await presenter.press(id: "yes", on: shown)
    }
  }

  @Test func `interrupts a keyed request if nobody reconnects in time, and frees the key`() async throws {
    let second = try await restarted("log", stops: false)
    let kept = try #require(await second.presentations().first)
    let watching = Task { try await second.resolved(kept.id) }
    try await clock.untilSleeping()
    clock.advance(by: .seconds(10))
    #expect(try await watching.value.outcome == .cancelled(.interrupted))
    let again = try await ask("kept", of: second).accepted()
    #expect(again.id != kept.id)
  }
}
