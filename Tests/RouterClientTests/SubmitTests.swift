import NIOHTTP1
import Router
import RouterClient
import RouterTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SubmitTests {
  @Test func `accepts a request at the stream's first event and ends it at the last`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let handle = client.submit(.sample)
      let call = try await daemon.nextCall()
      #expect(call.head.headers["Accept"] == ["text/event-stream"])
      try await call.start()
      try await call.event("queued", ["id": PresentationID.sample.json, "position": 2])
      let accepted = try await handle.accepted()
      #expect(accepted.id == .sample)
      #expect(accepted.position == 2)
      #expect(accepted.requester.app == "tests")
      try await call.event("presented", ["id": PresentationID.sample.json, "generation": 1])
      try await call.event("resolved", Presentation.sample(outcome: .dismissed).json)
      #expect(try await handle.resolved().outcome == .dismissed)
      try await call.end()
    }
  }

  @Test func `sends the next request when the previous one is accepted`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let handles = ["one", "two", "three"].map { client.submit(PresentationRequest(kind: .alert, title: $0)) }
      var titles: [JSONValue?] = []
      for _ in handles {
        let call = try await daemon.nextCall()
        titles.append(call.json?["title"])
        try await call.start()
        try await call.event("presented", ["id": PresentationID.sample.json, "generation": 1])
      }
      #expect(titles == ["one", "two", "three"])
    }
  }

  @Test func `fails a refused request without a callback and sends the next one`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let (called, continuation) = AsyncStream<String>.makeStream()
      let refused = client.submit(.sample) { continuation.yield("refused") }
      let taken = client.submit(.sample) { continuation.yield("taken") }
      let problem = RouterError(.full, "cannot take more").problem(title: "Too Many Requests")
      try await daemon.nextCall().reply(.tooManyRequests, problem.json, type: Problem.contentType)
      let error = await #expect(throws: RouterError.self) { try await refused.accepted() }
      #expect(error?.code == .full)
      let call = try await daemon.nextCall()
      try await call.start()
      try await call.event("resolved", Presentation.sample(outcome: .dismissed).json)
      #expect(try await taken.resolved().outcome == .dismissed)
      #expect(await called.first { _ in true } == "taken")
    }
  }

  @Test func `cancels an accepted request through the daemon`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let handle = client.submit(.sample)
      let call = try await daemon.nextCall()
      try await call.start()
      try await call.event("presented", ["id": PresentationID.sample.json, "generation": 1])
      _ = try await handle.accepted()
      handle.cancel()
      handle.cancel()
      let delete = try await daemon.nextCall()
      #expect(delete.line == "DELETE /v1/presentations/\(PresentationID.sample)")
      let ended = Presentation.sample(outcome: .cancelled(.requester))
      try await delete.reply(.ok, ended.json)
      try await call.event("resolved", ended.json)
      #expect(try await handle.resolved().outcome == .cancelled(.requester))
    }
  }

  @Test func `keeps the outcome of a request that ended before its cancellation`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let handle = client.submit(.sample)
      let call = try await daemon.nextCall()
      try await call.start()
      try await call.event("presented", ["id": PresentationID.sample.json, "generation": 1])
      _ = try await handle.accepted()
      handle.cancel()
      let problem = RouterError(.resolved, "cannot take it back", outcome: .dismissed).problem(title: "Conflict")
      try await daemon.nextCall().reply(.conflict, problem.json, type: Problem.contentType)
      try await call.event("resolved", Presentation.sample(outcome: .dismissed).json)
      #expect(try await handle.resolved().outcome == .dismissed)
    }
  }

  @Test func `closes the connection if the daemon rejects a cancellation`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let handle = client.submit(.sample)
      let call = try await daemon.nextCall()
      try await call.start()
      try await call.event("presented", ["id": PresentationID.sample.json, "generation": 1])
      _ = try await handle.accepted()
      handle.cancel()
      let problem = RouterError(.logUnavailable, "cannot write the log").problem(title: "Service Unavailable")
      try await daemon.nextCall().reply(.serviceUnavailable, problem.json, type: Problem.contentType)
      try await call.untilClosed()
      let error = await #expect(throws: RouterError.self) { try await handle.resolved() }
      #expect(error?.code == .logUnavailable)
    }
  }

  @Test func `cancels a request as soon as it is accepted if canceled before`() async throws {
    try await ScriptedDaemon.run { daemon in
      let client = daemon.client(reconnect: .never, clock: ManualClock().clock)
      let (called, continuation) = AsyncStream<Void>.makeStream()
      let handle = client.submit(.sample) { continuation.yield() }
      let call = try await daemon.nextCall()
      handle.cancel()
      handle.cancel()
      try await call.start()
      try await call.event("queued", ["id": PresentationID.sample.json, "position": 0])
      let delete = try await daemon.nextCall()
      #expect(delete.line == "DELETE /v1/presentations/\(PresentationID.sample)")
      let ended = Presentation.sample(outcome: .cancelled(.requester))
      try await delete.reply(.ok, ended.json)
      try await call.event("resolved", ended.json)
      #expect(try await handle.resolved().outcome == .cancelled(.requester))
      #expect(await called.first { true } != nil)
    }
  }

  @Test func `ends a canceled request if the daemon does not accept it in time`() async throws {
    try await ScriptedDaemon.run { daemon in
      let clock = ManualClock()
      let client = daemon.client(reconnect: .never, clock: clock.clock)
      let (called, continuation) = AsyncStream<Void>.makeStream()
      let handle = client.submit(.sample) { continuation.yield() }
      let call = try await daemon.nextCall()
      handle.cancel()
      try await clock.untilSleeping()
      clock.advance(by: .seconds(1))
      try await call.untilClosed()
      #expect(try await handle.resolved().outcome == .cancelled(.requester))
      #expect(await called.first { true } != nil)
    }
  }

  @Test func `never sends a request canceled in the mailbox`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      _ = client.submit(PresentationRequest(kind: .alert, title: "one"))
      let second = client.submit(PresentationRequest(kind: .alert, title: "two"))
      _ = client.submit(PresentationRequest(kind: .alert, title: "three"))
      let first = try await daemon.nextCall()
      second.cancel()
      #expect(try await second.resolved().outcome == .cancelled(.requester))
      try await first.start()
      try await first.event("queued", ["id": PresentationID.sample.json, "position": 0])
      #expect(try await daemon.nextCall().json?["title"] == "three")
    }
  }

  @Test func `canceling the waiting task cancels the request`() async throws {
    try await ScriptedDaemon.run { daemon in
      let client = daemon.client(reconnect: .never, clock: ManualClock().clock)
      let waiting = Task { try await client.submit(.sample).resolved() }
      let call = try await daemon.nextCall()
      waiting.cancel()
      try await call.start()
      try await call.event("queued", ["id": PresentationID.sample.json, "position": 0])
      let ended = Presentation.sample(outcome: .cancelled(.requester))
      try await daemon.nextCall().reply(.ok, ended.json)
      try await call.event("resolved", ended.json)
      #expect(try await waiting.value.outcome == .cancelled(.requester))
    }
  }

  @Test func `fails the request and runs its callback if the daemon disconnects`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let (called, continuation) = AsyncStream<Void>.makeStream()
      let handle = client.submit(.sample) { continuation.yield() }
      let call = try await daemon.nextCall()
      try await call.start()
      try await call.event("queued", ["id": PresentationID.sample.json, "position": 1])
      _ = try await handle.accepted()
      try await call.cut()
      let error = await #expect(throws: RouterError.self) { try await handle.resolved() }
      #expect(error?.code == .unreachable)
      #expect(await called.first { true } != nil)
    }
  }

  @Test func `fails a request without a daemon`() async throws {
    let handle = RouterClient(socketPath: "/nonexistent/routerd.sock").submit(.sample)
    let error = await #expect(throws: RouterError.self) { try await handle.resolved() }
    #expect(error?.code == .unreachable)
  }
}
