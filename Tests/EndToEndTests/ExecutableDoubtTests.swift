import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// What the daemon records as a requester's program if its user would like it to be another one.
///
/// It is what the process executes when the daemon accepts the connection. Without a doubt it is the file of that path in the
/// daemon's mount namespace, and gives no rights that the process did not have when it connected: its user could make that
/// program send the same bytes.
/// Promise P51.
@Suite(.enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"), .timeLimit(.minutes(10)))
struct ExecutableDoubtTests {
  private static let user = OtherUser(uid: 60041)
  private static let access = ["ROUTERD_SOCKET_MODE": "0666", "ROUTERD_ACCESS_REQUEST": "self,60041"]
  private static let compiled = Result { try CompiledC.compile("Tests/EndToEndTests/Connector.c", to: "connector") }

  /// Programs that connect and become others, and the request that they send.
  private struct Programs {
    let directory: TemporaryDirectory
    let request: String

    init() throws {
      directory = try TemporaryDirectory()
      let body = #"{"kind":"alert","title":"Who?"}"#
      request = try directory.write(
        "POST /v1/presentations HTTP/1.1\r\nHost: routerd\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)", to: "request")
    }

    /// Copies the connector.
    func program(_ name: String, mode: mode_t = 0o755) throws -> String {
      let path = directory.file(name)
      try FileManager.default.copyItem(atPath: try compiled.get(), toPath: path)
      #expect(chmod(path, mode) == 0)
      return path
    }
  }

  private func start(_ program: String, _ arguments: [String]) throws -> ChildProcess {
    try ChildProcess("/usr/bin/setpriv", Self.user.running([program] + arguments))
  }

  private func isWaiting(_ process: ChildProcess) async -> Bool {
    for await line in process.output where line == "waiting" { return true }
    return false
  }

  /// Stops a daemon, and waits until all its threads have stopped.
  private func stop(_ daemon: TestDaemon) async throws {
    let script = "kill -STOP $0; while grep -L '^State:.T' /proc/$0/task/*/status | grep -q .; do :; done"
    await (try ChildProcess("/bin/sh", ["-c", script, "\(daemon.process.pid)"])).expectExit()
  }

  @Test func `has no doubt about a program of this machine`() async throws {
    try await TestDaemon.run(environment: Self.access) { daemon in
      let presenter = TestPresenter(daemon.client)
      let programs = try Programs()
      // Also with private mounts, as services have, and with bytes in its path that are not UTF-8.
      let plain = try programs.program("plain")
      let script = #"odd="$0/$(printf 'odd\377')"; cp "$1" "$odd" && exec "$odd" "$2" "$3""#
      let places: [(String, () throws -> ChildProcess)] = [
        (plain, { try start(plain, [daemon.socket, programs.request]) }),
        (plain, { try PrivateMounts.start([:], [plain, daemon.socket, programs.request]) }),
        (
          programs.directory.path + #"/odd\xff"#,
          { try ChildProcess("/bin/sh", ["-c", script, programs.directory.path, plain, daemon.socket, programs.request]) }
        ),
      ]
      for (path, start) in places {
        let process = try start()
        let requester = try await presenter.nextPresentation().requester.process
        #expect(requester.executable == path)
        #expect(requester.executableDoubt == nil)
        process.signal(SIGKILL)
        _ = try await presenter.nextWithdrawal()
      }
      await (try ChildProcess("/bin/rm", ["-r", programs.directory.path])).expectExit()
    }
  }

  @Test(.enabled(if: PrivateMounts.isPossible, "\(PrivateMounts.reason)"))
  func `marks a program that a private mount hides behind another's path`() async throws {
    try await TestDaemon.run(environment: Self.access) { daemon in
      let presenter = TestPresenter(daemon.client)
      let programs = try Programs()
      let impostor = try programs.program("impostor")
      let process = try PrivateMounts.start(
        ["/usr/bin/id": impostor],
        ["/usr/bin/setpriv"] + Self.user.running(["/usr/bin/id", daemon.socket, programs.request]))
      let shown = try await presenter.nextPresentation()
      #expect(shown.requester.process.executable == "/usr/bin/id")
      #expect(shown.requester.process.executableDoubt == .otherNamespace)
      #expect(shown.requester.process.ancestry?.first?.executableDoubt == .otherNamespace)
      let prompt = try await daemon.client.prompt(of: shown.id)
      #expect(prompt.prompt.asker.contains { $0.label == "program" && $0.text == "/usr/bin/id (in another namespace)" })
      // As an ancestor of a program without doubt, and read back from the log.
      process.signal(SIGKILL)
      let shell = try PrivateMounts.start(
        ["/usr/bin/id": "/bin/bash"],
        ["/usr/bin/id", "-c", "'\(impostor)' '\(daemon.socket)' '\(programs.request)'; exit"])
      let child = try await presenter.nextPresentation()
      #expect(child.requester.process.executableDoubt == nil)
      #expect(child.requester.process.callChain?.hasPrefix("impostor ← id (in another namespace)") == true)
      #expect(try await daemon.client.presentation(shown.id).requester == shown.requester)
      let timeline = try ChildProcess("routerctl", ["log", "show", shown.id.description, "--database", daemon.database])
      #expect(await timeline.allOutput().contains { $0.contains("/usr/bin/id (in another namespace)") })
      shell.signal(SIGKILL)
    }
  }

  @Test func `marks a program whose file was deleted or replaced, without the kernel's mark in its path`() async throws {
    try await TestDaemon.run(environment: Self.access) { daemon in
      let presenter = TestPresenter(daemon.client)
      let programs = try Programs()
      let deleted = try programs.program("deleted")
      let replaced = try programs.program("replaced")
      // A file may be named like this.
      let named = try programs.program("named (deleted)")
      let first = try ChildProcess(deleted, [daemon.socket, programs.request, "-"])
      let gone = try await presenter.nextPresentation().requester.process
      #expect(gone.executable == deleted && gone.executableDoubt == .deleted)
      first.signal(SIGKILL)

      try await stop(daemon)
      let second = try ChildProcess(replaced, [daemon.socket, programs.request])
      #expect(await isWaiting(second))
      #expect(rename(try programs.program("new"), replaced) == 0)
      daemon.process.signal(SIGCONT)
      let old = try await presenter.nextPresentation().requester.process
      #expect(old.executable == replaced && old.executableDoubt == .deleted)
      second.signal(SIGKILL)

      let third = try ChildProcess(named, [daemon.socket, programs.request])
      let same = try await presenter.nextPresentation().requester.process
      #expect(same.executable == named && same.executableDoubt == nil)
      third.signal(SIGKILL)
    }
  }

  /// The daemon is stopped meanwhile, so the program that is executed after connecting always wins.
  @Test(arguments: [(0o4755, .later), (0o2755, .later), (0o755, nil)] as [(mode_t, ProcessIdentity.ExecutableDoubt?)])
  func `marks a privileged program that was executed after connecting`(
    mode: mode_t, doubt: ProcessIdentity.ExecutableDoubt?
  ) async throws {
    try await TestDaemon.run(environment: Self.access) { daemon in
      let presenter = TestPresenter(daemon.client)
      try await daemon.isPresented(by: presenter)
      let programs = try Programs()
      let (first, second) = (try programs.program("first"), try programs.program("second", mode: mode))
      try await stop(daemon)
      let process = try start(first, [daemon.socket, programs.request, second])
      #expect(await isWaiting(process))
      daemon.process.signal(SIGCONT)
      let shown = try await presenter.nextPresentation()
      let requester = shown.requester.process
      // The ids are of the time when it connected.
      #expect((requester.uid, requester.gid, requester.pid) == (Self.user.uid, Self.user.gid, process.pid))
      #expect(requester.executable == second)
      #expect(requester.executableDoubt == doubt)
      process.signal(SIGKILL)
    }
  }

  /// What is not promised: `rules check` says so, and only the user holds.
  @Test func `a rule that rests on an executable is passed by any program of its user, as the check of rules warns`()
    async throws
  {
    let programs = try Programs()
    let (first, trusted) = (try programs.program("first"), try programs.program("trusted"))
    let rules = try programs.directory.write(
      """
      version: 1
      rules:
        - {id: path, match: {user: "60041", executable: \(trusted), act: {verb: read, object: x}}, then: allow}

      """, to: "rules.yaml")
    let check = try ChildProcess("routerctl", ["rules", "check", rules])
    #expect(await check.line(with: "path: executable is no proof: any program of the same user can pass for it") != nil)
    await check.expectExit()
    let body = #"{"kind":"alert","title":"Who?","act":{"verb":"read","object":"x"},"buttons":[{"id":"yes","label":"Yes"}]}"#
    let request = try programs.directory.write(
      "POST /v1/presentations HTTP/1.1\r\nHost: routerd\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)", to: "act")
    let environment = ["ROUTERD_RULES_FILE": rules, "ROUTERD_RULES_CONFIRM": "none"].merging(Self.access) { $1 }
    try await TestDaemon.run(environment: environment) { daemon in
      let presenter = TestPresenter(daemon.client)
      try await daemon.isPresented(by: presenter)
      // By itself, it is asked.
      let honest = try start(first, [daemon.socket, request])
      #expect(try await presenter.nextPresentation().requester.process.executable == first)
      honest.signal(SIGKILL)
      _ = try await presenter.nextWithdrawal()
      try await stop(daemon)
      let forger = try start(first, [daemon.socket, request, trusted])
      #expect(await isWaiting(forger))
      daemon.process.signal(SIGCONT)
      // Another user's same request is asked, and comes after the forger's.
      let other = try ChildProcess(trusted, [daemon.socket, request])
      #expect(try await presenter.nextPresentation().requester.process.uid == getuid())
      let settled = try await daemon.client.log(["decidedBy": "rule"])["presentations"]?.array ?? []
      #expect(settled.count == 1)
      for process in [forger, other] { process.signal(SIGKILL) }
    }
  }

  @Test func `marks every privileged program that was executed after connecting, under load`() async throws {
    try await TestDaemon.run(environment: Self.access) { daemon in
      let presenter = TestPresenter(daemon.client)
      try await daemon.isPresented(by: presenter)
      let programs = try Programs()
      let (first, second) = (try programs.program("first"), try programs.program("second", mode: 0o4755))
      let curl = "curl -sS -o /dev/null --unix-socket '\(daemon.socket)' http://routerd/healthz"
      let load = try (0..<4).map { _ in try ChildProcess("/bin/sh", ["-c", "while \(curl); do :; done"]) }
      defer { for process in load { process.signal(SIGKILL) } }
      var wins = 0
      for _ in 0..<40 {
        let process = try start(first, [daemon.socket, programs.request, second])
        let requester = try await presenter.nextPresentation().requester.process
        #expect(requester.pid == process.pid && [first, second].contains(requester.executable))
        if requester.executable == second {
          wins += 1
          #expect(requester.executableDoubt == .later)
        }
        process.signal(SIGKILL)
        _ = try await presenter.nextWithdrawal()
      }
      print("executed before the daemon looked: \(wins) of 40")
    }
  }
}
