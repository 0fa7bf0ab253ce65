import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// Remembered answers through the real daemon and routerctl.
/// Promises P43, P56.
@Suite(.timeLimit(.minutes(10)))
struct GrantTests {
  /// A shell that reads commands, as in a terminal: one session.
  private func session(_ commands: String, on daemon: TestDaemon) throws -> ChildProcess {
    let file = daemon.directory + "/\(UUID().uuidString)"
    let tool = ChildProcess.products.appending(path: "routerctl").path
    let ask = #"ask() { "\#(tool)" confirm 'Run?' --act-verb run --act-object "$1" --remember session,1h; echo "$1 $?"; }"#
    try Data((ask + "\n" + commands + "\n").utf8).write(to: URL(filePath: file))
    let input = open(file, O_RDONLY | O_CLOEXEC)
    defer { close(input) }
    return try ChildProcess("/bin/bash", [], environment: ["ROUTERD_SOCKET": daemon.socket], input: input)
  }

  private func routerctl(_ arguments: String..., on daemon: TestDaemon) throws -> ChildProcess {
    try ChildProcess("routerctl", arguments, environment: ["ROUTERD_SOCKET": daemon.socket])
  }

  private func answer(
    _ shown: Presentation, _ button: String, remember: PresentationRequest.Remember.Period?, on daemon: TestDaemon
  ) async throws {
    var extra = AnswerExtra()
    extra.remember = remember.map { GrantChoice(for: $0) }
    _ = try await daemon.client.answer(shown.id, .button(button), extra, generation: shown.generation)
  }

