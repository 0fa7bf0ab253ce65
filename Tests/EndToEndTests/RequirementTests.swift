import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// Answers that need several people, with real users.
/// Promise P47.
@Suite(.enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"), .timeLimit(.minutes(10)))
struct RequirementTests {
  private static let (ada, bob, eve) = (OtherUser(uid: 60012), OtherUser(uid: 60013), OtherUser(uid: 60014))
  private static let environment = [
    "ROUTERD_SOCKET_MODE": "0666", "ROUTERD_ACCESS_PRESENT": "self,60012,60013,60014",
    "ROUTERD_APPROVERS": "ops=60012,ops=60013",
  ]

  private func routerctl(_ arguments: [String], on daemon: TestDaemon) throws -> ChildProcess {
    try ChildProcess(
      "routerctl", arguments, environment: ["ROUTERD_SOCKET": daemon.socket, "ROUTERD_DATABASE": daemon.database])
  }

  /// Attaches a user's presenter, until the process ends.
  private func attach(_ user: OtherUser, to daemon: TestDaemon) async throws -> ChildProcess {
    let stream = try user.start(daemon, "GET", "/v1/surfaces/main/stream?name=\(user.uid)")
    var lines = stream.output.makeAsyncIterator()
    while let line = await lines.next(), !line.hasPrefix("event:") {}
    return stream
  }

  private func answer(
    _ id: String, _ button: String = "yes", comment: String = "", by user: OtherUser, on daemon: TestDaemon
  ) async throws -> OtherUser.Reply {
    let body = #"{"button":"\#(button)","comment":"\#(comment)"}"#
    return try await user.call(daemon, "POST", "/v1/presentations/\(id)/answer", body: body)
  }

  @Test func `counts an answer once two people of the list have given it, across a restart`() async throws {
    try await TestDaemon.run(environment: Self.environment) { first in
      var seats = [try await attach(Self.ada, to: first), try await attach(Self.eve, to: first)]
      let confirm = try routerctl(
        ["confirm", "Deploy 1.4.2?", "--require", "2:ops", "--timeout", "30m", "--idempotency-key", "k"], on: first)
      #expect(await confirm.line(with: "waiting for 2 people of ops, other than you") != nil)
      try await first.eventually("it is shown") { try await first.client.presentations().first?.state == .presented }
      let shown = try #require(try await first.client.presentations().first)
      let id = shown.id.description
      #expect(shown.request.require == .init(2, from: ["ops"]) && shown.json["requires"] == 2)
      // The asker's user, whatever its role; and one who is not of the list.
      await (try routerctl(["answer", id, "--button", "yes"], on: first)).expectExit(77)
      #expect(try await answer(id, by: Self.eve, on: first).status == 403)
      let approved = try await answer(id, comment: "saw the\\nzebra", by: Self.ada, on: first)
      #expect(approved.status == 200)
      #expect(try approved.json["approvals"]?.array?.count == 1 && approved.json["outcome"] == .null)
      #expect(await confirm.line(with: "1 of 2 people have approved") != nil)
      let again = try await answer(id, by: Self.ada, on: first)
      #expect(again.status == 409)
      #expect(try again.json["code"] == "approved" && again.json["detail"]?.string?.contains("(1 of 2)") == true)

      await first.end(by: SIGKILL)
      let daemon = try await first.next(environment: Self.environment)
      seats = [try await attach(Self.ada, to: daemon), try await attach(Self.bob, to: daemon)]
      try await daemon.eventually("it is shown again") {
        try await daemon.client.presentations().first { $0.id == shown.id }?.state == .presented
      }
      let reshown = try #require(try await daemon.client.presentations().first { $0.id == shown.id })
      #expect(PromptDescription(reshown, userName: nil).oddities.contains("uid 60012 chose Yes: saw the zebra"))
      #expect(try await answer(id, by: Self.ada, on: daemon).status == 409)
      #expect(try await answer(id, by: Self.bob, on: daemon).json["outcome"]?["button"] == "yes")
      await confirm.expectExit()
      let log = await (try routerctl(["log"], on: daemon)).allOutput()
      #expect(log.contains { $0.contains("60012,60013") }, "\(log)")
      #expect(await (try routerctl(["log", "--search", "zebra"], on: daemon)).allOutput().count == 1)
      await (try ChildProcess("routerctl", ["log", "verify", "--database", daemon.database])).expectExit()
      for seat in seats { seat.signal(SIGKILL) }
    }
  }

  @Test func `lets the queue go on while nobody else is there, and ends at one no`() async throws {
    try await TestDaemon.run(environment: Self.environment) { daemon in
      let seat = try await attach(Self.ada, to: daemon)
      var request = PresentationRequest.alert("Deploy?")
      request.require = .init(2)
      let first = try await daemon.client.detach(request).id.description
      let second = try await daemon.client.detach(.alert("Other?")).id.description
      try await daemon.eventually("it is shown") { try await daemon.client.presentations().first?.state == .presented }
      #expect(try await answer(first, by: Self.ada, on: daemon).json["state"] == "queued")
      #expect(try await answer(second, by: Self.ada, on: daemon).status == 200)
      let other = try await attach(Self.eve, to: daemon)
      try await daemon.eventually("it is shown to the other") {
        try await daemon.client.presentations().first?.state == .presented
      }
      #expect(try await answer(first, "no", by: Self.eve, on: daemon).json["outcome"]?["button"] == "no")
      let events = try await daemon.client.logEvents(of: try #require(PresentationID(first))).map(\.kind.rawValue)
      #expect(events == ["requested", "presented", "answered", "withdrawn", "presented", "answered"])
      for seat in [seat, other] { seat.signal(SIGKILL) }
    }
  }

  @Test func `refuses what no other user may answer, and says where to change that`() async throws {
    try await TestDaemon.run { daemon in
      let ask = try routerctl(["confirm", "Deploy?", "--require", "2"], on: daemon)
      #expect(await ask.line(with: "add users to access.present or approvers") != nil)
      await ask.expectExit(64)
      #expect(try await daemon.client.presentations() == [])
    }
  }

  @Test func `refuses an unknown list, and rules that name one`() async throws {
    try await TestDaemon.run(environment: Self.environment) { daemon in
      let ask = try routerctl(["confirm", "Deploy?", "--require", "2:nobody"], on: daemon)
      #expect(await ask.line(with: "nobody") != nil)
      await ask.expectExit(64)
    }
    let directory = FileManager.default.temporaryDirectory.appending(path: "rules-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let rules =
      "version: 1\nrules:\n  - {id: two, match: {act: {verb: deploy}}, then: require, require: {answers: 2, from: ops}}\n"
    try rules.write(toFile: directory + "/rules.yaml", atomically: true, encoding: .utf8)
    chmod(directory + "/rules.yaml", 0o644)
    let environment = ["ROUTERD_RULES_FILE": directory + "/rules.yaml", "ROUTERD_RULES_CONFIRM": "none"]
    await #expect(throws: RouterError.self) { try await TestDaemon.run(environment: environment) { _ in } }
    try await TestDaemon.run(environment: environment.merging(Self.environment) { $1 }) { daemon in
      let confirm = try routerctl(["confirm", "Deploy?", "--act-verb", "deploy", "--detach"], on: daemon)
      let id = await confirm.allOutput().first ?? ""
      let seats = [try await attach(Self.ada, to: daemon), try await attach(Self.bob, to: daemon)]
      try await daemon.eventually("it is shown") { try await daemon.client.presentations().first?.state == .presented }
      #expect(try await answer(id, by: Self.ada, on: daemon).json["outcome"] == .null)
      #expect(try await answer(id, by: Self.bob, on: daemon).json["outcome"]?["button"] == "yes")
      for seat in seats { seat.signal(SIGKILL) }
    }
  }
}
