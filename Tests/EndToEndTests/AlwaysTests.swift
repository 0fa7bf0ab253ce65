import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// Answers that are remembered for always, through the real daemon and routerctl.
/// Promises P56, P95.
@Suite(.timeLimit(.minutes(10)))
struct AlwaysTests {
  private static let environment = ["ROUTERD_GRANTS_ALWAYS": "true"]

  /// Asks from a shell of its session, in a directory.
  private func ask(_ object: String, in directory: String, on daemon: TestDaemon) throws -> ChildProcess {
    let tool = ChildProcess.products.appending(path: "routerctl").path
    let arguments = [
      "confirm", "Run?", "--act-verb", "run", "--act-object", object, "--act-directory", directory, "--remember",
      "session,always",
    ]
    let command = ([tool] + arguments).map { "'\($0)'" }.joined(separator: " ") + "; echo $?"
    return try ChildProcess("/bin/bash", ["-c", command], environment: ["ROUTERD_SOCKET": daemon.socket])
  }

  private func routerctl(_ arguments: String..., on daemon: TestDaemon) throws -> ChildProcess {
    try ChildProcess("routerctl", arguments, environment: ["ROUTERD_SOCKET": daemon.socket])
  }

  private func allowAlways(_ object: String, in directory: String, on daemon: TestDaemon) async throws {
    let asking = try ask(object, in: directory, on: daemon)
    let presenter = TestPresenter(daemon.client)
    let id = try await presenter.nextPresentation().id.description
    await (try routerctl("answer", id, "--button", "yes", "--remember", "always", on: daemon)).expectExit()
    #expect(await asking.allOutput() == ["0"])
    withExtendedLifetime(presenter) {}
  }

  @Test func `outlives a kill, and is listed and taken back by number and directory`() async throws {
    try await TestDaemon.run(environment: Self.environment) { daemon in
      let (shop, blog) = (daemon.directory + "/shop", daemon.directory + "/blog")
      for place in [shop, blog] { try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true) }
      try await allowAlways("npm test", in: shop, on: daemon)
      try await allowAlways("npm test", in: blog, on: daemon)
      try await allowAlways("npm run lint", in: blog, on: daemon)
      await daemon.end(by: SIGKILL)
      let next = try await daemon.next(environment: Self.environment)
      #expect(await (try ask("npm test", in: shop, on: next)).allOutput() == ["0"])
      let listed = try await next.client.grants()
      #expect(listed.count == 3 && listed.allSatisfy(\.grant.isAlways))
      let lines = await (try routerctl("grants", "--directory", shop, on: next)).allOutput()
      #expect(lines.count == 1 && lines[0].contains("run npm test in \(shop)\talways\t1\t"), "\(lines)")
      // The oldest is number 1.
      #expect(await (try routerctl("grants", "revoke", "1", on: next)).allOutput() == [listed[2].grant.id.description])
      await (try routerctl("grants", "revoke", "3", on: next)).expectExit(7)
      #expect(await (try routerctl("grants", "revoke", "--directory", blog, on: next)).allOutput().count == 2)
      #expect(try await next.client.grants().isEmpty)
      await next.end(by: SIGTERM)
      await (try ChildProcess("routerctl", ["log", "verify", "--database", next.database])).expectExit()
    }
  }

  @Test func `ends when it was not used for long, and when its giver loses the role`() async throws {
    try await TestDaemon.run(environment: Self.environment) { daemon in
      let place = daemon.directory
      try await allowAlways("kept", in: place, on: daemon)
      let given = try await AuditReader(path: daemon.database).events(after: 0).first { $0.kind == .granted }
      var json = try #require(given?.detail.object)
      await daemon.end(by: SIGTERM)
      // As if they were given long ago, or by a user without the role.
      let now = PresentationClock.system.wall()
      let log = try AuditLog(path: daemon.database)
      for (number, days, uid) in [(1, 89, 0), (2, 91, 0), (3, 1, 60_021)] {
        json["grant"] = .string("01936f5e-1b2c-7def-8a90-00000000000\(number)")
        json["sha256"] = .string(String(repeating: "\(number)", count: 64))
        json["grantedAt"] = .string(now.advanced(by: .seconds(-86_400 * days)).description)
        if uid != 0 { json["by"] = ["uid": .integer(uid), "gid": .integer(uid), "pid": 2] }
        try await log.append([Event(at: now, .granted(try Grant(json: .object(json))))])
      }
      await log.close()
      let next = try await daemon.next(environment: Self.environment)
      try await next.eventually("two have ended") {
        try await next.client.grants(ended: true).count { $0.end != nil } == 2
      }
      #expect(try await next.client.grants(ended: true).compactMap(\.end).map(\.rawValue).sorted() == ["roleLost", "unused"])
      #expect(try await next.client.grants().count == 2)
      #expect(await (try ask("kept", in: place, on: next)).allOutput() == ["0"])
    }
  }

  @Test func `asks again about a program whose file has changed, and says so`() async throws {
    try await TestDaemon.run(environment: Self.environment.merging(["ROUTERD_GRANTS_CHECKS_PROGRAMS": "true"]) { $1 }) {
      daemon in
      let tool = daemon.directory + "/tool"
      func write(_ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: tool))
        #expect(chmod(tool, 0o755) == 0)
      }
      try write("#!/bin/sh\n")
      let presenter = TestPresenter(daemon.client)
      var request = PresentationRequest(kind: .alert, title: "Run?")
      request.buttons = [.init(id: "yes", label: "Yes")]
      request.act = Act("Bash", arguments: ["./tool", "test"], directory: daemon.directory)
      request.remember = .init(periods: [.always])
      let first = daemon.client.submit(request)
      try await presenter.press(id: "yes", on: try await presenter.nextPresentation(), remember: .always)
      _ = try await first.resolved()
      _ = try await daemon.client.submit(request).resolved()
      #expect(try await daemon.client.grants().map(\.uses) == [1])
      try write("#!/bin/sh\necho changed\n")
      let again = daemon.client.submit(request)
      let shown = try await presenter.nextPresentation()
      #expect(shown.offer?.uncovered?.why.hasPrefix("runs \(tool), which is another file since ") == true)
      try await presenter.press(id: "yes", on: shown)
      _ = try await again.resolved()
    }
  }

  @Test func `false turns it off, also what is in force`() async throws {
    try await TestDaemon.run(environment: Self.environment) { daemon in
      try await allowAlways("x", in: daemon.directory, on: daemon)
      await daemon.end(by: SIGTERM)
      let next = try await daemon.next(environment: ["ROUTERD_GRANTS_ALWAYS": "false"])
      let asking = try ask("x", in: daemon.directory, on: next)
      let presenter = TestPresenter(next.client)
      let shown = try await presenter.nextPresentation()
      #expect(shown.offer?.periods == [.session])
      _ = try await next.client.answer(shown.id, .button("no"), generation: shown.generation)
      #expect(await asking.allOutput() == ["1"])
      withExtendedLifetime(presenter) {}
    }
  }
}
