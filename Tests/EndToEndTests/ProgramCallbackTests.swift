import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// Dismiss callbacks of programs, with a real listener on a real socket.
@Suite(.timeLimit(.minutes(10)))
struct ProgramCallbackTests {
  private func request(_ daemon: TestDaemon, _ title: String = "?", socket: String? = nil) throws -> PresentationRequest {
    let path = (socket ?? socketPath(daemon)).replacing("/", with: "%2F")
    var request = PresentationRequest.alert(title)
    request.onDismiss = try PresentationRequest.CallbackAddress("http+unix://\(path)/ended?by=router")
    return request
  }

  private func socketPath(_ daemon: TestDaemon) -> String { daemon.directory + "/program" }

  /// Waits for a recorded callback state, and returns the recorded attempts with their errors.
  private func tries(
    _ id: PresentationID, _ daemon: TestDaemon, until isEnough: (Presentation.Callback) -> Bool
  ) async throws -> [(kind: AuditEvent.Kind, error: String?)] {
    let reader = try AuditReader(path: daemon.database)
    var tries: [AuditEvent] = []
    try await daemon.eventually("a callback was tried often enough") {
      tries = try await reader.events(of: id).filter { [.callbackDelivered, .callbackFailed].contains($0.kind) }
      var state = Presentation.Callback(attempts: tries.count)
      if tries.last?.kind == .callbackDelivered { state.state = .delivered }
      if let last = tries.last, last.kind == .callbackFailed, last.detail["nextIn"] == nil { state.state = .failed }
      return isEnough(state)
    }
    return tries.map { ($0.kind, $0.detail["error"]?.string) }
  }

  @Test func `calls the program back with the outcome, and records the delivery`() async throws {
    try await TestDaemon.run { daemon in
      let listener = try CallbackListener(socketPath(daemon))
      let presenter = TestPresenter(daemon.client)
      let asked = try await daemon.client.detach(try request(daemon))
      #expect(asked.callback == Presentation.Callback())
      try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
      let call = try await listener.next()
      #expect(call.line == "POST /ended?by=router HTTP/1.1")
      #expect(call.presentation.id == asked.id)
      #expect(call.presentation.outcome == .answered(.button("yes")))
      let tries = try await tries(asked.id, daemon) { $0.state == .delivered }
      #expect(tries.map(\.kind) == [.callbackDelivered])
    }
  }

  @Test func `redacts a sensitive answer in the callback`() async throws {
    try await TestDaemon.run { daemon in
      let listener = try CallbackListener(socketPath(daemon))
      let presenter = TestPresenter(daemon.client)
      var secret = try request(daemon)
      secret.sensitive = true
      let handle = daemon.client.submit(secret)
      try await presenter.press(id: "no", on: try await presenter.nextPresentation())
      #expect(try await handle.resolved().outcome == .answered(.button("no")))
      #expect(try await listener.next().presentation.outcome == .answered(.redacted))
    }
  }

