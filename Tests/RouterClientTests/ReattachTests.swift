import NIOHTTP1
import Router
import RouterClient
import RouterTesting
import Testing

/// Presenters whose daemon restarts.
@Suite(.timeLimit(.minutes(10)))
struct ReattachTests {
  private let clock = ManualClock()

  private func show(_ presentation: Presentation, over stream: ScriptedCall) async throws {
    try await stream.write(PresenterEvent.present(presentation, waiting: 0).serverSentBytes)
  }

  private func passPause() async throws {
    try await clock.untilSleeping()
    clock.advance(by: .seconds(2))
  }

  @Test func `withdraws the prompt on disconnection and shows what the daemon sends after reconnecting`() async throws {
    try await ScriptedDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client(reconnect: ReconnectPolicy(), clock: clock.clock), name: "phone")
      let first = try await daemon.nextCall()
      try await first.start()
      try await show(.sample(), over: first)
      #expect(try await presenter.nextEvent() == .present(.sample(), waiting: 0))
      try await first.cut()
      #expect(try await presenter.nextEvent() == .withdraw(.sample, generation: 1, reason: .disconnected))
      try await passPause()
      let second = try await daemon.nextCall()
      #expect(second.line == first.line)
      try await second.start()
      var again = Presentation.sample()
      again.generation = 2
      try await show(again, over: second)
      #expect(try await presenter.nextEvent() == .present(again, waiting: 0))
    }
  }

  @Test func `does not withdraw a prompt twice`() async throws {
    try await ScriptedDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client(reconnect: ReconnectPolicy(), clock: clock.clock))
      let first = try await daemon.nextCall()
      try await first.start()
      try await show(.sample(), over: first)
      try await first.write(PresenterEvent.withdraw(.sample, generation: 1, reason: .expired).serverSentBytes)
      for _ in 0..<2 { _ = try await presenter.nextEvent() }
      try await first.end()
      try await passPause()
      let second = try await daemon.nextCall()
      try await second.start()
      try await second.event("queue", ["waiting": 1])
      #expect(try await presenter.nextEvent() == .queue(waiting: 1))
    }
  }

  @Test func `reports an error if the daemon is missing at the start or does not return`() async throws {
    try await ScriptedDaemon.run { daemon in
      let client = daemon.client(reconnect: ReconnectPolicy(patience: .seconds(1)), clock: clock.clock)
      let presenter = TestPresenter(client)
      let first = try await daemon.nextCall()
      try await first.start()
      try await daemon.stopListening()
      try await first.cut()
      try await passPause()
      let error = await #expect(throws: RouterError.self) { try await presenter.nextEvent() }
      #expect(error?.message.contains("unreachable for more than 1.0 seconds") == true)
      let none = await #expect(throws: RouterError.self) { try await TestPresenter(client).nextEvent() }
      #expect(none?.message.hasSuffix("is it running?") == true)
    }
  }

  @Test func `does not reattach a presenter that detached during the outage`() async throws {
    try await ScriptedDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client(reconnect: ReconnectPolicy(), clock: clock.clock))
      let first = try await daemon.nextCall()
      try await first.start()
      try await first.cut()
      try await clock.untilSleeping()
      presenter.disconnect()
      try await clock.untilNoneSleeps()
    }
  }

  /// A presenter that answers immediately and records its calls.
  private struct Quick: Presenter {
    let name = "quick"
    let notes: AsyncStream<String>.Continuation

    func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
      notes.yield("shown \(presentation.generation)")
      return .answer(.button("deploy"))
    }

    func willWithdraw(_ presentation: Presentation, because reason: Presentation.Withdrawal) async {
      notes.yield("withdrawn \(presentation.generation) \(reason)")
    }

    func answerRefused(_ error: RouterError, for presentation: Presentation) async {
      notes.yield("refused \(presentation.generation) \(error.code)")
    }
  }

  @Test func `reports a lost answer to the presenter and asks again`() async throws {
    try await ScriptedDaemon.run { daemon in
      let client = daemon.client(reconnect: ReconnectPolicy(), clock: clock.clock)
      let (notes, continuation) = AsyncStream<String>.makeStream()
      var told = notes.makeAsyncIterator()
      let running = Task { try await client.run(Quick(notes: continuation)) }
      let first = try await daemon.nextCall()
      try await first.start()
      try await show(.sample(), over: first)
      #expect(await told.next() == "shown 1")
      let answer = try await daemon.nextCall()
      #expect(answer.json == ["button": "deploy", "generation": 1])
      // The daemon dies while handling the answer.
      try await first.cut()
      #expect(await told.next() == "withdrawn 1 disconnected")
      try await answer.untilClosed()
      try await passPause()
      let second = try await daemon.nextCall()
      try await second.start()
      var again = Presentation.sample()
      again.generation = 2
      try await show(again, over: second)
      #expect(await told.next() == "refused 1 staleGeneration")
      #expect(await told.next() == "shown 2")
      #expect(try await daemon.nextCall().json == ["button": "deploy", "generation": 2])
      running.cancel()
      _ = await running.result
    }
  }
}
