import NIOHTTP1
import Router
import RouterClient
import RouterTesting
import Testing

/// Calls with lost replies, and which of them are retried.
@Suite(.timeLimit(.minutes(10)))
struct RepeatedCallTests {
  private let clock = ManualClock()

  /// Makes a call whose first connection is cut after the daemon has read it.
  private func lostOnce<Result: Sendable>(
    _ daemon: ScriptedDaemon, _ call: @escaping @Sendable (RouterClient) async throws -> Result
  ) async throws -> (first: ScriptedCall, second: ScriptedCall, result: Task<Result, any Error>) {
    let client = daemon.client(reconnect: ReconnectPolicy(), clock: clock.clock)
    let result = Task { try await call(client) }
    let first = try await daemon.nextCall()
    try await first.cut()
    try await clock.untilSleeping()
    clock.advance(by: .seconds(2))
    return (first, try await daemon.nextCall(), result)
  }

  private func resolved(_ outcome: PresentationOutcome) -> JSONValue {
    RouterError(.resolved, "cannot change it", outcome: outcome).problem(title: "Conflict").json
  }

  private func ended(_ outcome: PresentationOutcome, by process: ProcessIdentity) -> Presentation {
    var presentation = Presentation.sample(outcome: outcome)
    presentation.resolvedBy = Presentation.Responder(process: process)
    return presentation
  }

  @Test func `repeats a detached request with its key`() async throws {
    try await ScriptedDaemon.run { daemon in
      let (first, second, result) = try await lostOnce(daemon) { try await $0.detach(.sample) }
      #expect(first.head.headers["Idempotency-Key"].count == 1)
      #expect(second.head.headers["Idempotency-Key"] == first.head.headers["Idempotency-Key"])
      #expect(second.head.headers["Prefer"] == ["respond-async"])
      try await second.reply(.accepted, Presentation.sample(state: .queued).json)
      #expect(try await result.value.id == .sample)
    }
  }

  @Test func `repeats a wait with the remaining time`() async throws {
    try await ScriptedDaemon.run { daemon in
      let (first, second, result) = try await lostOnce(daemon) { try await $0.ask(.sample, waitingAtMost: .seconds(30)) }
      #expect(first.head.headers["Prefer"] == ["wait=30"])
      #expect(second.head.headers["Prefer"] == ["wait=28"])
      try await second.reply(.ok, Presentation.sample(outcome: .dismissed).json)
      #expect(try await result.value.outcome == .dismissed)
    }
  }

  @Test func `treats a request canceled by the lost call as canceled`() async throws {
    try await ScriptedDaemon.run { daemon in
      let (_, second, result) = try await lostOnce(daemon) { try await $0.cancel(.sample) }
      #expect(second.line == "DELETE /v1/presentations/\(PresentationID.sample)")
      try await second.reply(.conflict, resolved(.cancelled(.requester)), type: Problem.contentType)
      let ended = Presentation.sample(outcome: .cancelled(.requester))
      try await daemon.nextCall().reply(.ok, ended.json)
      #expect(try await result.value == ended)
    }
  }

  @Test func `reports an answer that came before the repeated cancellation`() async throws {
    try await ScriptedDaemon.run { daemon in
      let (_, second, result) = try await lostOnce(daemon) { try await $0.cancel(.sample) }
      try await second.reply(.conflict, resolved(.answered(.button("deploy"))), type: Problem.contentType)
      let error = await #expect(throws: RouterError.self) { try await result.value }
      #expect(error?.outcome == .answered(.button("deploy")))
    }
  }

  @Test(arguments: [PresentationOutcome.answered(.button("deploy")), .answered(.redacted)])
  func `counts an answer with a lost reply once and returns its outcome`(outcome: PresentationOutcome) async throws {
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

  @Test func `reports the same answer by another presenter as a conflict`() async throws {
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

  @Test func `reports an unrecorded answer as stale`() async throws {
    try await ScriptedDaemon.run { daemon in
      let (_, second, result) = try await lostOnce(daemon) { try await $0.dismiss(.sample, generation: 1) }
      let problem = RouterError(.staleGeneration, "cannot answer: shown again since").problem(title: "Conflict")
      try await second.reply(.conflict, problem.json, type: Problem.contentType)
      #expect(await #expect(throws: RouterError.self) { try await result.value }?.code == .staleGeneration)
    }
  }

  @Test func `does not repeat answers without a generation, finish and status calls`() async throws {
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

  @Test func `canceling the task ends a call that waits for the daemon`() async throws {
    try await ScriptedDaemon.run { daemon in
      let client = daemon.client(reconnect: ReconnectPolicy(), clock: clock.clock)
      let asking = Task { try await client.ask(.sample) }
      try await daemon.nextCall().cut()
      try await clock.untilSleeping()
      asking.cancel()
      await #expect(throws: CancellationError.self) { try await asking.value }
    }
  }
}
