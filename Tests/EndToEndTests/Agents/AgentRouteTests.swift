import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

@testable import routerd

/// What an agent's process can do to the agent's own prompt, through every route of the real daemon.
/// Promises P41, P85.
@Suite(.timeLimit(.minutes(10)))
struct AgentRouteTests {
  private struct Attempt {
    let status: Int
    var body: String?

    init(_ status: Int, _ body: String? = nil) { (self.status, self.body) = (status, body) }
  }

  /// An attempt for every route. The prompt stays open through all of them.
  private static let table: [String: Attempt] = [
    "POST /v1/presentations": Attempt(200, #"{"kind":"alert","title":"Another","conflictPolicy":"cancelPrevious"}"#),
    "GET /v1/presentations": Attempt(200),
    "GET /v1/presentations/{id}": Attempt(200),
    "DELETE /v1/presentations/{id}": Attempt(403),
    "POST /v1/presentations/{id}/finish": Attempt(403, "{}"),
    "PUT /v1/presentations/{id}/progress": Attempt(204, #"{"fraction":1}"#),
    "POST /v1/presentations/{id}/answer": Attempt(403, #"{"value":{"x":"yes"}}"#),
    // Last: see below.
    "POST /v1/presentations/{id}/dismiss": Attempt(200, "{}"),
    // Permitted like a dismissal, but not for so short a time, so that the prompt stays.
    "PUT /v1/presentations/{id}/ran": Attempt(409, #"{"act":"ab","status":0}"#),
    "POST /v1/presentations/{id}/snooze": Attempt(422, #"{"for":1}"#),
    "DELETE /v1/presentations/{id}/snooze": Attempt(403),
    "POST /v1/presentations/{id}/raise": Attempt(403),
    "POST /v1/presentations/{id}/pause": Attempt(422, #"{"for":1}"#),
    "DELETE /v1/presentations/{id}/pause": Attempt(404),
    "POST /v1/presentations/{id}/fail": Attempt(403, #"{"detail":"no"}"#),
    "GET /v1/presentations/{id}/prompt": Attempt(200),
    "POST /v1/presentations/{id}/check": Attempt(200, #"{"fields":{"x":"y"}}"#),
    "POST /v1/web/link": Attempt(404, "{}"),
    "GET /v1/rules": Attempt(200),
    "POST /v1/rules/decision": Attempt(200, #"{"kind":"alert","title":"Another"}"#),
    "GET /v1/surfaces": Attempt(200),
    // Attaches a presenter, and detaches it.
    "GET /v1/surfaces/{surface}/stream": Attempt(200),
    "GET /v1/grants": Attempt(200),
    // Nothing was granted with the prompt's id.
    "GET /v1/grants/{id}": Attempt(404),
    "DELETE /v1/grants/{id}": Attempt(404),
    "GET /v1/log": Attempt(200),
    "GET /v1/log/{id}": Attempt(200),
    "GET /v1/log/events": Attempt(200),
    "GET /v1/log/stats": Attempt(200),
    "GET /v1/log/stream": Attempt(200),
    "POST /v1/log/prune": Attempt(200, #"{"before":"2020-01-01T00:00:00.000Z"}"#),
    "GET /v1/switch": Attempt(200),
    "PUT /v1/switch": Attempt(403, #"{"off":true}"#),
    "GET /v1/status": Attempt(200),
    "GET /metrics": Attempt(200),
    "GET /healthz": Attempt(200),
    "GET /openapi.json": Attempt(200),
  ]

  private static let dismissal = "POST /v1/presentations/{id}/dismiss"

  private func routes() async throws -> [String] {
    try await RoleTableTests.routes().map { "\($0.method) \($0.path)" }
  }

  @Test func `lets an agent's child do nothing but dismiss, on any route`() async throws {
    let routes = try await routes()
    for route in routes { _ = try #require(Self.table[route], "\(route) is in no line of the table: decide about it") }
    let ordered = routes.filter { $0 != Self.dismissal }
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let curl = "curl -sS --unix-socket \(daemon.socket)"
      // Each line of input is a method, a path and a body.
      let script = daemon.directory + "/agent.sh"
      try """
      schema='{"type":"object","properties":{"x":{"type":"string"}}}'
      \(curl) -o /dev/null -H 'Prefer: respond-async' -d '{"kind":"sheet","sheet":"s","schema":'"$schema"',"agent":'$$'}' \
        http://routerd/v1/presentations
      while IFS=' ' read -r method path body; do
        [ "$body" ] && set -- -d "$body" || set --
        [ "$method $path" = 'POST /v1/presentations' ] && set -- "$@" -H 'Prefer: respond-async'
        # A child of a child. A stream ends after its first second.
        sh -c 'curl -sS -m 1 --unix-socket "$0" -o /dev/null -w "%{http_code}\\n" -X "$@" 2>/dev/null; :' \
          \(daemon.socket) "$method" "http://routerd$path" "$@"
      done

      """.write(toFile: script, atomically: true, encoding: .utf8)
      let input = try ChildPipe()
      let agent = try ChildProcess("/bin/sh", [script], input: input.reading)
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.agent == agent.pid)
      var statuses = agent.output.makeAsyncIterator()
      func attempt(_ route: String) async throws {
        let wanted = try #require(Self.table[route])
        let path = route.replacing("{id}", with: shown.id.description).replacing("{surface}", with: "main")
        input.write("\(path) \(wanted.body ?? "")\n")
        let status = await statuses.next()
        #expect(status == "\(wanted.status)", "\(route)")
      }
      for route in ordered {
        try await attempt(route)
        let now = try await daemon.client.presentation(shown.id)
        #expect(now.outcome == nil && now.state == .presented, "\(route): \(String(describing: now.outcome))")
      }
      let denied = try await daemon.client.logEvents(of: shown.id).filter { $0.kind == .accessDenied }
      #expect(
        denied.map { $0.detail["reason"] }
          == Array(
            repeating: "requested by the caller's own agent",
            count: Self.table.count { $0.value.status == 403 && $0.key.contains("{id}") }))
      try await attempt(Self.dismissal)
      #expect(try await daemon.client.presentation(shown.id).outcome == .dismissed)
      input.closeWriting()
      await agent.expectExit()
    }
  }

  @Test(.enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
  func `refuses process 1 and another user's process as the agent, and says why`() async throws {
    let user = OtherUser(uid: 60012)
    try await TestDaemon.run(environment: ["ROUTERD_SOCKET_MODE": "0666", "ROUTERD_ACCESS_REQUEST": "self,60012"]) { daemon in
      func refusal(_ agent: Int32, as user: OtherUser) async throws -> String {
        let body = #"{"kind":"alert","title":"Run?","agent":\#(agent)}"#
        let reply = try await user.call(daemon, "POST", "/v1/presentations", body: body)
        #expect(reply.status == 400)
        #expect(try reply.json["field"] == "/agent")
        return try reply.json["detail"]?.string ?? ""
      }
      // This process is root's, and starts the other user's curl.
      let other = try await refusal(getpid(), as: user)
      #expect(other.contains("/agent: must be a process of the requester's user, not of uid 0"))
      if ProcessIdentity.current.ancestry?.contains(where: { $0.pid == 1 }) == true {
        let first = try await refusal(1, as: OtherUser(uid: 0, gid: 0))
        #expect(first.contains("/agent: must not be process 1"))
      }
      let open = try await daemon.open()
      #expect(open.isEmpty)
    }
  }
}
