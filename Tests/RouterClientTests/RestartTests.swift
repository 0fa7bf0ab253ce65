import NIOHTTP1
import Router
import RouterClient
import RouterTesting
import Testing

/// Programs that wait through a restart of the daemon.
@Suite(.timeLimit(.minutes(10)))
struct RestartTests {
  private let clock = ManualClock()

  private func client(
    of daemon: ScriptedDaemon, _ policy: ReconnectPolicy = ReconnectPolicy(),
    daemonChanged: @escaping @Sendable (DaemonChange) -> Void = { _ in }
  ) -> RouterClient {
    daemon.client(reconnect: policy, clock: clock.clock, daemonChanged: daemonChanged)
  }

  /// Advances the clock once a task sleeps.
  private func passPause(_ duration: Duration = .seconds(2)) async throws {
    try await clock.untilSleeping()
    clock.advance(by: duration)
  }

  private func accept(_ call: ScriptedCall, _ id: PresentationID = .sample, generation: Int = 1) async throws {
    try await call.start()
    try await call.event("presented", ["id": id.json, "generation": .integer(generation)])
  }

  /// Replies with the end only, as for a presentation that has already ended.
  private func replay(_ presentation: Presentation, to call: ScriptedCall) async throws {
    try await call.start()
    try await resolve(call, presentation)
  }

  private func resolve(_ call: ScriptedCall, _ presentation: Presentation) async throws {
    try await call.event("resolved", presentation.json)
    try await call.end()
  }

  // MARK: Attached requests

  @Test func `repeats a request with its key and body after a restart`() async throws {
    try await ScriptedDaemon.run { daemon in
      let (called, continuation) = AsyncStream<Void>.makeStream()
      let handle = client(of: daemon).submit(.sample) { continuation.yield() }
      let first = try await daemon.nextCall()
      try await accept(first)
      _ = try await handle.accepted()
      try await first.cut()
      try await passPause()
      let second = try await daemon.nextCall()
      let key = try #require(first.head.headers["Idempotency-Key"].first)
      #expect(key.utf8.count == 36)
      #expect(second.head.headers["Idempotency-Key"] == [key])
      #expect(second.body == first.body)
      try await accept(second, generation: 2)
      try await resolve(second, .sample(outcome: .answered(.button("deploy"))))
      #expect(try await handle.resolved().outcome == .answered(.button("deploy")))
      #expect(await called.first { true } != nil)
    }
  }

  @Test func `gives each request its own key unless the caller sets one`() async throws {
    try await ScriptedDaemon.run { daemon in
      let client = client(of: daemon)
      _ = client.submit(.sample, idempotencyKey: "mine")
      let first = try await daemon.nextCall()
      try await accept(first)
      #expect(first.head.headers["Idempotency-Key"] == ["mine"])
      var keys: Set<String> = []
      for _ in 0..<3 {
        _ = client.submit(.sample)
        let call = try await daemon.nextCall()
        try await accept(call)
        keys.formUnion(call.head.headers["Idempotency-Key"])
      }
      #expect(keys.count == 3)
    }
  }

  @Test func `retries while nothing listens, even if the request was not yet accepted`() async throws {
    try await ScriptedDaemon.run { daemon in
      let handle = client(of: daemon).submit(.sample)
      let first = try await daemon.nextCall()
      try await daemon.stopListening()
      try await first.cut()
      for _ in 0..<3 { try await passPause() }
      try await clock.untilSleeping()
      try await daemon.listen()
      clock.advance(by: .seconds(2))
      let second = try await daemon.nextCall()
      #expect(second.head.headers["Idempotency-Key"] == first.head.headers["Idempotency-Key"])
      try await replay(.sample(outcome: .dismissed), to: second)
      #expect(try await handle.resolved().outcome == .dismissed)
    }
  }

  @Test func `retries after a shutdown refusal`() async throws {
    try await ScriptedDaemon.run { daemon in
      let handle = client(of: daemon).submit(.sample)
      let problem = RouterError(.shuttingDown, "cannot take requests").problem(title: "Service Unavailable")
      try await daemon.nextCall().reply(.serviceUnavailable, problem.json, type: Problem.contentType)
      try await passPause()
      try await replay(.sample(outcome: .dismissed), to: try await daemon.nextCall())
      #expect(try await handle.resolved().outcome == .dismissed)
    }
  }

  @Test(arguments: [
    (HTTPResponseStatus.unprocessableEntity, RouterError.Code.impossible), (.badRequest, .invalid), (.forbidden, .forbidden),
    (.tooManyRequests, .full),
  ])
  func `fails if the repeated request is refused`(
    status: HTTPResponseStatus, code: RouterError.Code
  ) async throws {
    try await ScriptedDaemon.run { daemon in
      let (called, continuation) = AsyncStream<Void>.makeStream()
      let handle = client(of: daemon).submit(.sample) { continuation.yield() }
      let first = try await daemon.nextCall()
      try await accept(first)
      _ = try await handle.accepted()
      try await first.cut()
      try await passPause()
      let problem = RouterError(code, "cannot").problem(title: "no")
      try await daemon.nextCall().reply(status, problem.json, type: Problem.contentType)
      #expect(await #expect(throws: RouterError.self) { try await handle.resolved() }?.code == code)
      // It was recorded before.
      #expect(await called.first { true } != nil)
    }
  }

