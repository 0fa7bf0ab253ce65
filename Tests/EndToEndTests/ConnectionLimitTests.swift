import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

@testable import routerd

/// Slow, malformed and too many connections, on real sockets.
/// Promise P36.
@Suite(.timeLimit(.minutes(10)))
struct ConnectionLimitTests {
  private static let get = "GET /healthz HTTP/1.1\r\nHost: routerd\r\n\r\n"

  /// Returns a request's head, to be followed by a body.
  private func post(_ path: String, bytes: Int) -> String {
    "POST \(path) HTTP/1.1\r\nHost: routerd\r\nContent-Length: \(bytes)\r\n\r\n"
  }

  private func problem(_ response: String) throws -> Problem {
    let body = try #require(response.range(of: "\r\n\r\n")).upperBound
    return try Problem(json: JSONValue(parsing: String(response[body...])))
  }

  // MARK: Too much

  @Test func `answers 431 to header fields beyond the limit`() async throws {
    try await TestDaemon.run(environment: ["ROUTERD_CONNECTIONS_HEADER_BYTES": "2000"]) { daemon in
      func request(_ bytes: Int) -> String {
        "GET /healthz HTTP/1.1\r\nHost: routerd\r\nFiller: \(String(repeating: "x", count: bytes))\r\n\r\n"
      }
      for field in [2001, 100_000] {
        let connection = try RawConnection(daemon.socket)
        connection.send(request(field))
        let response = await connection.receive()
        #expect(response.hasPrefix("HTTP/1.1 431 Request Header Fields Too Large\r\n"))
        #expect(try problem(response).detail.contains("2000 bytes"))
      }
      let many = try RawConnection(daemon.socket)
      many.send("GET /healthz HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 5000) + "\r\n")
      #expect(await many.receive().hasPrefix("HTTP/1.1 431 "))
      let path = try RawConnection(daemon.socket)
      path.send("GET /\(String(repeating: "x", count: 3000)) HTTP/1.1\r\nHost: routerd\r\n\r\n")
      #expect(await path.receive().hasPrefix("HTTP/1.1 431 "))
      let fits = try RawConnection(daemon.socket)
      fits.send(request(1900))
      #expect(await fits.head().hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test(arguments: [
    "NONSENSE\r\n\r\n", "GET / HTTP/1.1\r\nHost routerd\r\n\r\n", "\u{16}\u{3}\u{1}\r\n", "GET / HTTP/9\r\n\r\n",
  ])
  func `answers 400 to malformed HTTP`(text: String) async throws {
    try await TestDaemon.run { daemon in
      let connection = try RawConnection(daemon.socket)
      connection.send(text)
      let response = await connection.receive()
      #expect(response.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
      #expect(try problem(response).detail.hasPrefix("cannot understand the request"))
    }
  }

  @Test func `answers a valid request before the malformed one that follows it`() async throws {
    try await TestDaemon.run { daemon in
      let connection = try RawConnection(daemon.socket)
      // Both arrive together, so the second is found malformed before the first is answered.
      connection.send(
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
          + "POST /v1/presentations HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nno chunk")
      let replies = await connection.receive()
      #expect(replies.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(replies.contains("HTTP/1.1 400 Bad Request\r\n"))
      #expect(replies.contains("cannot understand the request: it is not HTTP/1.1"))
      #expect(try await daemon.open().isEmpty)
    }
  }

  @Test func `uses the reason phrases of RFC 9110`() async throws {
    try await TestDaemon.run(environment: ["ROUTERD_LIMITS_BODY_BYTES": "1024"]) { daemon in
      let large = try RawConnection(daemon.socket)
      large.send(post("/v1/presentations", bytes: 5000))
      let response = await large.receive()
      #expect(response.hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
      #expect(try problem(response).title == "Content Too Large")
      let impossible = try RawConnection(daemon.socket)
      let body = #"{"kind":"alert","title":"?","over":"01a1fdb6-ea24-7114-b4fd-98d4271e7c7c"}"#
      impossible.send(post("/v1/presentations", bytes: body.utf8.count) + body)
      #expect(await impossible.head().hasPrefix("HTTP/1.1 422 Unprocessable Content\r\n"))
    }
  }

  // MARK: Too many

  @Test func `limits the connections of one user, and admits another when one closes`() async throws {
    try await TestDaemon.run(environment: ["ROUTERD_CONNECTIONS_PER_USER": "3"]) { daemon in
      var open: [RawConnection] = []
      for _ in 0..<3 {
        let connection = try RawConnection(daemon.socket)
        connection.send(Self.get)
        #expect(await connection.head().hasPrefix("HTTP/1.1 200 "))
        open.append(connection)
      }
      let tooMany = try RawConnection(daemon.socket)
      tooMany.send(Self.get)
      let response = await tooMany.receive()
      #expect(response.hasPrefix("HTTP/1.1 429 Too Many Requests\r\n"))
      #expect(response.contains("\r\nRetry-After: 1\r\n") && response.contains("\r\nConnection: close\r\n"))
      #expect(try problem(response).detail.hasPrefix("cannot accept another connection"))
      // Open connections keep working.
      open[0].send(Self.get)
      #expect(await open[0].head().hasPrefix("HTTP/1.1 200 "))
      open.removeLast()
      var status = 429
      while status == 429 { status = try await daemon.http.reply(to: HTTPCall(.GET, APIPath.health)).status }
      #expect(status == 200)
    }
  }

  @Test(.enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
  func `counts connections per user, and limits the total`() async throws {
    let limits = [
      "ROUTERD_CONNECTIONS_PER_USER": "2", "ROUTERD_CONNECTIONS_TOTAL": "3", "ROUTERD_SOCKET_MODE": "0666",
      "ROUTERD_ACCESS_PRESENT": "60041,60042",
    ]
    try await TestDaemon.run(environment: limits) { daemon in
      let mine = try (0..<2).map { _ in try RawConnection(daemon.socket) }
      for connection in mine {
        connection.send(Self.get)
        #expect(await connection.head().hasPrefix("HTTP/1.1 200 "))
      }
      #expect(try await daemon.http.reply(to: HTTPCall(.GET, APIPath.health)).status == 429)
      let stream = try OtherUser(uid: 60041).start(daemon, "GET", "/v1/surfaces/main/stream")
      defer { stream.signal(SIGKILL) }
      for await line in stream.output {
        #expect(line.hasPrefix("HTTP/1.1 200 "))
        break
      }
      #expect(try await OtherUser(uid: 60042).call(daemon, "GET", "/healthz").status == 429)
    }
  }

  @Test func `closes silent surplus connections at once when more arrive`() async throws {
    try await TestDaemon.run(environment: ["ROUTERD_CONNECTIONS_PER_USER": "1"]) { daemon in
      let admitted = try RawConnection(daemon.socket)
      admitted.send(Self.get)
      #expect(await admitted.head().hasPrefix("HTTP/1.1 200 "))
      let silent = try (0...ConnectionGate.turnedAway.perUser).map { _ in try RawConnection(daemon.socket) }
      // They are accepted in order.
      await silent[ConnectionGate.turnedAway.perUser].closed()
      for connection in silent where !connection.isClosed {
        connection.send(Self.get)
        #expect(await connection.receive().hasPrefix("HTTP/1.1 429 "))
      }
      let open = silent.filter { !$0.isClosed }
      #expect(open.isEmpty)
      admitted.send(Self.get)
      #expect(await admitted.head().hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test func `limits the size of a user's open prompts, also after a restart`() async throws {
    let limits = ["ROUTERD_LIMITS_BYTES_PER_USER": "65536"]
    func ask(_ daemon: TestDaemon) async throws -> HTTPReply {
      let payload = JSONValue.string(String(repeating: "x", count: 40_000))
      return try await daemon.call(
        .POST, APIPath.presentations, PresentationRequest(kind: .sheet, sheet: "large", payload: payload).json,
        headers: ["Prefer": "respond-async"])
    }
    try await TestDaemon.run(environment: limits) { daemon in
      #expect(try await ask(daemon).status == 202)
      let refused = try await ask(daemon)
      #expect(refused.status == 429)
      #expect(try refused.problem.detail.contains("limits.bytesPerUser"))
      #expect(try await daemon.ask("small").status == 202)
      await daemon.end(by: SIGTERM)
      let next = try await daemon.next(environment: limits)
      defer { next.remove() }
      #expect(try await ask(next).status == 429)
      for presentation in try await next.open() {
        #expect(try await next.call(.DELETE, APIPath.presentation(presentation.id)).status == 200)
      }
      #expect(try await ask(next).status == 202)
    }
  }

  // MARK: Too slow

  @Test func `times out a request sent byte by byte`() async throws {
    try await TestDaemon.run(environment: ["ROUTERD_CONNECTIONS_REQUEST_SECONDS": "1.5"]) { daemon in
      let head = try RawConnection(daemon.socket)
      let body = try RawConnection(daemon.socket)
      let silent = try RawConnection(daemon.socket)
      let endless = String(repeating: " ", count: 1_000_000)
      body.send(post("/v1/presentations", bytes: endless.utf8.count))
      async let headBytes = head.dribble("GET /healthz HTTP/1.1\r\nFiller: x\(endless)", every: 20)
      async let bodyBytes = body.dribble(endless, every: 20)
      async let nothing = silent.receive()
      // Others are served meanwhile. Their request is sent at once, so it is in time even on a busy machine.
      let meanwhile = try RawConnection(daemon.socket)
      meanwhile.send(Self.get)
      #expect(await meanwhile.head().hasPrefix("HTTP/1.1 200 "))
      #expect(await headBytes < 1000)
      #expect(await bodyBytes < 1000)
      #expect(await head.receive() == "")
      #expect(await nothing == "")
      let response = await body.receive()
      #expect(response.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
      #expect(try problem(response).detail.contains("within 1.5 s"))
    }
  }

  @Test func `waits for a person longer than for a request`() async throws {
    let limits = ["ROUTERD_CONNECTIONS_REQUEST_SECONDS": "1.5", "ROUTERD_CONNECTIONS_STALL_SECONDS": "1.5"]
    try await TestDaemon.run(environment: limits) { daemon in
      let presenter = try RawConnection(daemon.socket)
      presenter.send("GET /v1/surfaces/main/stream HTTP/1.1\r\nHost: routerd\r\n\r\n")
      let asker = try RawConnection(daemon.socket)
      let body = #"{"kind":"alert","title":"?"}"#
      asker.send(post("/v1/presentations", bytes: body.utf8.count) + body)
      let shown = await presenter.receive(until: #""outcome":null"#)
      // Meanwhile a silent connection is timed out.
      let silent = try RawConnection(daemon.socket)
      #expect(await silent.receive() == "")
      let id = shown[try #require(shown.range(of: #""id":""#)).upperBound...].prefix(36)
      let answer = #"{"button":"ok"}"#
      let person = try RawConnection(daemon.socket)
      person.send(post("/v1/presentations/\(id)/answer", bytes: answer.utf8.count) + answer)
      #expect(await person.head().hasPrefix("HTTP/1.1 200 "))
      #expect(await asker.head().hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test func `drops a client that does not read its reply`() async throws {
    // Long enough for the attentive reader, whose task competes with all other tests.
    try await TestDaemon.run(environment: ["ROUTERD_CONNECTIONS_STALL_SECONDS": "30"]) { daemon in
      let payload = JSONValue.string(String(repeating: "x", count: 500_000))
      for _ in 0..<3 {
        _ = try await daemon.client.detach(PresentationRequest(kind: .sheet, sheet: "large", payload: payload))
      }
      let deaf = try RawConnection(daemon.socket)
      deaf.send("GET /v1/presentations HTTP/1.1\r\nHost: routerd\r\n\r\n")
      async let closed: Void = deaf.closed()
      let reader = try RawConnection(daemon.socket)
      reader.send("GET /v1/presentations HTTP/1.1\r\nHost: routerd\r\nConnection: close\r\n\r\n")
      #expect(await reader.receive().utf8.count > 1_500_000)
      await closed
      #expect(await deaf.receive().utf8.count < 1_500_000)
      #expect(try await daemon.client.presentations().count == 3)
    }
  }

  @Test func `closes a stream with too much unread data without delaying others`() async throws {
    let limits = ["ROUTERD_CONNECTIONS_UNREAD_BYTES": "65536", "ROUTERD_CONNECTIONS_STALL_SECONDS": "3600"]
    try await TestDaemon.run(environment: limits) { daemon in
      let deaf = try RawConnection(daemon.socket)
      deaf.send("GET /v1/surfaces/main/stream?name=deaf HTTP/1.1\r\nHost: routerd\r\n\r\n")
      _ = await deaf.receive(until: "event: queue")
      let closed = Task { await deaf.closed() }
      let presenter = TestPresenter(daemon.client, name: "attentive")
      let payload = JSONValue.string(String(repeating: "x", count: 60_000))
      var names = ["deaf"]
      var count = 0
      while names.contains("deaf") {
        count += 1
        try #require(count < 50)
        let handle = daemon.client.submit(PresentationRequest(kind: .sheet, sheet: "large", payload: payload))
        let id = try await handle.accepted().id
        var shown = try await presenter.nextPresentation()
        // A client that reconnects may be shown a prompt that it has just answered.
        while shown.id != id { shown = try await presenter.nextPresentation() }
        try await presenter.answer(["n": .integer(count)], on: shown)
        #expect(try await handle.resolved().outcome == .answered(.value(["n": .integer(count)])))
        names = try await presenters(daemon)
      }
      #expect(names == ["attentive"])
      await closed.value
    }
  }

  private func presenters(_ daemon: TestDaemon) async throws -> [String] {
    let reply = try await daemon.http.reply(to: HTTPCall(.GET, APIPath.surfaces))
    let surfaces = try JSONValue(parsing: reply.body)["surfaces"]?.array ?? []
    return surfaces.flatMap { $0["presenters"]?.array ?? [] }.compactMap { $0["name"]?.string }
  }

  // MARK: Cut off

  @Test(arguments: ["dismiss", "fail", "answer"])
  func `ignores a request that is cut off`(verb: String) async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let handle = daemon.client.submit(.alert("?"))
      let shown = try await presenter.nextPresentation()
      for sent in ["", "{}", #"{"generation":1}"#] {
        var connection: RawConnection? = try RawConnection(daemon.socket)
        connection?.send(post("/v1/presentations/\(shown.id)/\(verb)", bytes: 100) + sent)
        connection = nil
      }
      // This answer arrives last: it would be refused if one of the others had counted.
      try await presenter.press(id: "yes", on: shown)
      #expect(try await handle.resolved().outcome == .answered(.button("yes")))
    }
  }
}
