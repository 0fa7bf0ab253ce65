import Router
import RouterTesting
import TestSupport
import Testing

/// Jumps of the wall clock in both directions: deadlines and durations are unaffected.
/// Promises P4, P40.
@Suite(.timeLimit(.minutes(10)))
struct ClockJumpTests {
  /// Wall clock jumps in seconds: one second, one day, ten years.
  static let jumps = [-315_360_000, -86400, -1, 1, 86400, 315_360_000]

  let directory: TemporaryDirectory
  let clock = ManualClock()
  let sender = ScriptedSender()
  let requester = Presentation.Requester(app: "agent", process: ProcessIdentity(uid: 1000, gid: 1000, pid: 4242))

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func coordinator(on database: String = ":memory:") async throws -> PresentationCoordinator {
    try await PresentationCoordinator(
      log: AuditLog(path: database), clock: clock.clock, callbackSender: sender, backoff: .init(), app: "tests")
  }

  private func jump(_ seconds: Int) {
    clock.setWall(clock.wall.advanced(by: .seconds(seconds)))
  }

  private func alert(_ title: String, _ fill: (inout PresentationRequest) -> Void = { _ in }) -> PresentationRequest {
    var request = PresentationRequest.alert(title)
    fill(&request)
    return request
  }

  /// The shown timeout, the overall timeout and the queue timeout.
  @Test(arguments: jumps)
  func `expires open presentations on time`(seconds: Int) async throws {
    let coordinator = try await coordinator()
    let presenter = TestPresenter(coordinator)
    let handles = [
      coordinator.submit(alert("shown") { $0.shownTimeout = .seconds(60) }),
      coordinator.submit(alert("timeout") { $0.timeout = .seconds(60) }),
      coordinator.submit(alert("queued") { $0.queueTimeout = .seconds(60) }),
    ]
    _ = try await presenter.nextPresentation()
    for handle in handles { _ = try await handle.accepted() }
    jump(seconds)
    clock.advance(by: .seconds(30))
    jump(seconds)
    clock.advance(by: .milliseconds(29_999))
    await coordinator.roundTrip()
    // Another request makes the coordinator check its deadlines.
    let late = try await coordinator.submit(alert("late")).accepted()
    #expect(await coordinator.presentations().count == 4)
    clock.advance(by: .milliseconds(1))
    let ends = [
      try await handles[0].resolved(), try await handles[1].resolved(), try await handles[2].resolved(),
    ]
    #expect(ends.map(\.outcome) == [.expired(.presented), .expired(.queued), .expired(.queued)])
    #expect(try await presenter.nextPresentation().id == late.id)
  }

  /// Also over a restart, at which a clock that was set back gives no extra time.
  @Test(arguments: jumps)
  func `ends a snooze at its time`(seconds: Int) async throws {
    let database = directory.file("routerd.db")
    let coordinator = try await coordinator(on: database)
    let presenter = TestPresenter(coordinator)
    let id = try await coordinator.ask(.alert("a"), from: requester, attached: false).accepted().id
    try await presenter.snooze(try await presenter.nextPresentation(), for: .seconds(60))
    jump(seconds)
    clock.advance(by: .milliseconds(59_999))
    await coordinator.roundTrip()
    #expect(await coordinator.openPresentation(id)?.snoozedUntil != nil)
    clock.advance(by: .milliseconds(1))
    let second = try await presenter.nextPresentation()
    #expect(second.generation == 2)

    try await presenter.snooze(second, for: .seconds(60))
    jump(seconds)
    let next = try await self.coordinator(on: try directory.crashImage(of: database, as: "next.db"))
    let again = TestPresenter(next)
    clock.advance(by: .seconds(60))
    #expect(try await again.nextPresentation().generation == 3)
    await next.shutDown()
  }

