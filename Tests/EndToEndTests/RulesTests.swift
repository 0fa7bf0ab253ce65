import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// Rules through the real daemon, its file, and routerctl.
/// Promise P45.
@Suite(.timeLimit(.minutes(10)))
struct RulesTests {
  private static let user = ProcessIdentity.userName(of: getuid()) ?? String(getuid())
  private static let deny =
    "  - {id: no-force, match: {act: {verb: push, object: \"*--force*\"}}, then: deny, message: Rebase.}\n"
  private static let allow =
    "  - {id: read, match: {user: \(user), ancestor: \"**\", act: {verb: read, object: \"x*\"}}, then: allow}\n"

  private func routerctl(_ arguments: [String], on daemon: TestDaemon) throws -> ChildProcess {
    try ChildProcess(
      "routerctl", arguments, environment: ["ROUTERD_SOCKET": daemon.socket, "ROUTERD_DATABASE": daemon.database])
  }

  private func confirm(_ verb: String, _ object: String, on daemon: TestDaemon) throws -> ChildProcess {
    try routerctl(["confirm", "Run?", "--act-verb", verb, "--act-object", object], on: daemon)
  }

  private func events(of presentation: JSONValue?, on daemon: TestDaemon) async throws -> [String] {
    let id = try #require(presentation?["id"]?.string.flatMap { PresentationID($0) })
    return try await daemon.client.logEvents(of: id).map(\.kind.rawValue)
  }

  /// The details of the events of rules, newest first.
  private func rulesLoaded(on daemon: TestDaemon) async throws -> [JSONValue] {
    try await daemon.client.logEventPage().page.filter { $0.kind == .rulesLoaded }.map(\.detail)
  }

  @Test func `decides unseen, with the rule and the hash of its file on record`() async throws {
    let file = try RulesFile(Self.deny + Self.allow)
    defer { file.remove() }
    try await TestDaemon.run(environment: file.environment()) { daemon in
      let (allowed, denied) = (try confirm("read", "x1", on: daemon), try confirm("push", "main --force", on: daemon))
      #expect(await allowed.line(with: "allowed by the rule read") != nil)
      #expect(await denied.line(with: "refused by the rule no-force: Rebase.") != nil)
      await allowed.expectExit()
      await denied.expectExit(1)
      // Another object is asked.
      let presenter = TestPresenter(daemon.client)
      let other = try confirm("read", "y", on: daemon)
      try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
      await other.expectExit()

      let log = try await daemon.client.log(["decidedBy": "rule"])["presentations"]?.array ?? []
      #expect(log.count == 2)
      for presentation in log {
        #expect(try await events(of: presentation, on: daemon).filter { $0 != "delivered" } == ["requested", "answered"])
        #expect(try presentation["because"]?["rules"] == .string(file.digest) && presentation["resolvedBy"] == .null)
      }
      let status = try await daemon.client.rules()
      #expect(try status.digest == file.digest && status.rules.map(\.uses) == [1, 1] && status.problem == nil)
      // The record has the very text.
      let loaded = try await rulesLoaded(on: daemon)
      #expect(try loaded.first?["text"] == .string(String(contentsOfFile: file.path, encoding: .utf8)))
      await (try ChildProcess("routerctl", ["log", "verify", "--database", daemon.database])).expectExit()
      let lines = await (try routerctl(["log", "--decided-by", "rule"], on: daemon)).allOutput()
      #expect(lines.count == 2 && lines.allSatisfy { $0.contains("rule:") })
    }
  }

