import Router
import RouterClient
import RouterTesting
import Testing

/// The limits of requests and queues, and the errors for exceeding them.
@Suite(.timeLimit(.minutes(10)))
struct RefusalTests {
  /// A body that is refused, with the expected status and field.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let body: String
    var status = 400
    var field: String?

    var testDescription: String { body }
  }

  static let refusals: [Refusal] = [
    Refusal(body: "not JSON"),
    Refusal(body: "[]"),
    Refusal(body: #"{"kind":"alert","kind":"alert","title":"x"}"#, field: "/kind"),
    Refusal(body: #"{"title":"x"}"#, field: "/kind"),
    Refusal(body: #"{"kind":"popup","title":"x"}"#, field: "/kind"),
    Refusal(body: #"{"kind":"alert"}"#, field: "/title"),
    Refusal(body: #"{"kind":"alert","title":7}"#, field: "/title"),
    Refusal(body: #"{"kind":"alert","title":"x","color":"red"}"#, field: "/color"),
    Refusal(body: #"{"kind":"alert","title":"\u001b[2J"}"#, field: "/title"),
    Refusal(body: #"{"kind":"alert","title":"\u202egpj.exe"}"#, field: "/title"),
    Refusal(body: #"{"kind":"alert","title":"x","buttons":[{"id":"a"},{"id":"a"}]}"#, field: "/buttons/1/id"),
    Refusal(body: #"{"kind":"alert","title":"x","timeout":-1}"#, field: "/timeout"),
    Refusal(body: #"{"kind":"alert","title":"x","surface":"a/b"}"#, field: "/surface"),
    Refusal(body: #"{"kind":"alert","title":"x","onDismiss":{"url":"x"}}"#, field: "/onDismiss/url"),
    Refusal(body: #"{"kind":"alert","title":"x","flow":true}"#, field: "/flow"),
    Refusal(body: #"{"kind":"sheet","flow":"yes"}"#, field: "/flow"),
    Refusal(body: #"{"kind":"sheet","flow":true}"#, status: 422, field: "/flow"),
    Refusal(
      body: #"{"kind":"sheet","schema":{"type":"object","properties":{"a":{"type":"string","oneOf":[]}}}}"#,
      field: "/schema/properties/a/oneOf"),
    Refusal(
      body: #"{"kind":"alert","title":"x","over":"01a1fdb6-ea24-7114-b4fd-98d4271e7c7c"}"#, status: 422, field: "/over"),
    Refusal(body: "{\"kind\":\"alert\",\"title\":\"\(String(repeating: "x", count: 1 << 20))\"}", status: 413),
  ]

  @Test func `refuses an invalid request by its field, and records nothing`() async throws {
    try await TestDaemon.run { daemon in
      for refusal in Self.refusals {
        let call = HTTPCall(.POST, APIPath.presentations, headers: [:], body: Array(refusal.body.utf8))
        let reply = try await daemon.http.reply(to: call)
        #expect(reply.status == refusal.status, "\(refusal.body.prefix(80))")
        let problem = try Problem(json: JSONValue(parsing: reply.body))
        #expect(problem.field == refusal.field, "\(refusal.body.prefix(80)): \(problem.detail)")
        #expect(problem.detail.hasPrefix("cannot "))
        #expect(reply.headers["Content-Type"] == [Problem.contentType])
      }
      #expect(try await daemon.client.presentations().isEmpty)
      #expect(try await AuditReader(path: daemon.database).presentationPage(AuditQuery()).page.isEmpty)
    }
  }

  @Test func `answers 405 with the allowed methods of a path`() async throws {
    try await TestDaemon.run { daemon in
      let id = PresentationID("01a1fdb6-ea24-7114-b4fd-98d4271e7c7c")!
      // Fixed paths next to the log of one presentation, whose id may be anything.
      let allowed = [
        APIPath.presentations: "POST, GET", APIPath.presentation(id): "GET, DELETE", "/v1/log/\(id)": "GET",
        "/v1/log/prune": "POST", "/v1/log/stats": "GET",
      ]
      for (path, methods) in allowed {
        let reply = try await daemon.http.reply(to: HTTPCall(.PUT, path, headers: [:], body: []))
        #expect(reply.status == 405, "\(path)")
        #expect(reply.headers["Allow"] == [methods], "\(path)")
      }
    }
  }

  @Test func `refuses requests to a full queue with Retry-After`() async throws {
    try await TestDaemon.run(environment: ["ROUTERD_LIMITS_PER_SURFACE": "2"]) { daemon in
      for title in ["a", "b"] { _ = try await daemon.client.detach(.alert(title)) }
      let error = await #expect(throws: RouterError.self) { try await daemon.client.ask(.alert("c")) }
      #expect(error?.code == .full)
      #expect(error?.retryAfter != nil)
      #expect(try await daemon.client.presentations().count == 2)
    }
  }

  @Test func `refuses to detach a sensitive request`() async throws {
    try await TestDaemon.run { daemon in
      var request = PresentationRequest.alert("?")
      request.sensitive = true
      let secret = request
      let error = await #expect(throws: RouterError.self) { try await daemon.client.detach(secret) }
      #expect(error?.code == .impossible)
    }
  }

  @Test func `explains why an answer does not count`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let first = try await daemon.client.detach(.alert("first"))
      let second = try await daemon.client.detach(.alert("second"))
      func code(_ id: PresentationID, _ button: String, _ generation: Int?) async -> RouterError? {
        await #expect(throws: RouterError.self) {
          try await daemon.client.answer(id, .button(button), generation: generation)
        }
      }
      _ = try await presenter.nextPresentation()
      #expect(await code(second.id, "yes", nil)?.code == .notPresented)
      #expect(await code(first.id, "yes", 7)?.code == .staleGeneration)
      #expect(await code(first.id, "maybe", 1)?.code == .impossible)
      try await presenter.press(id: "no", on: try await daemon.client.presentation(first.id))
      let error = await code(first.id, "yes", 1)
      #expect(error?.code == .resolved)
      #expect(error?.outcome == .answered(.button("no")))
      #expect(await code(PresentationID("01a1fdb6-ea24-7114-b4fd-98d4271e7c7c")!, "yes", 1)?.code == .notFound)
    }
  }

  @Test func `finds a path with empty components`() async throws {
    try await TestDaemon.run { daemon in
      for path in ["/healthz", "//healthz/", "/v1//presentations/"] {
        let status = try await daemon.call(.GET, path).status
        #expect(status == 200, "\(path)")
      }
      for path in ["/", "/v1/presentations/a/b", "/v1/surfaces/stream", "/v1/surfaces//stream"] {
        let status = try await daemon.call(.GET, path).status
        #expect(status == 404, "\(path)")
      }
    }
  }
}