  /// Also for what the session asks after a jump, and over a restart.
  @Test(arguments: jumps)
  func `ends a pause at its time`(seconds: Int) async throws {
    let database = directory.file("routerd.db")
    let coordinator = try await coordinator(on: database)
    let first = try await coordinator.ask(.alert("a"), from: requester, attached: false).accepted().id
    _ = try await coordinator.change(first) {
      .change($0, Verbs.PauseSession(for: .seconds(60)), by: Presentation.Responder(process: .current))
    }
    jump(seconds)
    clock.advance(by: .seconds(30))
    let second = try await coordinator.ask(.alert("b"), from: requester, attached: false).accepted().id
    clock.advance(by: .milliseconds(29_999))
    await coordinator.roundTrip()
    for id in [first, second] { #expect(await coordinator.openPresentation(id)?.snoozedUntil != nil) }
    clock.advance(by: .milliseconds(1))
    let presenter = TestPresenter(coordinator)
    let shown = try await presenter.nextPresentation()
    #expect(shown.id == first)
    #expect(await coordinator.openPresentation(second)?.snoozedUntil == nil)
    #expect(await coordinator.pauses.isEmpty)

    _ = try await coordinator.change(first) {
      .change($0, Verbs.PauseSession(for: .seconds(60)), by: Presentation.Responder(process: .current))
    }
    jump(seconds)
    let next = try await self.coordinator(on: try directory.crashImage(of: database, as: "next.db"))
    clock.advance(by: .seconds(60))
    #expect(await next.pauses.isEmpty)
    #expect(try await TestPresenter(next).nextPresentation().id == first)
    await next.shutDown()
  }

  @Test(arguments: jumps)
  func `records the elapsed display time and keeps the order of requests`(seconds: Int) async throws {
    let log = try AuditLog.inMemory()
    let coordinator = try await PresentationCoordinator(log: log, clock: clock.clock, app: "tests")
    let presenter = TestPresenter(coordinator)
    for title in ["a", "b", "c"] {
      _ = try await coordinator.ask(.alert(title), from: requester, attached: false).accepted()
      jump(seconds)
    }
    let open = await coordinator.presentations()
    #expect(open.map(\.request.title) == ["a", "b", "c"])
    // Ids contain the time and still increase.
    #expect(open.map(\.id) == open.map(\.id).sorted())
    let shown = try await presenter.nextPresentation()
    jump(seconds)
    clock.advance(by: .seconds(7))
    try await presenter.press(id: "yes", on: shown)
    let reader = try AuditReader(log)
    #expect(try await reader.events(of: shown.id).last { $0.kind == .answered }?.detail["shownFor"] == .seconds(.seconds(7)))
    #expect(try await reader.events(after: 0).map(\.seq) == Array(1...reader.lastSeq()))
  }

  @Test(arguments: jumps)
  func `keeps the backoff at its length`(seconds: Int) async throws {
    let coordinator = try await coordinator()
    let presenter = TestPresenter(coordinator)
    for _ in 0..<3 {
      let handle = coordinator.ask(.alert("?"), from: requester)
      try await presenter.dismiss(try await presenter.nextPresentation())
      _ = try await handle.resolved()
      jump(seconds)
    }
    clock.advance(by: .milliseconds(9999))
    let error = await #expect(throws: RouterError.self) { try await coordinator.ask(.alert("?"), from: requester).accepted() }
    #expect(error?.code == .full)
    jump(seconds)
    clock.advance(by: .milliseconds(1))
    _ = try await coordinator.ask(.alert("?"), from: requester).accepted()
  }

  @Test(arguments: jumps)
  func `retries a callback after its delay`(seconds: Int) async throws {
    let coordinator = try await coordinator()
    let request = try PresentationRequest(
      json: ["kind": "alert", "title": "?", "onDismiss": ["url": "http+unix://%2Frun%2Fdeploy.sock/ended"]])
    let asked = try await coordinator.ask(request, from: requester, attached: false).accepted()
    _ = try await coordinator.change(asked.id) {
      .change($0, Verbs.Cancel(), by: Presentation.Responder(process: requester.process))
    }
    for pause in [1, 2, 4, 8] {
      try await sender.next().fail("not now")
      try await clock.untilSleeping()
      jump(seconds)
      clock.advance(by: .seconds(pause) - .milliseconds(1))
      await coordinator.roundTrip()
      // The retry delay has not ended yet.
      #expect(clock.sleeperCount == 1)
      clock.advance(by: .milliseconds(1))
    }
    try await sender.next().accept()
  }

  @Test(arguments: jumps)
  func `keeps the grace period for reconnecting requesters at its length`(seconds: Int) async throws {
    let database = directory.file("log.db")
    let first = try await coordinator(on: database)
    let request = alert("kept")
    let key = try IdempotencyKey("k", of: request)
    _ = try await first.ask(request, from: requester, key: key).accepted()
    jump(seconds)
    let second = try await coordinator(on: try directory.crashImage(of: database, as: "next.db"))
    jump(seconds)
    clock.advance(by: .milliseconds(9999))
    await second.roundTrip()
    let handle = second.ask(request, from: requester, key: key)
    #expect(try await handle.accepted().request.title == "kept")
    clock.advance(by: .seconds(10))
    await second.roundTrip()
    #expect(await second.presentations().count == 1)
  }

  @Test(arguments: jumps)
  func `leaves no more time after a restart than before`(seconds: Int) async throws {
    let database = directory.file("log.db")
    let first = try await coordinator(on: database)
    let requests = [alert("timeout") { $0.timeout = .seconds(100) }, alert("queued") { $0.queueTimeout = .seconds(100) }]
    for request in requests { _ = try await first.ask(request, from: requester, attached: false).accepted() }
    clock.advance(by: .seconds(40))
    // This request records the current time, so at most 60 s remain.
    _ = try await first.ask(.alert("later"), from: requester, attached: false).accepted()
    jump(seconds)
    let second = try await coordinator(on: try directory.crashImage(of: database, as: "next.db"))
    // The first turn finds what has expired, the second has it recorded.
    await second.roundTrip()
    await second.roundTrip()
    let titles = await second.presentations().compactMap(\.request.title)
    if seconds >= 86400 {
      // The machine may have been off for that long.
      #expect(titles == ["later"])
    } else {
      #expect(titles == ["timeout", "queued", "later"])
      clock.advance(by: .seconds(60))
      let ids = await second.presentations().map(\.id)
      for id in ids.prefix(2) where ids.count == 3 {
        #expect(try await second.resolved(id).outcome == .expired(.queued))
      }
      #expect(try await second.submit(.alert("after")).accepted().request.title == "after")
      #expect(await second.presentations().compactMap(\.request.title) == ["later", "after"])
    }
  }

  @Test func `expires everything that is overdue after a long sleep of the machine, each in its phase`() async throws {
    let coordinator = try await coordinator()
    let presenter = TestPresenter(coordinator)
    let shown = coordinator.submit(alert("shown") { $0.shownTimeout = .seconds(3600) })
    _ = try await presenter.nextPresentation()
    let waiting = (1...20).map { number in coordinator.submit(alert("\(number)") { $0.timeout = .seconds(60 * number) }) }
    for handle in waiting { _ = try await handle.accepted() }
    let kept = coordinator.submit(alert("kept"))
    _ = try await kept.accepted()
    clock.advance(by: .seconds(86400 * 7))
    #expect(try await shown.resolved().outcome == .expired(.presented))
    for handle in waiting { #expect(try await handle.resolved().outcome == .expired(.queued)) }
    let last = try await presenter.nextPresentation()
    #expect(last.request.title == "kept")
  }
}
