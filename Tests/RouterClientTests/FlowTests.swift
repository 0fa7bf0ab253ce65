import NIOHTTP1
import Router
import RouterClient
import Testing

@Suite(.timeLimit(.minutes(10)))
struct FlowTests {
  private static let root = PresentationRequest(kind: .sheet, sheet: "address", flow: true)

  private static func answered(_ generation: Int, _ value: JSONValue) -> JSONValue {
    ["id": PresentationID.sample.json, "generation": .integer(generation), "outcome": ["type": "answered", "value": value]]
  }

  /// Submits a request and plays a daemon that has just shown it.
  private func presented(
    _ request: PresentationRequest, by daemon: ScriptedDaemon, for client: RouterClient
  ) async throws -> (PresentationHandle, ScriptedCall) {
    let handle = client.submit(request)
    let call = try await daemon.nextCall()
    try await call.start()
    try await call.event("presented", ["id": PresentationID.sample.json, "generation": 1])
    _ = try await handle.accepted()
    return (handle, call)
  }

  @Test func `delivers each answer once, whenever it is read, and none at the end`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let (handle, call) = try await presented(Self.root, by: daemon, for: client)
      #expect(call.json?["flow"] == true)
      #expect(call.head.headers["Accept"] == ["text/event-stream"])
      try await call.event("answered", Self.answered(1, "Ada"))
      try await call.event("presented", ["id": PresentationID.sample.json, "generation": 2])
      try await call.event("answered", Self.answered(2, "Grace"))
      let ended = Presentation.sample(request: Self.root, outcome: .answered(.value("Grace")))
      try await call.event("resolved", ended.json)
      #expect(try await handle.resolved() == ended)
      var answers: [PresentationAnswer] = []
      for await answer in handle.answers { answers.append(answer) }
      #expect(answers == [.value("Ada"), .value("Grace")])
    }
  }

  @Test func `sends finish once the id is known`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let handle = client.submit(Self.root)
      async let finished = handle.finish()
      let call = try await daemon.nextCall()
      try await call.start()
      try await call.event("queued", ["id": PresentationID.sample.json, "position": 1])
      let finish = try await daemon.nextCall()
      #expect(finish.line == "POST /v1/presentations/\(PresentationID.sample)/finish")
      #expect(finish.body == [])
      let ended = Presentation.sample(request: Self.root, outcome: .answered(.value(1)))
      try await finish.reply(.ok, ended.json)
      #expect(try await finished == ended)
    }
  }

  @Test func `reports the daemon's error if a flow cannot be finished`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let (handle, call) = try await presented(Self.root, by: daemon, for: client)
      try await call.event("resolved", Presentation.sample(outcome: .dismissed).json)
      _ = try await handle.resolved()
      async let finished = handle.finish()
      let problem = RouterError(.resolved, "cannot change it", outcome: .dismissed).problem(title: "Conflict")
      try await daemon.nextCall().reply(.conflict, problem.json, type: Problem.contentType)
      do {
        _ = try await finished
        Issue.record("it was finished twice")
      } catch let error as RouterError {
        #expect(error.outcome == .dismissed)
      }
    }
  }

  @Test func `rejects finish of a refused request`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let handle = client.submit(Self.root)
      let problem = RouterError(.full, "cannot take more").problem(title: "Too Many Requests")
      try await daemon.nextCall().reply(.tooManyRequests, problem.json, type: Problem.contentType)
      let error = await #expect(throws: RouterError.self) { try await handle.finish() }
      #expect(error?.code == .notFound)
      for await answer in handle.answers { Issue.record("an answer to what was refused: \(answer)") }
    }
  }

  @Test func `delivers no flow answers for other presentations`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let (handle, call) = try await presented(.sample, by: daemon, for: client)
      let outcome: JSONValue = ["type": "answered", "button": "yes"]
      try await call.event("answered", ["id": PresentationID.sample.json, "generation": 1, "outcome": outcome])
      try await call.event("resolved", Presentation.sample(outcome: .answered(.button("yes"))).json)
      #expect(try await handle.resolved().outcome == .answered(.button("yes")))
      for await answer in handle.answers { Issue.record("an answer to what is no flow: \(answer)") }
    }
  }

  @Test func `ends with an error on a malformed answer`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let (handle, call) = try await presented(Self.root, by: daemon, for: client)
      try await call.event("answered", ["id": PresentationID.sample.json, "generation": 1])
      let error = await #expect(throws: RouterError.self) { try await handle.resolved() }
      #expect(error?.code == .unreachable)
    }
  }
}