  @Test(.enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
  func `asks about the same request of another user`() async throws {
    let file = try RulesFile(Self.allow)
    defer { file.remove() }
    let environment = ["ROUTERD_SOCKET_MODE": "0666", "ROUTERD_ACCESS_REQUEST": "self,60013"].merging(file.environment()) { $1 }
    try await TestDaemon.run(environment: environment) { daemon in
      let presenter = TestPresenter(daemon.client)
      let body = #"{"kind":"alert","title":"Run?","act":{"verb":"read","object":"x"},"buttons":[{"id":"a","label":"Allow"}]}"#
      let reply = try await OtherUser(uid: 60013).call(
        daemon, "POST", "/v1/presentations", body: body, headers: ["Prefer: respond-async"])
      #expect(reply.status == 202)
      #expect(try await presenter.nextPresentation().requester.process.uid == 60013)
    }
  }

  @Test func `keeps the rules before a file that others can write, and says so`() async throws {
    let file = try RulesFile(Self.deny)
    defer { file.remove() }
    try await TestDaemon.run(environment: file.environment()) { daemon in
      try file.write(Self.allow)
      chmod(file.path, 0o664)
      daemon.process.signal(SIGHUP)
      #expect(await daemon.process.line(with: "can be written by others") != nil)
      await (try confirm("push", "main --force", on: daemon)).expectExit(1)
      #expect(try await daemon.client.rules().problem?.contains("can be written by others") == true)
      // A mistake is told with its line, and the next good file counts.
      try file.write("  - {id: a, match: {apps: x}, then: deny}\n")
      daemon.process.signal(SIGHUP)
      #expect(await daemon.process.line(with: "rules.yaml:3: a: match.apps is not known. Did you mean app?") != nil)
      try file.write(Self.allow)
      daemon.process.signal(SIGHUP)
      #expect(await daemon.process.line(with: "rules are in force") != nil)
      await (try confirm("read", "x", on: daemon)).expectExit()
    }
    try file.write("  - {id: a, match: {apps: x}, then: deny}\n")
    await #expect(throws: RouterError.self) { try await TestDaemon.run(environment: file.environment()) { _ in } }
  }

  @Test func `lets a changed file count only after a person has confirmed it`() async throws {
    let file = try RulesFile()
    defer { file.remove() }
    try file.replace("")
    try await TestDaemon.run(environment: file.environment("person")) { first in
      // Changed while the daemon was down.
      await first.end(by: SIGTERM)
      try file.write(Self.allow)
      let daemon = try await first.next(environment: file.environment("person"))
      let presenter = TestPresenter(daemon.client)
      let shown = try await presenter.nextPresentation()
      #expect(shown.requester.app == "routerd" && shown.request.severity == .critical)
      #expect(shown.request.attachments.first?.text.contains("+  - {id: read") == true)
      #expect(try await daemon.client.rules().pending != nil)
      // Not yet: the same request is asked.
      let waiting = try confirm("read", "x", on: daemon)
      try await presenter.press(id: "keep", on: shown)
      try await presenter.press(id: "no", on: try await presenter.nextPresentation())
      await waiting.expectExit(1)
      #expect(await daemon.process.line(with: "were not confirmed") != nil)
      let kept = try await daemon.client.rules()
      #expect(kept.digest == nil && kept.problem?.contains("nobody confirmed them") == true)

      daemon.process.signal(SIGHUP)
      try await presenter.press(id: "use", on: try await presenter.nextPresentation())
      #expect(await daemon.process.line(with: "rules are in force") != nil)
      await (try confirm("read", "x", on: daemon)).expectExit()
      let loaded = try await rulesLoaded(on: daemon)
      #expect(loaded.count == 1 && loaded.first?["by"]?["presenter"] == "test")

      // The recorded rules decide until a removed file is confirmed too, also after a kill.
      try FileManager.default.removeItem(atPath: file.path)
      await daemon.end(by: SIGKILL)
      try file.replace("version: 1\n# none\n")
      let last = try await daemon.next(environment: file.environment("person"))
      await (try confirm("read", "x", on: last)).expectExit()
      let again = TestPresenter(last.client)
      try await again.press(id: "use", on: try await again.nextPresentation())
      #expect(await last.process.line(with: "rules are in force") != nil)
      #expect(try await last.client.rules().rules.isEmpty)
      await last.end(by: SIGTERM)
      await (try ChildProcess("routerctl", ["log", "verify", "--database", last.database])).expectExit()
    }
  }

  @Test func `an agent's child cannot confirm rules`() async throws {
    let file = try RulesFile()
    defer { file.remove() }
    try file.replace("")
    try await TestDaemon.run(environment: file.environment("person")) { daemon in
      // An agent that has asked, and then edits the file and answers the daemon's prompt.
      let tool = ChildProcess.products.appending(path: "routerctl").path
      let script = file.directory + "/agent.sh"
      try #"""
      curl -sS --unix-socket "$ROUTERD_SOCKET" http://routerd/v1/presentations -H 'Prefer: respond-async' \
        -d "{\"kind\":\"alert\",\"title\":\"Run?\",\"agent\":$$}" > /dev/null
      read -r id
      "\#(tool)" answer --last --button use; echo "answer $?"
      for command in dismiss cancel snooze; do "\#(tool)" $command "$id" > /dev/null 2>&1; echo "$command $?"; done
      read -r line
      """#.write(toFile: script, atomically: true, encoding: .utf8)
      let input = try ChildPipe()
      let agent = try ChildProcess("/bin/bash", [script], environment: ["ROUTERD_SOCKET": daemon.socket], input: input.reading)
      let presenter = TestPresenter(daemon.client)
      try await presenter.press(id: "ok", on: try await presenter.nextPresentation())
      try file.write(Self.allow)
      daemon.process.signal(SIGHUP)
      let shown = try await presenter.nextPresentation()
      #expect(shown.requester.app == "routerd")
      input.write("\(shown.id)\n")
      var output = agent.output.makeAsyncIterator()
      #expect(await output.next() == "answer 77")
      for command in ["dismiss", "cancel", "snooze"] { #expect(await output.next() == "\(command) 77") }
      #expect(try await daemon.client.rules().digest == nil)
      try await presenter.press(id: "use", on: shown)
      #expect(await daemon.process.line(with: "rules are in force") != nil)
      input.closeWriting()
      await agent.expectExit(1)
    }
  }

  // MARK: A week

  /// Records a week of an agent's prompts with a person's answers, from the program at `agent`.
  private func recordWeek(at database: String, agent: String, random: inout SplitMix64) async throws -> [String] {
    let clock = ManualClock(wall: PresentationClock.system.wall().advanced(by: .seconds(-8 * 86_400)))
    let log = try AuditLog(path: database)
    let coordinator = try await PresentationCoordinator(log: log, clock: clock.clock, executor: try ThreadExecutor())
    let presenter = TestPresenter(coordinator)
    let process = ProcessIdentity(
      uid: getuid(), gid: getgid(), pid: 60,
      ancestry: [
        .init(pid: 60, started: 600, executable: ChildProcess.products.appending(path: "routerctl").path),
        .init(pid: 50, started: 500, executable: agent),
      ])
    // Most are harmless and always allowed, some are sometimes denied, and some differ each time.
    let harmless = ["git status", "git log -n 5", "git diff", "git log --oneline", "git status -s"]
    let doubtful = ["git push origin main", "git push origin work", "make install"]
    var commands: [String] = []
    for day in 0..<7 {
      for _ in 0..<20 {
        commands.append(
          random.chance(65)
            ? random.pick(harmless) : random.chance(50) ? random.pick(doubtful) : "echo \(random.below(1000)) > x")
        let command = commands[commands.count - 1]
        let isAllowed = harmless.contains(command) || (!command.hasPrefix("git push") || day % 2 == 0) && random.chance(80)
        let handle = coordinator.ask(
          Self.request(command), from: Presentation.Requester(app: "claude-code", process: process))
        let shown = try await presenter.nextPresentation()
        clock.advance(by: .seconds(3))
        try await presenter.press(id: isAllowed ? "allow" : "deny", on: shown)
        _ = try await handle.resolved()
        clock.advance(by: .seconds(60))
      }
      clock.advance(by: .seconds(80_000))
    }
    await coordinator.shutDown()
    await log.close()
    return commands
  }

  private static func request(_ command: String) -> PresentationRequest {
    var request = PresentationRequest(
      kind: .alert, title: "Run this command?",
      buttons: [
        PresentationRequest.Button(id: "allow", label: "Allow"),
        PresentationRequest.Button(id: "deny", label: "Deny", role: .cancel, isDefault: true),
      ], agent: 50)
    request.act = Act("Bash", object: command, arguments: PlainWords.of(command), directory: "/tmp")
    return request
  }

  @Test func `turns a week of answers into rules, and halves the prompts of the next`() async throws {
    let seed = UInt64(35)
    var random = SplitMix64(seed: seed)
    let file = try RulesFile()
    defer { file.remove() }
    try file.replace("")
    let database = file.directory + "/week.db"
    // timeout(1) plays the agent.
    let agent = URL(filePath: "/usr/bin/timeout").resolvingSymlinksInPath().path
    let commands = try await recordWeek(at: database, agent: agent, random: &random)
    try await TestDaemon.run(environment: file.environment("person"), database: database) { daemon in
      let suggest = try routerctl(["rules", "suggest", "--rules", file.path, "--min", "3"], on: daemon)
      let suggested = await suggest.allOutput()
      await suggest.expectExit()
      // It can be appended to the empty file.
      try file.replace(suggested.joined(separator: "\n") + "\n")
      #expect(suggested.contains { $0.contains("[git, status") } && !suggested.contains { $0.contains("push") })
      await (try routerctl(["rules", "check", file.path], on: daemon)).expectExit()
      await (try routerctl(["rules", "test", "--rules", file.path, "--fail-on", "contradiction"], on: daemon)).expectExit()
      // All would be decided as people did.
      await (try routerctl(["rules", "test", "--rules", file.path, "--fail-on", "change"], on: daemon)).expectExit()
      let presenter = TestPresenter(daemon.client) { .press(id: $0.requester.app == "routerd" ? "use" : "deny") }
      daemon.process.signal(SIGHUP)
      #expect(await daemon.process.line(with: "rules are in force") != nil)

      // The next week, through the agent's hook.
      let log = try await daemon.client.log(["answer": "no", "limit": "1000"])["presentations"]?.array ?? []
      let denied = Set(log.compactMap { $0["request"]?["act"]?["object"]?.string })
      let sample = (0..<40).map { _ in random.pick(commands) }
      for command in sample {
        let input = try ChildPipe()
        let hook = try ChildProcess(
          agent, ["1000", ChildProcess.products.appending(path: "routerctl").path, "agent", "hook"],
          environment: ["ROUTERD_SOCKET": daemon.socket], input: input.reading)
        let call: JSONValue = [
          "hook_event_name": "PermissionRequest", "permission_mode": "default", "session_id": "s", "cwd": "/tmp",
          "tool_name": "Bash",
          "tool_input": ["command": .string(command)],
        ]
        input.write(call.description)
        input.closeWriting()
        await hook.expectExit()
      }
      let asked = presenter.shown.count { $0.requester.app != "routerd" }
      #expect(asked * 2 <= sample.count, "seed \(seed): \(asked) of \(sample.count) were asked")
      let settled = try await daemon.client.log(["decidedBy": "rule", "limit": "1000"])["presentations"]?.array ?? []
      #expect(settled.count == sample.count - asked)
      #expect(settled.allSatisfy { !denied.contains($0["request"]?["act"]?["object"]?.string ?? "") })
      let explain = await
        (try routerctl(
          ["rules", "explain", "--rules", file.path, try #require(settled.first?["id"]?.string)], on: daemon)).allOutput()
      #expect(
        explain.first?.contains("by the rule bash-git") == true && explain.last?.hasPrefix("decision: allowed (allow)") == true)
      await (try ChildProcess("routerctl", ["log", "verify", "--database", database])).expectExit()
    }
  }

  @Test func `makes a rule of a remembered answer, and tells what contradicts it`() async throws {
    let file = try RulesFile()
    defer { file.remove() }
    try file.replace("")
    try await TestDaemon.run(environment: file.environment()) { daemon in
      let presenter = TestPresenter(daemon.client)
      // timeout(1) is above the request, which a shell asks.
      let tool = ChildProcess.products.appending(path: "routerctl").path
      func ask(_ object: String) throws -> ChildProcess {
        try ChildProcess(
          "/usr/bin/timeout",
          [
            "1000", tool, "confirm", "Run?", "--act-verb", "run", "--act-object", object, "--act-directory", "/tmp",
            "--remember", "session",
          ],
          environment: ["ROUTERD_SOCKET": daemon.socket])
      }
      let first = try ask("x")
      try await presenter.press(id: "yes", on: try await presenter.nextPresentation(), remember: .session)
      await first.expectExit()
      let id = try #require(try await daemon.client.grants(ended: true).first).grant.id.description
      await (try routerctl(["rules", "add", "--from", id, "--rules", file.path, "--write"], on: daemon)).expectExit()
      daemon.process.signal(SIGHUP)
      #expect(await daemon.process.line(with: "rules are in force") != nil)
      // A shell above the tests keeps it in force.
      _ = try? await daemon.client.revoke(try #require(PresentationID(id)))
      let second = try ask("x")
      await second.expectExit()
      #expect(try await daemon.client.log(["decidedBy": "rule"])["presentations"]?.array?.count == 1)
      // The person's own answer contradicts the opposite.
      try file.write("  - {id: no, match: {act: {verb: run, object: x}}, then: deny}\n")
      let test = try routerctl(["rules", "test", "--rules", file.path, "--fail-on", "contradiction"], on: daemon)
      let lines = await test.allOutput()
      await test.expectExit(8)
      #expect(lines.contains { $0.contains("the answer was “Yes”, no denies it") }, "\(lines)")
    }
  }
}
