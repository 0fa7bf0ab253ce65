import Foundation
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// `routerctl pam-confirm`: its exit status, and the real sudo and su with a private PAM configuration.
/// Promises P50, P85.
@Suite(.enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"), .timeLimit(.minutes(10)))
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
      daemon, "POST", APIPath.presentation(shown.id) + "/answer", body: #"{"button":"\#(button)"}"#)
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
    try start(daemon.socket, directory, program)
  }

  private func start(_ socket: String, _ directory: TemporaryDirectory, _ program: [String]) throws -> ChildProcess {
    let routerctl = ChildProcess.products.appending(path: "routerctl").path
    // As in Debian's common-auth. The option sets the real user id that the command runs with.
    let option = program[0] == "/usr/bin/su" ? "seteuid" : ""
    let stack = """
      auth [success=1 default=ignore] pam_exec.so quiet \(option) \(routerctl) pam-confirm --socket \(socket)
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
  func `denies a command line that cannot be shown, without asking`() async throws {
    try await TestDaemon.run(environment: Self.access) { daemon in
      let presenter = TestPresenter(daemon.client)
      try await daemon.isPresented(by: presenter)
      let directory = try TemporaryDirectory()
      // The kernel allows 6 MiB of arguments, and sudo does not pass its options on to the command.
      let script = [
        "ulimit -s unlimited", #"word=-$(head -c 131000 /dev/zero | tr '\0' S)"#,
        #"for ((i = 0; i < $1; i++)); do words+=("$word"); done; exec /usr/bin/sudo "${words[@]}" -p '' /usr/bin/id -u"#,
      ].joined(separator: "; ")
      for count in [1, 8, 36] {
        let running = try start(daemon, directory, ["/bin/bash", "-c", script, "bash", "\(count)"])
        // A prompt would be approved.
        let approval = Task { try await answer(try await presenter.nextPresentation(), "allow", as: Self.other, daemon) }
        #expect(await running.allOutput() == [], "\(count) words of 131,000 bytes")
        #expect(await running.exitStatus() == 1)
        approval.cancel()
        _ = await approval.result
      }
      #expect(try await daemon.client.log()["presentations"]?.array?.count == 1)
    }
  }

  @Test(.enabled(if: Sudo.isPossible, "\(Sudo.reason)"))
  func `shows the bytes of a command that are not UTF-8`() async throws {
    try await TestDaemon.run(environment: Self.access) { daemon in
      let presenter = TestPresenter(daemon.client)
      try await daemon.isPresented(by: presenter)
      let directory = try TemporaryDirectory()
      let script = #"exec /usr/bin/sudo -S -p '' /bin/echo "$(printf 'a\377\303\251')" 'a\xff'"#
      let running = try start(daemon, directory, ["/bin/sh", "-c", script])
      let shown = try await presenter.nextPresentation()
      let expected = #"Command: /usr/bin/sudo -S -p '' /bin/echo $'a\xffé' 'a\xff'"#
      #expect(shown.request.message?.hasPrefix(expected + "\n") == true, "\(shown.request.message ?? "")")
      try await answer(shown, "deny", as: Self.other, daemon)
      #expect(await running.exitStatus() == 1)
    }
  }

  // MARK: Whose daemon is believed

  /// Starts a program of another user that tells every caller that uid 60041 pressed Allow.
  private func impostor(_ socket: String, uid: UInt32, _ directory: TemporaryDirectory) async throws -> ChildProcess {
    let request = PresentationRequest(
      kind: .alert, title: "?", buttons: [PresentationRequest.Button(id: "allow", label: "Allow")])
    let now = Timestamp(milliseconds: 1_795_000_000_000)
    let approved = Presentation(
      id: PresentationIDGenerator().next(at: now), state: .resolved,
      requester: Presentation.Requester(app: "sudo", process: ProcessIdentity(uid: 0, gid: 0, pid: 1)), request: request,
      requestedAt: now,
      outcome: .answered(.button("allow")),
      resolvedBy: Presentation.Responder(process: ProcessIdentity(uid: 60041, gid: 0, pid: 1)))
    let reply = try directory.write(
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        + "event: resolved\ndata: \(approved.jsonText)\n\n", to: "reply")
    let server = try directory.write(
      """
      import os, socket, sys
      listener = socket.socket(socket.AF_UNIX)
      listener.bind(sys.argv[1])
      os.chmod(sys.argv[1], 0o666)
      if os.getuid() != int(sys.argv[3]):
          os.setuid(int(sys.argv[3]))
      listener.listen()
      print("listening", flush=True)
      while True:
          connection = listener.accept()[0]
          connection.recv(65536)
          connection.sendall(open(sys.argv[2], "rb").read())
          connection.close()
      """, to: "server.py")
    let running = try ChildProcess("/usr/bin/python3", [server, socket, reply, "\(uid)"])
    for await line in running.output where line == "listening" { return running }
    throw RouterError(.unreachable, "the impostor does not listen: \(running.printed)")
  }

  /// The user of the listener, the owner and mode of its folder, and whether it is believed.
  @Test(
    .enabled(if: Sudo.isPossible, "\(Sudo.reason)"),
    arguments: [
      // The asking user, in an own folder, in one of root's, and in one that all may write.
      (65534, 65534, 0o755, false), (65534, 0, 0o755, false), (65534, 0, 0o1777, false),
      // Another person, and a system user without the folder.
      (60041, 60041, 0o755, false), (60041, 0, 0o755, false), (998, 0, 0o755, false),
      // Root and the folder's system user, but others may write there.
      (0, 0, 0o777, false), (0, 0, 0o775, false), (998, 998, 0o770, false), (0, 60041, 0o755, false),
      // As routerd runs.
      (0, 0, 0o755, true), (998, 998, 0o755, true), (0, 998, 0o750, true),
    ] as [(UInt32, uid_t, mode_t, Bool)])
  func `believes root and the system user of the folder only`(listener: UInt32, owner: uid_t, mode: mode_t, isBelieved: Bool)
    async throws
  {
    let directory = try TemporaryDirectory()
    let folder = directory.file("run")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let server = try await impostor(folder + "/s", uid: listener, directory)
    defer { server.signal(SIGKILL) }
    try #require(chown(folder, owner, 0) == 0 && chmod(folder, mode) == 0)
    let running = try start(folder + "/s", directory, Sudo.programs[0])
    #expect(await running.allOutput() == (isBelieved ? ["0"] : []))
    #expect((await running.exitStatus() == 0) == isBelieved)
  }

  @Test(.enabled(if: Sudo.isPossible, "\(Sudo.reason)"))
  func `does not believe the daemon of a system user who asks`() async throws {
    let directory = try TemporaryDirectory()
    let folder = directory.file("run")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // "man" is a system user of Debian.
    let man = try #require(getpwnam("man")).pointee.pw_uid
    let server = try await impostor(folder + "/s", uid: man, directory)
    defer { server.signal(SIGKILL) }
    try #require(chown(folder, man, 0) == 0)
    let routerctl = ChildProcess.products.appending(path: "routerctl").path
    for (asker, target, status) in [("man", "man", 1), ("nobody", "man", 1), ("nobody", "root", 0)] as [(String, String, Int32)]
    {
      let uid = try #require(getpwnam(asker)).pointee.pw_uid
      let command = try ChildProcess(
        "/usr/bin/setpriv", ["--ruid", "\(uid)", routerctl, "pam-confirm", "--socket", folder + "/s"],
        environment: ["PAM_TYPE": "auth", "PAM_SERVICE": "su", "PAM_USER": target, "PAM_RUSER": asker])
      await command.expectExit(status, "\(asker) for \(target)")
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
      // One for each, because sudo reads its files while the next one starts.
      let directories = try (1...2).map { _ in try TemporaryDirectory() }
      let running = try (1...2).map {
        try start(daemon, directories[$0 - 1], ["/usr/bin/sudo", "-S", "-p", "", "/bin/echo", "number \($0)"])
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
