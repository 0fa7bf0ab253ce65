import NIOHTTP1
import Router
import RouterClient
import RouterTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AttachTests {
  @Test func `reads the surface's stream and answers with the shown generation`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let presenter = TestPresenter(client, name: "my phone", on: "desk")
      let stream = try await daemon.nextCall()
      #expect(stream.line == "GET /v1/surfaces/desk/stream?name=my%20phone")
      try await stream.start()
      try await stream.write(ServerSentEvent.keepAlive)
      let shown = PresenterEvent.present(.sample(), waiting: 4)
      // Split everywhere, including within a name, a line ending and the JSON.
      for byte in shown.serverSentBytes { try await stream.write([byte]) }
      #expect(try await presenter.nextEvent() == shown)

      async let answered = presenter.press(id: "deploy", on: .sample())
      let call = try await daemon.nextCall()
      #expect(call.json == ["button": "deploy", "generation": 1])
      try await call.reply(.ok, Presentation.sample(outcome: .answered(.button("deploy"))).json)
      #expect(try await answered.state == .resolved)

      let withdrawn = PresenterEvent.withdraw(.sample, generation: 1, reason: .expired)
      try await stream.write(withdrawn.serverSentBytes + PresenterEvent.queue(waiting: 0).serverSentBytes)
      #expect(try await presenter.nextEvent() == withdrawn)
      #expect(try await presenter.nextEvent() == .queue(waiting: 0))
    }
  }

  @Test func `ignores an unknown event`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let presenter = TestPresenter(client)
      let stream = try await daemon.nextCall()
      try await stream.start()
      try await stream.event("weather", ["rain": true])
      try await stream.event("queue", ["waiting": 1])
      #expect(try await presenter.nextEvent() == .queue(waiting: 1))
    }
  }

  @Test func `closes the stream when the presenter detaches`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let presenter = TestPresenter(client)
      let stream = try await daemon.nextCall()
      try await stream.start()
      presenter.disconnect()
      try await stream.untilClosed()
    }
  }

  @Test func `reports an error if the daemon ends the stream`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let presenter = TestPresenter(client)
      let stream = try await daemon.nextCall()
      try await stream.start()
      try await stream.end()
      let error = await #expect(throws: RouterError.self) { try await presenter.nextEvent() }
      #expect(error?.code == .unreachable)
    }
  }

  @Test func `reports why a presenter cannot attach`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let presenter = TestPresenter(client)
      let problem = RouterError(.forbidden, "cannot present: not allowed").problem(title: "Forbidden")
      try await daemon.nextCall().reply(.forbidden, problem.json, type: Problem.contentType)
      let error = await #expect(throws: RouterError.self) { try await presenter.nextEvent() }
      #expect(error?.code == .forbidden)
    }
  }
}
