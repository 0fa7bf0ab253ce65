import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// The `Idempotency-Key` header over plain HTTP.
@Suite(.timeLimit(.minutes(10)))
struct IdempotencyKeyTests {
  /// Asks with the key `k` in one HTTP call.
  private func ask(
    _ daemon: TestDaemon, _ title: String = "?", app: String = "deploy", prefer: String? = nil
  ) async throws -> HTTPReply {
    var headers: HeaderFields = ["Idempotency-Key": "k"]
    if let prefer { headers.add(name: "Prefer", value: prefer) }
    var request = PresentationRequest.alert(title)
    request.app = app
    return try await daemon.http.reply(to: HTTPCall(.POST, APIPath.presentations, headers: headers, json: request.jsonText))
  }

  private func presentation(_ reply: HTTPReply) throws -> Presentation {
    try Presentation(json: try JSONValue(parsing: reply.body))
  }

  @Test func `joins an open presentation, and returns its outcome after it ended`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      async let first = ask(daemon)
      let shown = try await presenter.nextPresentation()
      let detached = try await ask(daemon, prefer: "respond-async")
      #expect(detached.status == 202)
      #expect(try presentation(detached).id == shown.id)
      #expect(try await daemon.client.presentations().count == 1)
      try await presenter.press(id: "yes", on: shown)
      #expect(try presentation(try await first).outcome == .answered(.button("yes")))
      for prefer in [nil, "respond-async", "wait=5"] {
        let again = try await ask(daemon, prefer: prefer)
        #expect(again.status == 200)
        #expect(try presentation(again).id == shown.id)
        #expect(try presentation(again).outcome == .answered(.button("yes")))
      }
      #expect(try await daemon.client.presentations().isEmpty)
    }
  }

  @Test func `keeps the presentation while any of its connections is open`() async throws {
    try await TestDaemon.run { daemon in
      let first = Task { try await ask(daemon) }
      let shown = try await daemon.opened(1)[0]
      let stream = try RawConnection(daemon.socket)
      let body =
        #"{"kind":"alert","title":"?","app":"deploy","buttons":"#
        + #"[{"id":"yes","label":"Yes"},{"id":"no","label":"No","role":"cancel"}]}"#
      stream.send(
        "POST /v1/presentations HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nIdempotency-Key: k\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
      #expect(await stream.receive(until: shown.id.description).contains("event: queued"))
      first.cancel()
      _ = await first.result
      let presenter = TestPresenter(daemon.client)
      try await presenter.press(id: "no", on: try await presenter.nextPresentation())
      #expect(await stream.receive(until: "event: resolved\n").contains("answered"))
      #expect(try await daemon.client.presentation(shown.id).outcome == .answered(.button("no")))
    }
  }

  @Test func `refuses a key with another request, and separates the keys of apps`() async throws {
    try await TestDaemon.run { daemon in
      let first = try presentation(try await ask(daemon, prefer: "respond-async"))
      let other = try await ask(daemon, "another", prefer: "respond-async")
      #expect(other.status == 422)
      #expect(other.error?.code == .impossible)
      _ = try await daemon.client.cancel(first.id)
      #expect(try await ask(daemon, "another", prefer: "respond-async").status == 422)
      let elsewhere = try await ask(daemon, "another", app: "other", prefer: "respond-async")
      #expect(elsewhere.status == 202)
      #expect(try presentation(elsewhere).id != first.id)
    }
  }

  @Test func `frees the key of a lost requester`() async throws {
    try await TestDaemon.run { daemon in
      let lost = Task { try await ask(daemon) }
      let first = try await daemon.opened(1)[0]
      lost.cancel()
      _ = await lost.result
      _ = try await daemon.opened(0)
      #expect(try await daemon.client.presentation(first.id).outcome == .cancelled(.requesterGone))
      let second = try presentation(try await ask(daemon, prefer: "respond-async"))
      #expect(second.id != first.id)
      #expect(second.state == .queued)
    }
  }

  @Test(arguments: [SIGKILL, SIGTERM])
  func `keeps its place across a restart, and is shown when its requester returns`(signal: Int32) async throws {
    try await TestDaemon.run { daemon in
      let waiting = Task { try await ask(daemon) }
      let first = try await daemon.opened(1)[0]
      _ = try await daemon.client.detach(.alert("behind"))
      daemon.process.signal(signal)
      // Either asked to retry, or disconnected.
      if let reply = try? await waiting.value { #expect(reply.status == 503) }
      _ = await daemon.process.exitStatus()

      let next = try await daemon.next(environment: ["ROUTERD_GRACE_SECONDS": "60"])
      #expect(try await next.client.presentations().map(\.request.title) == ["?", "behind"])
      let presenter = TestPresenter(next.client)
      let behind = try await presenter.nextPresentation()
      #expect(behind.request.title == "behind")
      async let again = ask(next)
      _ = try await next.client.cancel(behind.id)
      let shown = try await presenter.nextPresentation()
      #expect(shown.id == first.id)
      try await presenter.press(id: "yes", on: shown)
      #expect(try presentation(try await again).outcome == .answered(.button("yes")))
    }
  }

  @Test func `ends as interrupted after the grace period, and frees the key`() async throws {
    try await TestDaemon.run { daemon in
      let waiting = Task { try? await ask(daemon) }
      let first = try await daemon.opened(1)[0]
      await daemon.end(by: SIGKILL)
      _ = await waiting.value
      let next = try await daemon.next(environment: ["ROUTERD_GRACE_SECONDS": "1"])
      #expect(try await next.client.presentation(first.id, wait: .seconds(60)).outcome == .cancelled(.interrupted))
      #expect(try presentation(try await ask(next, prefer: "respond-async")).id != first.id)
    }
  }

  @Test(arguments: [
    ("", 400), ("a b", 400), (String(repeating: "k", count: 256), 400), (String(repeating: "k", count: 255), 202),
  ])
  func `accepts keys of 1 to 255 visible characters`(key: String, status: Int) async throws {
    try await TestDaemon.run { daemon async throws in
      let headers: HeaderFields = ["Idempotency-Key": key, "Prefer": "respond-async"]
      let call = HTTPCall(.POST, APIPath.presentations, headers: headers, json: PresentationRequest.alert("?").jsonText)
      #expect(try await daemon.http.reply(to: call).status == status)
    }
  }
}
