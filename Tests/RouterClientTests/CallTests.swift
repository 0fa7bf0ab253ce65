import NIOHTTP1
import Router
import RouterClient
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CallTests {
  @Test func `sends the request with the client's app and returns the outcome`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      async let answer = client.ask(.sample, idempotencyKey: "k1")
      let call = try await daemon.nextCall()
      #expect(call.line == "POST /v1/presentations")
      #expect(call.json?["app"] == "tests")
      #expect(call.json?["title"] == "Deploy?")
      #expect(call.head.headers["Idempotency-Key"] == ["k1"])
      #expect(call.head.headers["Prefer"] == [])
      let outcome = PresentationOutcome.answered(.button("deploy"))
      try await call.reply(.ok, Presentation.sample(outcome: outcome).json)
      #expect(try await answer.outcome == outcome)
    }
  }

  @Test func `sends respond-async for a detached request`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      async let answer = client.detach(.sample)
      let call = try await daemon.nextCall()
      #expect(call.head.headers["Prefer"] == ["respond-async"])
      try await call.reply(.accepted, Presentation.sample(state: .queued).json)
      #expect(try await answer.state == .queued)
    }
  }

  @Test(arguments: [(Duration.seconds(3), "wait=3"), (.milliseconds(1500), "wait=2"), (.zero, "wait=0")])
  func `rounds a wait up to whole seconds`(wait: Duration, prefer: String) async throws {
    try await ScriptedDaemon.run { daemon, client in
      async let answer = client.ask(.sample, waitingAtMost: wait)
      let call = try await daemon.nextCall()
      #expect(call.head.headers["Prefer"] == [prefer])
      try await call.reply(.ok, Presentation.sample().json)
      _ = try await answer
    }
  }

  @Test func `canceling the task closes the connection`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let asking = Task { try await client.ask(.sample) }
      let call = try await daemon.nextCall()
      asking.cancel()
      try await call.untilClosed()
      await #expect(throws: CancellationError.self) { try await asking.value }
    }
  }

  @Test func `maps a problem document to its error`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let answer = Task { try await client.ask(.sample) }
      let problem = Problem(status: 429, title: "Too Many Requests", detail: "cannot take more", field: "/surface")
      try await daemon.nextCall().reply(
        .tooManyRequests, problem.json, type: Problem.contentType, headers: ["Retry-After": "5"])
      let error = await #expect(throws: RouterError.self) { try await answer.value }
      #expect(error?.code == .full)
      #expect(error?.message == "cannot take more")
      #expect(error?.field == "/surface")
      #expect(error?.retryAfter == .seconds(5))
    }
  }

  @Test func `maps an error status without a problem document`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let answer = Task { try await client.status() }
      try await daemon.nextCall().reply(.forbidden, "no", type: "text/plain")
      let error = await #expect(throws: RouterError.self) { try await answer.value }
      #expect(error?.code == .forbidden)
    }
  }

  @Test func `reports a missing daemon`() async throws {
    let error = await #expect(throws: RouterError.self) {
      try await RouterClient(socketPath: "/nonexistent/routerd.sock").status()
    }
    #expect(error?.code == .unreachable)
    #expect(error?.message == "cannot reach routerd at /nonexistent/routerd.sock: is it running?")
    #expect(error?.cause != nil)
  }

  @Test func `reports a daemon that closes the connection before replying`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let answer = Task { try await client.status() }
      try await daemon.nextCall().cut()
      let error = await #expect(throws: RouterError.self) { try await answer.value }
      #expect(error?.code == .unreachable)
    }
  }

  @Test func `reports a truncated reply`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let answer = Task { try await client.status() }
      let call = try await daemon.nextCall()
      try await call.start(type: "application/json", headers: ["Content-Length": "100"])
      try await call.write(Array("{".utf8))
      try await call.cut()
      let error = await #expect(throws: RouterError.self) { try await answer.value }
      #expect(error?.code == .unreachable)
    }
  }

  @Test func `reads open presentations page by page`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      async let found = client.presentations(surface: "main", app: "a b", state: .queued)
      let first = try await daemon.nextCall()
      #expect(first.line == "GET /v1/presentations?surface=main&app=a%20b&state=queued")
      try await first.reply(.ok, ["presentations": [Presentation.sample().json], "next": "c/1"])
      let second = try await daemon.nextCall()
      #expect(second.line.hasSuffix("&cursor=c%2F1"))
      try await second.reply(.ok, ["presentations": [Presentation.sample(.other).json], "next": nil])
      #expect(try await found.map(\.id) == [.sample, .other])
    }
  }

  @Test func `reads back a payload of the maximum depth`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let payload = try JSONValue(parsing: String(repeating: "[", count: 31) + String(repeating: "]", count: 31))
      let json = Presentation.sample(request: PresentationRequest(kind: .sheet, sheet: "deep", payload: payload)).json
      async let found = client.presentations()
      try await daemon.nextCall().reply(.ok, ["presentations": [json], "next": nil])
      #expect(try await found.map(\.request.payload) == [payload])
    }
  }

  @Test func `sends the log's filters as query parameters`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      async let page = client.log(["search": "100 %", "limit": "3", "cursor": nil])
      let call = try await daemon.nextCall()
      #expect(call.line == "GET /v1/log?search=100%20%25&limit=3")
      try await call.reply(.ok, ["presentations": [], "next": nil])
      #expect(try await page["presentations"] == [])
    }
  }

  @Test func `sends the shown generation with an answer`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let answered = Task { try await client.answer(.sample, .button("deploy"), generation: 3) }
      let call = try await daemon.nextCall()
      #expect(call.line == "POST /v1/presentations/\(PresentationID.sample)/answer")
      #expect(call.json == ["button": "deploy", "generation": 3])
      let problem = RouterError(.staleGeneration, "cannot answer: shown again since").problem(title: "Conflict")
      try await call.reply(.conflict, problem.json, type: Problem.contentType)
      let error = await #expect(throws: RouterError.self) { try await answered.value }
      #expect(error?.code == .staleGeneration)
    }
  }
}
