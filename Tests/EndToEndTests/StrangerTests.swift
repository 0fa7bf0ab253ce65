import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

@testable import routerd

/// What users of a shared daemon can see and do with each other's presentations.
/// Promises P35, P69.
@Suite(.enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"), .timeLimit(.minutes(10)))
struct StrangerTests {
  private let ada = OtherUser(uid: 60031)
  private let bob = OtherUser(uid: 60032)
  private let presenter = OtherUser(uid: 60033)

  private static let environment = [
    "ROUTERD_SOCKET_MODE": "0666", "ROUTERD_ACCESS_REQUEST": "self,60031,60032", "ROUTERD_ACCESS_PRESENT": "self,60033",
  ]

  private func ids(_ reply: OtherUser.Reply) throws -> [String] {
    try (reply.json["presentations"]?.array ?? []).compactMap { $0["id"]?.string }
  }

  @Test func `hides other users' presentations from a requester`() async throws {
    try await TestDaemon.run(environment: Self.environment) { daemon in
      let (hers, his) = (try await ada.ask(daemon, "hers"), try await bob.ask(daemon, "his"))
      #expect(try ids(try await ada.call(daemon, "GET", "/v1/presentations")) == [hers])
      #expect(try ids(try await bob.call(daemon, "GET", "/v1/presentations")) == [his])
      #expect(try ids(try await presenter.call(daemon, "GET", "/v1/presentations")) == [hers, his])
      #expect(try await ada.call(daemon, "GET", "/v1/presentations/\(hers)").status == 200)
      let nothing = "01a1fdb6-ea24-7114-b4fd-98d4271e7c7c"
      for (method, verb) in [("GET", ""), ("DELETE", ""), ("POST", "/finish")] {
        let theirs = try await bob.call(daemon, method, "/v1/presentations/\(hers)\(verb)")
        let never = try await bob.call(daemon, method, "/v1/presentations/\(nothing)\(verb)")
        #expect(theirs.status == 404 && never.status == 404)
        #expect(theirs.body.replacing(hers, with: nothing) == never.body)
      }
      // Stacking on another user's presentation reveals no more.
      let over = try await bob.call(
        daemon, "POST", "/v1/presentations", body: #"{"kind":"alert","title":"?","over":"\#(hers)"}"#)
      let overNothing = try await bob.call(
        daemon, "POST", "/v1/presentations", body: #"{"kind":"alert","title":"?","over":"\#(nothing)"}"#)
      #expect(over.status == 422)
      #expect(over.body.replacing(hers, with: nothing) == overNothing.body)
    }
  }

  @Test func `hides the outcome of other users' presentations`() async throws {
    try await TestDaemon.run(environment: Self.environment) { daemon in
      let hers = try await ada.ask(daemon, "hers")
      #expect(try await ada.call(daemon, "DELETE", "/v1/presentations/\(hers)").status == 200)
      #expect(try await ada.call(daemon, "DELETE", "/v1/presentations/\(hers)").status == 409)
      #expect(try await ada.call(daemon, "GET", "/v1/presentations/\(hers)").status == 200)
      for user in [bob, presenter] {
        #expect(try await user.call(daemon, "GET", "/v1/presentations/\(hers)").status == 404)
      }
      #expect(try await bob.call(daemon, "DELETE", "/v1/presentations/\(hers)").status == 404)
      #expect(try await bob.call(daemon, "POST", "/v1/presentations/\(hers)/finish").status == 404)
      #expect(try await ada.call(daemon, "POST", "/v1/presentations/\(hers)/finish").status == 409)
      // An administrator sees everything.
      let id = try #require(PresentationID(hers))
      #expect(try await daemon.client.presentation(id).outcome == .cancelled(.requester))
    }
  }

  @Test func `accepts progress from the requester's user only`() async throws {
    try await TestDaemon.run(environment: Self.environment) { daemon in
      let hers = try await ada.ask(daemon, "hers")
      let (path, body) = ("/v1/presentations/\(hers)/progress", #"{"fraction":0.5}"#)
      #expect(try await bob.call(daemon, "PUT", path, body: body).status == 404)
      #expect(try await presenter.call(daemon, "PUT", path, body: body).status == 403)
      // It is hers, but an alert shows no progress.
      #expect(try await ada.call(daemon, "PUT", path, body: body).status == 422)
    }
  }
  @Test func `accepts a report from the requester's user only`() async throws {
    try await TestDaemon.run(environment: Self.environment) { daemon in
      let hers = try await ada.ask(daemon, "hers")
      let (path, body) = ("/v1/presentations/\(hers)/ran", #"{"act":"ab","status":0}"#)
      #expect(try await bob.call(daemon, "PUT", path, body: body).status == 404)
      #expect(try await presenter.call(daemon, "PUT", path, body: body).status == 403)
      #expect(try await daemon.call(.PUT, path, try JSONValue(parsing: body)).status == 404)
      // It is hers, but nobody has answered.
      #expect(try await ada.call(daemon, "PUT", path, body: body).status == 409)
    }
  }

  @Test func `lets a presenter see and answer open presentations, but not cancel them`() async throws {
    try await TestDaemon.run(environment: Self.environment) { daemon in
      let stream = try presenter.start(daemon, "GET", "/v1/surfaces/main/stream?name=screen")
      defer { stream.signal(SIGKILL) }
      let hers = try await ada.ask(daemon, "hers")
      for await line in stream.output where line.hasPrefix("event: present") { break }
      #expect(try await presenter.call(daemon, "GET", "/v1/presentations/\(hers)").status == 200)
      #expect(try await presenter.call(daemon, "DELETE", "/v1/presentations/\(hers)").status == 403)
      let answer = try await presenter.call(
        daemon, "POST", "/v1/presentations/\(hers)/answer", body: #"{"button":"ok","generation":1}"#)
      #expect(answer.status == 200)
      let answered = try Presentation(json: answer.json)
      #expect(answered.requester.process.uid == ada.uid && answered.requester.process.gid == ada.gid)
      #expect(answered.requester.process.executable == "/usr/bin/curl")
      #expect(answered.resolvedBy?.process.uid == presenter.uid)
    }
  }

  @Test func `hides the outcome from a presenter that waits for the end`() async throws {
    try await TestDaemon.run(environment: Self.environment) { daemon in
      let hers = try await ada.ask(daemon, "hers")
      async let waited = presenter.call(
        daemon, "GET", "/v1/presentations/\(hers)", headers: ["Prefer: wait=60"])
      let watching = try ada.start(daemon, "GET", "/v1/presentations/\(hers)", headers: ["Prefer: wait=60"])
      #expect(try await ada.call(daemon, "DELETE", "/v1/presentations/\(hers)").status == 200)
      let status = try await waited.status
      #expect(status == 404)
      #expect(await watching.allOutput().first?.contains(" 200 ") == true)
    }
  }

  @Test func `replaces another user's prompt only for administrators`() async throws {
    try await TestDaemon.run(environment: Self.environment) { daemon in
      let hers = try await ada.ask(daemon, "hers")
      let body = #"{"kind":"alert","title":"his","conflictPolicy":"cancelPrevious"}"#
      let refused = try await bob.call(
        daemon, "POST", "/v1/presentations", body: body, headers: ["Prefer: respond-async"])
      #expect(try refused.json["outcome"]?["reason"] == "busy")
      #expect(try await ada.call(daemon, "GET", "/v1/presentations/\(hers)").json["outcome"] == .null)
      let taken = try await OtherUser(uid: 0).call(
        daemon, "POST", "/v1/presentations", body: body, headers: ["Prefer: respond-async"])
      #expect(taken.status == 202)
      #expect(try await ada.call(daemon, "GET", "/v1/presentations/\(hers)").json["outcome"]?["reason"] == "superseded")
    }
  }

  @Test(arguments: [(SelfAnswerRule.process, 403, 200), (.user, 403, 403), (.off, 200, 200)])
  func `applies the self-answer rule to the process or the user`(
    rule: SelfAnswerRule, sameProcess: Int, sameUser: Int
  ) async throws {
    try await TestDaemon.run(environment: ["ROUTERD_FORBID_SELF_ANSWER": rule.rawValue]) { daemon in
      let presenter = TestPresenter(daemon.client)
      for (verb, body) in [("answer", #"{"button":"yes"}"#), ("dismiss", "{}")] {
        // This process asks through the client; curl is another process of the same user.
        for (isSameProcess, expected) in [(true, sameProcess), (false, sameUser)] {
          let asked = try await daemon.client.detach(.alert(verb))
          let shown = try await presenter.nextPresentation()
          #expect(shown.id == asked.id)
          let path = "/v1/presentations/\(asked.id)/\(verb)"
          let status: Int
          if isSameProcess {
            let call = HTTPCall(.POST, path, headers: [:], body: Array(body.utf8))
            status = try await daemon.http.reply(to: call).status
          } else {
            status = try await OtherUser(uid: geteuid(), gid: getegid()).call(daemon, "POST", path, body: body).status
          }
          #expect(status == expected, "\(verb), \(isSameProcess ? "the same process" : "another process")")
          if expected == 403 {
            try await denied(asked.id, daemon)
            #expect(try await daemon.client.presentation(asked.id).outcome == nil)
            _ = try await daemon.client.cancel(asked.id)
          }
          _ = try await presenter.nextWithdrawal()
        }
      }
    }
  }

  /// Waits until a presentation's events include a refusal.
  private func denied(_ id: PresentationID, _ daemon: TestDaemon) async throws {
    let reader = try AuditReader(path: daemon.database)
    try await daemon.eventually("a refusal is recorded") {
      try await reader.events(of: id).contains { $0.kind == .accessDenied }
    }
  }

  /// The path for a control group like systemd's, if this machine allows creating one.
  private static let cgroup: String? = {
    let name = "/routerd-test-\(getpid()).service"
    for root in ["/sys/fs/cgroup/systemd", "/sys/fs/cgroup"] {
      let path = root + name
      guard mkdir(path, 0o755) == 0 else { continue }
      defer { rmdir(path) }
      if access(path + "/cgroup.procs", W_OK) == 0 { return path }
    }
    return nil
  }()

  @Test(.enabled(if: Self.cgroup != nil, "no control group can be made here"))
  func `records the requester's systemd unit`() async throws {
    let path = try #require(Self.cgroup)
    try #require(mkdir(path, 0o755) == 0)
    defer { rmdir(path) }
    try await TestDaemon.run { daemon in
      let curl = try ChildProcess(
        "/bin/sh",
        [
          "-c", #"echo $$ > "$1/cgroup.procs" && exec curl -sS --unix-socket "$2" "$3" -d "$4""#, "sh", path,
          daemon.socket, "http://routerd/v1/presentations", #"{"kind":"alert","title":"?"}"#,
        ])
      let presenter = TestPresenter(daemon.client)
      let shown = try await presenter.nextPresentation()
      let unit = path.split(separator: "/").last.map(String.init)
      #expect(shown.requester.process.unit == unit)
      #expect(shown.requester.process.pid == curl.pid)
      try await presenter.press(id: "ok", on: shown)
      await curl.expectExit()
      let recorded = try await AuditReader(path: daemon.database).presentationPage(AuditQuery()).page.first
      #expect(recorded?.requester == shown.requester)
    }
  }
}