  @Test func `reports a daemon that does not return, and runs the callback once`() async throws {
    try await ScriptedDaemon.run { daemon in
      let (called, continuation) = AsyncStream<String>.makeStream()
      let client = client(of: daemon)
      let handle = client.submit(.sample) { continuation.yield("called") }
      let first = try await daemon.nextCall()
      try await accept(first)
      _ = try await handle.accepted()
      try await daemon.stopListening()
      try await first.cut()
      let ended = Task { try await handle.resolved() }
      for _ in 0..<15 { try await passPause() }
      let error = await #expect(throws: RouterError.self) { try await ended.value }
      #expect(error?.code == .unreachable)
      #expect(error?.message.contains(daemon.path) == true)
      #expect(await called.first { _ in true } == "called")
      // A client's callbacks run in order, so a second call of the first one would come before this.
      let other = client.submit(.sample) { continuation.yield("other") }
      other.cancel()
      #expect(await called.first { _ in true } == "other")
    }
  }

  @Test func `reports a sensitive answer lost with the daemon`() async throws {
    try await ScriptedDaemon.run { daemon in
      let handle = client(of: daemon).submit(.sample)
      let first = try await daemon.nextCall()
      try await accept(first)
      _ = try await handle.accepted()
      try await first.cut()
      try await passPause()
      try await replay(.sample(outcome: .answered(.redacted)), to: try await daemon.nextCall())
      let error = await #expect(throws: RouterError.self) { try await handle.resolved() }
      #expect(error?.code == .resolved)
      #expect(error?.outcome == .answered(.redacted))
    }
  }

  @Test func `adopts the new id if the key was free again, and cancels by it`() async throws {
    try await ScriptedDaemon.run { daemon in
      let (changes, continuation) = AsyncStream<Void>.makeStream()
      let client = client(of: daemon) { change in
        if case .back = change { continuation.yield() }
      }
      let handle = client.submit(.sample)
      let first = try await daemon.nextCall()
      try await accept(first)
      _ = try await handle.accepted()
      try await daemon.stopListening()
      try await first.cut()
      try await passPause()
      try await clock.untilSleeping()
      try await daemon.listen()
      clock.advance(by: .seconds(2))
      let second = try await daemon.nextCall()
      try await accept(second, .other)
      // Now the client knows the new id.
      _ = await changes.first { true }
      handle.cancel()
      let delete = try await daemon.nextCall()
      #expect(delete.line == "DELETE /v1/presentations/\(PresentationID.other)")
      let taken = Presentation.sample(.other, outcome: .cancelled(.requester))
      try await delete.reply(.ok, taken.json)
      try await resolve(second, taken)
      #expect(try await handle.resolved().id == .other)
    }
  }

  @Test func `ends at once and is not repeated if canceled during an outage`() async throws {
    try await ScriptedDaemon.run { daemon in
      let (called, continuation) = AsyncStream<Void>.makeStream()
      let client = client(of: daemon)
      let waiting = Task { try await client.submit(.sample) { continuation.yield() }.resolved() }
      let first = try await daemon.nextCall()
      try await accept(first)
      try await daemon.stopListening()
      try await first.cut()
      try await clock.untilSleeping()
      waiting.cancel()
      #expect(try await waiting.value.outcome == .cancelled(.requester))
      #expect(await called.first { true } != nil)
      try await clock.untilNoneSleeps()
      try await daemon.listen()
      clock.advance(by: .seconds(60))
      _ = client.submit(PresentationRequest(kind: .alert, title: "next"))
      #expect(try await daemon.nextCall().json?["title"] == "next")
    }
  }

  @Test func `sends requests in order, even during an outage`() async throws {
    try await ScriptedDaemon.run { daemon in
      let client = client(of: daemon)
      for title in ["one", "two"] { _ = client.submit(PresentationRequest(kind: .alert, title: title)) }
      try await daemon.nextCall().cut()
      try await passPause()
      let again = try await daemon.nextCall()
      #expect(again.json?["title"] == "one")
      try await accept(again)
      #expect(try await daemon.nextCall().json?["title"] == "two")
    }
  }

  @Test func `ends a flow with its daemon and sends no key`() async throws {
    try await ScriptedDaemon.run { daemon in
      let handle = client(of: daemon).submit(PresentationRequest(kind: .sheet, sheet: "address", flow: true))
      let call = try await daemon.nextCall()
      #expect(call.head.headers["Idempotency-Key"] == [])
      try await accept(call)
      _ = try await handle.accepted()
      try await call.end()
      let error = await #expect(throws: RouterError.self) { try await handle.resolved() }
      #expect(error?.message.contains("which ends a flow") == true)
    }
  }

  @Test func `reports the loss and return of the daemon once`() async throws {
    try await ScriptedDaemon.run { daemon in
      let (changes, continuation) = AsyncStream<String>.makeStream()
      let client = client(of: daemon) { change in
        if case .lost = change { continuation.yield("lost") } else { continuation.yield("back") }
      }
      let handles = [client.submit(.sample), client.submit(.sample)]
      var calls: [ScriptedCall] = []
      for handle in handles {
        calls.append(try await daemon.nextCall())
        try await accept(calls[calls.count - 1])
        _ = try await handle.accepted()
      }
      try await daemon.stopListening()
      for call in calls { try await call.cut() }
      var told = changes.makeAsyncIterator()
      try await clock.untilSleeping(2)
      clock.advance(by: .seconds(2))
      #expect(await told.next() == "lost")
      try await clock.untilSleeping(2)
      try await daemon.listen()
      clock.advance(by: .seconds(2))
      for _ in handles { try await replay(.sample(outcome: .dismissed), to: try await daemon.nextCall()) }
      for handle in handles { _ = try await handle.resolved() }
      continuation.finish()
      #expect(await told.next() == "back")
      #expect(await told.next() == nil)
    }
  }
}