  @Test func `retries until the listener accepts, and records each attempt`() async throws {
    try await TestDaemon.run { daemon in
      let listener = try CallbackListener(socketPath(daemon), answering: [500, 404])
      let asked = try await daemon.client.detach(try request(daemon))
      _ = try await daemon.client.cancel(asked.id)
      for _ in 0..<3 { #expect(try await listener.next().presentation.id == asked.id) }
      let tries = try await tries(asked.id, daemon) { $0.state == .delivered }
      #expect(tries.map(\.kind) == [.callbackFailed, .callbackFailed, .callbackDelivered])
      #expect(tries[0].error?.contains("500") == true)
      #expect(tries[1].error?.contains("404") == true)
      #expect(try await daemon.client.presentation(asked.id).callback == Presentation.Callback(state: .delivered, attempts: 3))
    }
  }

  @Test func `is not held up by listeners that send 100 Continue forever`() async throws {
    try await TestDaemon.run { daemon in
      let paths = (0..<8).map { "\(socketPath(daemon))\($0)" }
      let listeners = try paths.map { try EndlessListener($0) }
      var ended: [PresentationID] = []
      for path in paths {
        let asked = try await daemon.client.detach(try request(daemon, socket: path))
        ended.append(try await daemon.client.cancel(asked.id).id)
      }
      for listener in listeners { try await listener.called() }
      let presenter = TestPresenter(daemon.client)
      for _ in 0..<20 {
        try await daemon.client.checkHealth()
        let handle = daemon.client.submit(.alert("?"))
        try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
        #expect(try await handle.outcome() == .answered(.button("yes")))
      }
      for id in ended {
        let tries = try await tries(id, daemon) { $0.attempts > 0 }
        #expect(tries.first?.error?.contains("too many interim replies") == true)
      }
    }
  }

  @Test func `delivers the callback when the listener is back`() async throws {
    try await TestDaemon.run { daemon in
      let asked = try await daemon.client.detach(try request(daemon))
      _ = try await daemon.client.cancel(asked.id)
      _ = try await tries(asked.id, daemon) { $0.attempts > 0 }
      let listener = try CallbackListener(socketPath(daemon))
      #expect(try await listener.next().presentation.outcome == .cancelled(.requester))
      let tries = try await tries(asked.id, daemon) { $0.state == .delivered }
      #expect(tries.first?.kind == .callbackFailed)
      #expect(tries.first?.error?.contains("cannot reach the callback's listener") == true)
      #expect(tries.last?.kind == .callbackDelivered)
    }
  }

  @Test func `records a failure when the attempts run out`() async throws {
    try await TestDaemon.run(environment: ["ROUTERD_CALLBACKS_TRIES": "2"]) { daemon in
      let asked = try await daemon.client.detach(try request(daemon))
      _ = try await daemon.client.cancel(asked.id)
      let tries = try await tries(asked.id, daemon) { $0.state == .failed }
      #expect(tries.map(\.kind) == [.callbackFailed, .callbackFailed])
    }
  }

  @Test(arguments: [SIGKILL, SIGTERM])
  func `delivers pending callbacks after a restart`(signal: Int32) async throws {
    try await TestDaemon.run { daemon in
      let ended = try await daemon.client.detach(try request(daemon, "ended"))
      let open = try await daemon.client.detach(try request(daemon, "open"))
      _ = try await daemon.client.cancel(ended.id)
      _ = try await tries(ended.id, daemon) { $0.attempts > 0 }
      await daemon.end(by: signal)
      let listener = try CallbackListener(socketPath(daemon))
      let next = try await daemon.next()
      #expect(try await listener.next().presentation.id == ended.id)
      _ = try await next.client.cancel(open.id)
      #expect(try await listener.next().presentation.id == open.id)
      let tries = try await tries(ended.id, next) { $0.state == .delivered }
      #expect(tries.last?.kind == .callbackDelivered)
    }
  }

  @Test(.enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
  func `refuses to call another user's listener, and records its owner`() async throws {
    let environment = [
      "ROUTERD_SOCKET_MODE": "0666", "ROUTERD_ACCESS_REQUEST": "self,60041", "ROUTERD_CALLBACKS_TRIES": "1",
    ]
    try await TestDaemon.run(environment: environment) { daemon in
      // This process listens as root; the requester is another user.
      let listener = try CallbackListener(socketPath(daemon))
      let ada = OtherUser(uid: 60041)
      let url = "http+unix://\(socketPath(daemon).replacing("/", with: "%2F"))/"
      let body = #"{"kind":"alert","title":"?","onDismiss":{"url":"\#(url)"}}"#
      let asked = try await ada.call(daemon, "POST", "/v1/presentations", body: body, headers: ["Prefer: respond-async"])
      let id = try #require(try asked.json["id"]?.string.flatMap { PresentationID($0) })
      #expect(try await ada.call(daemon, "DELETE", "/v1/presentations/\(id)").status == 200)
      let tries = try await tries(id, daemon) { $0.state == .failed }
      #expect(tries.map(\.kind) == [.callbackFailed])
      #expect(tries[0].error?.contains("it runs as user 0, not 60041") == true)
      // The next call it gets is for its own user.
      let own = try await daemon.client.detach(try request(daemon))
      _ = try await daemon.client.cancel(own.id)
      #expect(try await listener.next().presentation.id == own.id)
    }
  }
}
