import Foundation
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import Testing

/// `routerctl pam-confirm`: its exit status, and the real sudo and su with a private PAM configuration.
@Suite(.enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"), .timeLimit(.minutes(20)))
struct PamConfirmTests {
  /// The asking user: Debian's "nobody", who may present here but must not approve.
  private static let asker = OtherUser(uid: 65534)
  private static let other = OtherUser(uid: 60041)
  private static let access = [
    "ROUTERD_SOCKET_MODE": "0666", "ROUTERD_ACCESS_PRESENT": "self,60041,65534",
  ]

  private func confirm(
    _ daemon: TestDaemon, _ environment: [String: String] = [:], arguments: [String] = []
  ) throws -> ChildProcess {
    let pam = ["PAM_TYPE": "auth", "PAM_SERVICE": "sudo", "PAM_USER": "nobody", "PAM_RUSER": "nobody", "PAM_TTY": "/dev/pts/7"]
    // Like a setuid program started by "nobody".
    let routerctl = ChildProcess.products.appending(path: "routerctl").path
    return try ChildProcess(
      "/usr/bin/setpriv", ["--ruid", "65534", routerctl, "pam-confirm", "--socket", daemon.socket] + arguments,
      environment: pam.merging(environment) { $1 })
  }

  private func answer(_ shown: Presentation, _ button: String, as user: OtherUser, _ daemon: TestDaemon) async throws {
    let reply = try await user.call(
      daemon, "POST", APIPath.answer(shown.id), body: #"{"button":"\#(button)"}"#)
    try #require(reply.status == 200, "\(reply.body)")
  }

  // MARK: Exit statuses

  @Test(
    arguments: [("allow", 60041, 0), ("deny", 60041, 1), ("allow", 65534, 1), ("deny", 65534, 1)] as [(String, UInt32, Int32)])
  func `exits 0 only for another user's approval`(button: String, uid: UInt32, status: Int32) async throws {
    try await TestDaemon.run(environment: Self.access) { daemon in
      let presenter = TestPresenter(daemon.client)
      try await daemon.isPresented(by: presenter)
      let command = try confirm(daemon)
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.title == "Allow sudo for nobody?")
      #expect(shown.request.message?.contains("Terminal: /dev/pts/7") == true)
      #expect(shown.request.app == "sudo-nobody")
      try await answer(shown, button, as: OtherUser(uid: uid), daemon)
      await command.expectExit(status)
    }
  }

  @Test func `denies on dismissal, expiry, no presenter and no daemon`() async throws {
    try await TestDaemon.run(environment: Self.access) { daemon in
      await (try confirm(daemon)).expectExit(1, "no presenter")
      await (try confirm(daemon, arguments: ["--socket", daemon.directory + "/nowhere"])).expectExit(1, "no daemon")
      let presenter = TestPresenter(daemon.client)
      try await daemon.isPresented(by: presenter)
      let closed = try confirm(daemon)
      try await presenter.dismiss(try await presenter.nextPresentation())
      await closed.expectExit(1, "closed")
      let late = try confirm(daemon, arguments: ["--timeout", "1s"])
      _ = try await presenter.nextPresentation()
      await late.expectExit(1, "expired")
    }
  }

  @Test(arguments: [
    ["PAM_RUSER": ""], ["PAM_RUSER": "root"], ["PAM_RUSER": "nobody-of-that-name"], ["PAM_TYPE": "open_session"],
    ["PAM_SERVICE": ""],
  ])
  func `denies without asking if the asking user is not known`(environment: [String: String]) async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      try await daemon.isPresented(by: presenter)
      await (try confirm(daemon, environment)).expectExit(1)
      #expect(try await daemon.client.log()["presentations"]?.array?.count == 1)
    }
  }

  @Test func `ignores the daemon address in the environment`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      try await daemon.isPresented(by: presenter)
      let command = try ChildProcess(
        "routerctl", ["pam-confirm"],
        environment: [
          "PAM_TYPE": "auth", "PAM_SERVICE": "sudo", "PAM_RUSER": "nobody", "ROUTERD_SOCKET": daemon.socket,
          "XDG_RUNTIME_DIR": daemon.directory,
        ])
      // The system's daemon, if there is one, is a different one.
      await command.expectExit(1)
      #expect(try await daemon.client.log()["presentations"]?.array?.count == 1)
    }
  }

  @Test func `denies without root's rights`() async throws {
    try await TestDaemon.run(environment: Self.access.merging(["ROUTERD_ACCESS_REQUEST": "self,65534"]) { $1 }) { daemon in
      let presenter = TestPresenter(daemon.client)
      try await daemon.isPresented(by: presenter)
      let routerctl = ChildProcess.products.appending(path: "routerctl").path
      let command = try ChildProcess(
        "/usr/bin/setpriv",
        ["--reuid", "65534", "--clear-groups", routerctl, "pam-confirm", "--socket", daemon.socket],
        environment: ["PAM_TYPE": "auth", "PAM_SERVICE": "sudo", "PAM_RUSER": "nobody"])
      #expect(await command.line(with: "it must run as root") != nil)
      await command.expectExit(1)
    }
  }

  @Test func `withdraws the prompt when the command ends`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      try await daemon.isPresented(by: presenter)
      for signal in [SIGKILL, SIGINT] {
        let command = try confirm(daemon)
        let shown = try await presenter.nextPresentation()
        command.signal(signal)
        #expect(try await presenter.nextWithdrawal().id == shown.id)
        await command.expectExit(128 + signal)
      }
    }
  }

  // MARK: The real programs

  /// Starts sudo or su as the asking user, with a private PAM configuration and sudoers file.
  private func start(_ daemon: TestDaemon, _ directory: TemporaryDirectory, _ program: [String]) throws -> ChildProcess {
    let routerctl = ChildProcess.products.appending(path: "routerctl").path
    // As in Debian's common-auth. The option sets the real user id that the command runs with.
    let option = program[0] == "/usr/bin/su" ? "seteuid" : ""
    let stack = """
      auth [success=1 default=ignore] pam_exec.so quiet \(option) \(routerctl) pam-confirm --socket \(daemon.socket)
      auth requisite pam_deny.so
      auth required pam_permit.so
      account required pam_permit.so
      session required pam_permit.so

      """
    for service in ["sudo", "su", "other"] { try directory.write(stack, to: "pam.d/" + service) }
    let sudoers = try directory.write(
      "Defaults passwd_tries=1,timestamp_timeout=0,!lecture\nnobody ALL=(ALL:ALL) ALL\n", to: "sudoers")
    chmod(sudoers, 0o440)
    return try PrivateMounts.start(
      ["/etc/pam.d": directory.file("pam.d"), "/etc/sudoers": sudoers],
      ["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] + program)
  }

  @Test(.enabled(if: Sudo.isPossible, "\(Sudo.reason)"), arguments: Sudo.programs)
  func `runs sudo and su only if approved`(program: [String]) async throws {
    try await TestDaemon.run(environment: Self.access) { daemon in
      let presenter = TestPresenter(daemon.client)
      try await daemon.isPresented(by: presenter)
      let directory = try TemporaryDirectory()
      for (button, user, output) in [
        ("allow", Self.other, ["0"]), ("deny", Self.other, []), ("allow", Self.asker, []),
      ] {
        let running = try start(daemon, directory, program)
        let shown = try await presenter.nextPresentation()
        let service = program[0] == "/usr/bin/su" ? "su" : "sudo"
        #expect(shown.request.title == "Allow \(service) for nobody?")
        let words = program.map { $0.contains(" ") || $0.isEmpty ? "'\($0)'" : $0 }.joined(separator: " ")
        #expect(shown.request.message?.hasPrefix("Command: \(words)\n") == true, "\(shown.request.message ?? "")")
        #expect(shown.request.message?.contains("Processes: \(service) (\(running.pid))") == true)
        try await answer(shown, button, as: user, daemon)
        #expect(await running.allOutput() == output)
        #expect((await running.exitStatus() == 0) == !output.isEmpty)
      }
    }
  }

  @Test(.enabled(if: Sudo.isPossible, "\(Sudo.reason)"))
  func `withdraws the prompt when sudo is killed`() async throws {
    try await TestDaemon.run(environment: Self.access) { daemon in
      let presenter = TestPresenter(daemon.client)
      try await daemon.isPresented(by: presenter)
      let directory = try TemporaryDirectory()
      defer { withExtendedLifetime(directory) {} }
      let running = try start(daemon, directory, Sudo.programs[0])
      let shown = try await presenter.nextPresentation()
      running.signal(SIGKILL)
      #expect(try await presenter.nextWithdrawal().id == shown.id)
      _ = await running.exitStatus()
    }
  }

  @Test(.enabled(if: Sudo.isPossible, "\(Sudo.reason)"))
  func `approves concurrent commands separately`() async throws {
    try await TestDaemon.run(environment: Self.access) { daemon in
      let presenter = TestPresenter(daemon.client)
      try await daemon.isPresented(by: presenter)
      let directory = try TemporaryDirectory()
      let running = try (1...2).map {
        try start(daemon, directory, ["/usr/bin/sudo", "-S", "-p", "", "/bin/echo", "number \($0)"])
      }
      for _ in running {
        try await answer(try await presenter.nextPresentation(), "allow", as: Self.other, daemon)
      }
      #expect(await running[0].allOutput() == ["number 1"])
      #expect(await running[1].allOutput() == ["number 2"])
    }
  }
}

/// The real programs and their system requirements.
private enum Sudo {
  static let isPossible =
    PrivateMounts.isPossible
    && ["/usr/bin/sudo", "/usr/bin/su"].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
    && FileManager.default.fileExists(atPath: "/etc/sudoers")
  static let reason = "sudo is not installed, or \(PrivateMounts.reason)"
  static let programs = [
    ["/usr/bin/sudo", "-S", "-p", "", "/usr/bin/id", "-u"], ["/usr/bin/su", "-s", "/bin/sh", "-c", "id -u", "root"],
  ]
}
