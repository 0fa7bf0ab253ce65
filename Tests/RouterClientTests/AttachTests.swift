import NIOHTTP1
import Router
import RouterClient
import RouterTesting
import Testing

@Suite(.timeLimit(.minutes(20)))
struct AttachTests {
  @Test func `a presenter reads its surface's stream and answers on the showing that it saw`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let presenter = TestPresenter(client, name: "my phone", surface: "desk")
      let stream = try await daemon.nextCall()
      #expect(stream.line == "GET /v1/surfaces/desk/stream?name=my%20phone")
      try await stream.start()
      try await stream.write(ServerSentEvent.keepAlive)
      let shown = PresenterEvent.present(.sample(), waiting: 4)
      // Cut where it hurts: in the middle of a name, of a line's end, of the JSON.
      for byte in shown.serverSentBytes { try await stream.write([byte]) }
      #expect(try await presenter.next() == shown)

      async let answered = presenter.press("deploy", on: .sample())
      let call = try await daemon.nextCall()
      #expect(call.json == ["button": "deploy", "generation": 1])
      try await call.reply(.ok, Presentation.sample(outcome: .answered(.button("deploy"))).json)
      #expect(try await answered.state == .resolved)

      let withdrawn = PresenterEvent.withdraw(.sample, generation: 1, reason: .expired)
      try await stream.write(withdrawn.serverSentBytes + PresenterEvent.queue(waiting: 0).serverSentBytes)
      #expect(try await presenter.next() == withdrawn)
      #expect(try await presenter.next() == .queue(waiting: 0))
    }
  }

  @Test func `an event of an unknown name is passed over`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let presenter = TestPresenter(client)
      let stream = try await daemon.nextCall()
      try await stream.start()
      try await stream.event("weather", ["rain": true])
      try await stream.event("queue", ["waiting": 1])
      #expect(try await presenter.next() == .queue(waiting: 1))
    }
  }

  @Test func `a presenter that goes away closes its stream`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let presenter = TestPresenter(client)
      let stream = try await daemon.nextCall()
      try await stream.start()
      presenter.vanish()
      try await stream.untilClosed()
    }
  }

  @Test func `a stream that the daemon ends is an error`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let presenter = TestPresenter(client)
      let stream = try await daemon.nextCall()
      try await stream.start()
      try await stream.end()
      let error = await #expect(throws: RouterError.self) { try await presenter.next() }
      #expect(error?.code == .unreachable)
    }
  }

  @Test func `a presenter that may not attach is told why`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let presenter = TestPresenter(client)
      let problem = RouterError(.forbidden, "cannot present: not allowed").problem(title: "Forbidden")
      try await daemon.nextCall().reply(.forbidden, problem.json, type: Problem.contentType)
      let error = await #expect(throws: RouterError.self) { try await presenter.next() }
      #expect(error?.code == .forbidden)
    }
  }
}
