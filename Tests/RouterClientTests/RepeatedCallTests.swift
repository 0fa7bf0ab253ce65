import NIOHTTP1
import Router
import RouterClient
import RouterTesting
import Testing

/// Calls whose replies were lost, and what may be made again.
@Suite(.timeLimit(.minutes(20)))
struct RepeatedCallTests {
  private let clock = ManualClock()

  /// Makes a call whose first connection is cut when it was heard.
  private func lostOnce<Result: Sendable>(
    _ daemon: ScriptedDaemon, _ call: @escaping @Sendable (RouterClient) async throws -> Result
  ) async throws -> (first: ScriptedCall, second: ScriptedCall, result: Task<Result, any Error>) {
    let client = daemon.client(reconnect: ReconnectPolicy(), clock: clock.clock)
    let result = Task { try await call(client) }
    let first = try await daemon.nextCall()
    try await first.cut()
    while clock.sleeperCount == 0 { await Task.yield() }
    clock.advance(by: .seconds(2))
    return (first, try await daemon.nextCall(), result)
  }

  private func resolved(_ outcome: PresentationOutcome) -> JSONValue {
    RouterError(.resolved, "cannot change it", outcome: outcome).problem(title: "Conflict").json
  }

  private func ended(_ outcome: PresentationOutcome, by process: ProcessIdentity) -> Presentation {
    var presentation = Presentation.sample(outcome: outcome)
    presentation.resolvedBy = Resolver(process: process)
    return presentation
  }

  @Test func `a detached request goes again with its key`() async throws {
    try await ScriptedDaemon.run { daemon in
      let (first, second, result) = try await lostOnce(daemon) { try await $0.detach(.sample) }
      #expect(first.head.headers["Idempotency-Key"].count == 1)
      #expect(second.head.headers["Idempotency-Key"] == first.head.headers["Idempotency-Key"])
      #expect(second.head.headers["Prefer"] == ["respond-async"])
      try await second.reply(.accepted, Presentation.sample(state: .queued).json)
      #expect(try await result.value.id == .sample)
    }
  }

  @Test func `a wait goes on for what is left of it`() async throws {
    try await ScriptedDaemon.run { daemon in
      let (first, second, result) = try await lostOnce(daemon) { try await $0.ask(.sample, waitingAtMost: .seconds(30)) }
      #expect(first.head.headers["Prefer"] == ["wait=30"])
      #expect(second.head.headers["Prefer"] == ["wait=28"])
      try await second.reply(.ok, Presentation.sample(outcome: .dismissed).json)
      #expect(try await result.value.outcome == .dismissed)
    }
  }

  @Test func `taken back by the call that was lost is taken back`() async throws {
    try await ScriptedDaemon.run { daemon in
      let (_, second, result) = try await lostOnce(daemon) { try await $0.cancel(.sample) }
      #expect(second.line == "DELETE /v1/presentations/\(PresentationID.sample)")
      try await second.reply(.conflict, resolved(.cancelled(.requester)), type: Problem.contentType)
      let ended = Presentation.sample(outcome: .cancelled(.requester))
      try await daemon.nextCall().reply(.ok, ended.json)
      #expect(try await result.value == ended)
    }
  }

  @Test func `what was answered meanwhile is not taken back`() async throws {
    try await ScriptedDaemon.run { daemon in
      let (_, second, result) = try await lostOnce(daemon) { try await $0.cancel(.sample) }
      try await second.reply(.conflict, resolved(.answered(.button("deploy"))), type: Problem.contentType)
      let error = await #expect(throws: RouterError.self) { try await result.value }
      #expect(error?.outcome == .answered(.button("deploy")))
    }
  }

  @Test(arguments: [PresentationOutcome.answered(.button("deploy")), .answered(.redacted)])
  func `an answer whose reply was lost counts once, and is told to whoever gave it`(outcome: PresentationOutcome) async throws {
    try await ScriptedDaemon.run { daemon in
      let (_, second, result) = try await lostOnce(daemon) {
        try await $0.answer(.sample, .button("deploy"), generation: 1)
      }
      #expect(second.json == ["button": "deploy", "generation": 1])
      try await second.reply(.conflict, resolved(outcome), type: Problem.contentType)
      let ended = ended(outcome, by: .current)
      try await daemon.nextCall().reply(.ok, ended.json)
      #expect(try await result.value == ended)
    }
  }

  @Test func `the same answer by another presenter is not its own`() async throws {
    try await ScriptedDaemon.run { daemon in
      let (_, second, result) = try await lostOnce(daemon) {
        try await $0.answer(.sample, .button("deploy"), generation: 1)
      }
      let outcome = PresentationOutcome.answered(.button("deploy"))
      try await second.reply(.conflict, resolved(outcome), type: Problem.contentType)
      let other = ProcessIdentity(uid: 1000, gid: 1000, pid: 7)
      try await daemon.nextCall().reply(.ok, ended(outcome, by: other).json)
      #expect(await #expect(throws: RouterError.self) { try await result.value }?.code == .resolved)
    }
  }

  @Test func `an answer that was not on record is refused: what is shown now is another showing`() async throws {
    try await ScriptedDaemon.run { daemon in
      let (_, second, result) = try await lostOnce(daemon) { try await $0.dismiss(.sample, generation: 1) }
      let problem = RouterError(.staleGeneration, "cannot answer: shown again since").problem(title: "Conflict")
      try await second.reply(.conflict, problem.json, type: Problem.contentType)
      #expect(await #expect(throws: RouterError.self) { try await result.value }?.code == .staleGeneration)
    }
  }

  @Test func `an answer on no showing, the end of a flow and what is so now are not brought twice`() async throws {
    try await ScriptedDaemon.run { daemon in
      let client = daemon.client(reconnect: ReconnectPolicy(), clock: clock.clock)
      let calls: [@Sendable () async throws -> Void] = [
        { _ = try await client.answer(.sample, .button("deploy")) }, { _ = try await client.finish(.sample) },
        { _ = try await client.status() }, { try await client.checkHealth() },
      ]
      for call in calls {
        let result = Task { try await call() }
        try await daemon.nextCall().cut()
        #expect(await #expect(throws: RouterError.self) { try await result.value }?.code == .unreachable)
      }
    }
  }

  @Test func `a call that waits for the daemon ends with its task`() async throws {
    try await ScriptedDaemon.run { daemon in
      let client = daemon.client(reconnect: ReconnectPolicy(), clock: clock.clock)
      let asking = Task { try await client.ask(.sample) }
      try await daemon.nextCall().cut()
      while clock.sleeperCount == 0 { await Task.yield() }
      asking.cancel()
      await #expect(throws: CancellationError.self) { try await asking.value }
    }
  }
}