  @Test func `settles equal requests of one session, on record and until it is revoked`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let first = try session("ask x; ask x; ask y; ask x", on: daemon)
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.act == Act("run", object: "x"))
      try await answer(shown, "yes", remember: .session, on: daemon)
      let other = try await presenter.nextPresentation()
      #expect(other.request.act?.object == "y")
      try await answer(other, "no", remember: nil, on: daemon)
      #expect(await first.allOutput() == ["x 0", "x 0", "y 1", "x 0"])
      await first.expectExit()

      // The record: settled requests were never shown, and nobody's times.
      let log = try await daemon.client.log(["decidedBy": "grant"])["presentations"]?.array ?? []
      #expect(log.count == 2 && log.allSatisfy { $0["because"]?["grant"] != nil && $0["presentedAt"] == .null })
      let reader = try AuditReader(path: daemon.database)
      let statistics = try await reader.statistics()
      #expect(statistics.total.count == 4 && statistics.total.settled == 2)
      await (try ChildProcess("routerctl", ["log", "verify", "--database", daemon.database])).expectExit()

      // The session is over, and another one does not profit from it.
      let second = try session("ask x", on: daemon)
      let again = try await presenter.nextPresentation()
      try await answer(again, "yes", remember: .seconds(3600), on: daemon)
      #expect(await second.allOutput() == ["x 0"])
      let third = try session("ask x", on: daemon)
      #expect(await third.allOutput() == ["x 0"])

      let listed = try await daemon.client.grants()
      #expect(listed.map(\.uses) == [1])
      let id = try #require(listed.first).grant.id.description
      #expect(await (try routerctl("grants", "revoke", id, on: daemon)).allOutput() == [id])
      await (try routerctl("grants", "revoke", id, on: daemon)).expectExit(7)
      await (try routerctl("answer", "--last", "--button", "yes", "--match", "exact", on: daemon)).expectExit(64)
      let fourth = try session("ask x", on: daemon)
      try await answer(try await presenter.nextPresentation(), "no", remember: nil, on: daemon)
      #expect(await fourth.allOutput() == ["x 1"])

      // One that has ended does not keep another in force.
      let fifth = try session("ask x", on: daemon)
      try await answer(try await presenter.nextPresentation(), "yes", remember: .seconds(3600), on: daemon)
      #expect(await fifth.allOutput() == ["x 0"])
      let last = try #require(try await daemon.client.grants().first).grant.id.description
      await (try routerctl("grants", "revoke", id, last, on: daemon)).expectExit(7)
      #expect(try await daemon.client.grants().isEmpty)
    }
  }

  @Test(arguments: [
    ("ls $(reboot)", ["ls", "$(reboot)"]), ("rm -rf /", ["git", "log"]), ("git log", ["git", "log", "-1"]),
    ("git log; reboot", ["git", "log"]),
  ])
  func `refuses an act whose object and arguments are two commands`(object: String, arguments: [String]) async throws {
    try await TestDaemon.run { daemon in
      let reply = try await daemon.ask("Run?", rememberable: Act("Bash", object: object, arguments: arguments, directory: "/s"))
      let problem = try reply.problem
      let line = try #require(Act("Bash", arguments: arguments).commandLine)
      #expect(reply.status == 422 && problem.field == "/act/argv")
      #expect(problem.detail.contains(object) && problem.detail.contains(line), "\(problem.detail)")
      #expect(try await daemon.open().isEmpty)
    }
  }

  @Test(.enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
  func `shows a grant to its users and auditors, and lets only its users revoke it`() async throws {
    let (stranger, auditor) = (OtherUser(uid: 60013), OtherUser(uid: 60014))
    let environment = [
      "ROUTERD_SOCKET_MODE": "0666", "ROUTERD_ACCESS_REQUEST": "self,60013,60014", "ROUTERD_ACCESS_AUDIT": "self,60014",
    ]
    try await TestDaemon.run(environment: environment) { daemon in
      let presenter = TestPresenter(daemon.client)
      let first = try session("ask x", on: daemon)
      try await presenter.press(id: "yes", on: try await presenter.nextPresentation(), remember: .seconds(3600))
      await first.expectExit()
      let grant = try #require(try await daemon.client.grants().first).grant.id
      for (user, count, status) in [(stranger, 0, 404), (auditor, 1, 403)] {
        let listed = try await user.call(daemon, "GET", "/v1/grants").json
        #expect(listed["grants"]?.array?.count == count)
        #expect(try await user.call(daemon, "DELETE", "/v1/grants/\(grant)").status == status)
      }
      #expect(try await daemon.client.grants().map(\.grant.id) == [grant])
    }
  }

  @Test func `keeps a time across a kill, and nothing that was not on record`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let first = try session("ask x", on: daemon)
      try await answer(try await presenter.nextPresentation(), "yes", remember: .seconds(3600), on: daemon)
      #expect(await first.allOutput() == ["x 0"])
      await daemon.end(by: SIGKILL)
      let next = try await daemon.next()
      let second = try session("ask x", on: next)
      #expect(await second.allOutput() == ["x 0"])
      #expect(try await next.client.grants().map(\.uses) == [1])
      await next.end(by: SIGTERM)
      await (try ChildProcess("routerctl", ["log", "verify", "--database", next.database])).expectExit()
    }
  }

  @Test func `refuses a choice that is not offered, and a user without the role`() async throws {
    try await TestDaemon.run(environment: ["ROUTERD_ACCESS_GRANT": "nobody", "ROUTERD_ACCESS_ADMIN": "nobody"]) { daemon in
      let presenter = TestPresenter(daemon.client)
      let first = try session("ask x", on: daemon)
      let shown = try await presenter.nextPresentation()
      await #expect(throws: RouterError.self) { try await answer(shown, "yes", remember: .session, on: daemon) }
      try await answer(shown, "yes", remember: nil, on: daemon)
      #expect(await first.allOutput() == ["x 0"])
      #expect(try await daemon.client.grants().isEmpty)
    }
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let first = try session("ask x", on: daemon)
      let shown = try await presenter.nextPresentation()
      for body: JSONValue in [
        ["button": "yes", "remember": ["match": "prefix", "for": "session"]],
        ["button": "yes", "remember": ["for": 86_400]], ["button": "yes", "remember": ["for": "ever"]],
      ] {
        let reply = try await daemon.call(.POST, APIPath.presentation(shown.id) + "/answer", body)
        let problem = try reply.json
        #expect([400, 422].contains(reply.status) && problem["field"]?.string?.hasPrefix("/remember") == true, "\(problem)")
      }
      try await answer(shown, "no", remember: nil, on: daemon)
      #expect(await first.allOutput() == ["x 1"])
      let plain = daemon.client.submit(.alert("plain"))
      let second = try await presenter.nextPresentation()
      await #expect(throws: RouterError.self) { try await answer(second, "yes", remember: .session, on: daemon) }
      try await presenter.press(id: "yes", on: second)
      _ = try await plain.resolved()
    }
  }
}
