import Router
import RouterClient
import RouterTesting
import Testing

/// Clients that close their sending side after a request.
@Suite(.timeLimit(.minutes(10)))
struct HalfClosedClientTests {
  private let ask = #"{"kind":"alert","title":"?","buttons":[{"id":"yes","label":"Yes"}]}"#

  private func request(_ method: String, _ path: String, _ body: String = "") -> String {
    "\(method) \(path) HTTP/1.1\r\nHost: l\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  @Test func `answers requests that are complete, and closes the connection`() async throws {
    try await TestDaemon.run { daemon in
      let connection = try RawConnection(daemon.socket)
      connection.send(request("GET", "/healthz") + request("GET", "/v1/status"))
      connection.closeSending()
      let replies = await connection.receive()
      #expect(replies.split(separator: "HTTP/1.1 200").count == 2, "\(replies)")
    }
  }

  @Test func `keeps the prompt of a waiting client until it is gone`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let waiting = try RawConnection(daemon.socket)
      waiting.send(request("POST", APIPath.presentations, ask))
      waiting.closeSending()
      try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
      #expect(await waiting.receive().contains(#""outcome":{"type":"answered","button":"yes"}"#))

      var leaving: RawConnection? = try RawConnection(daemon.socket)
      leaving?.send(request("POST", APIPath.presentations, ask))
      leaving?.closeSending()
      let shown = try await presenter.nextPresentation()
      leaving = nil
      #expect(try await presenter.nextWithdrawal().id == shown.id)
      let ended = try await daemon.client.presentation(shown.id, wait: .seconds(60))
      #expect(ended.outcome == .cancelled(.requesterGone))
    }
  }
}
