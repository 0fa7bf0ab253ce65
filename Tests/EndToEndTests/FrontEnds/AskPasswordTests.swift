import Foundation
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// The real systemd-ask-password, with a private directory of questions.
/// Promise P85.
@Suite(.enabled(if: SystemdAskPassword.isPossible, "\(SystemdAskPassword.reason)"), .timeLimit(.minutes(10)))
struct AskPasswordTests {
  /// A directory of questions, and an agent that watches it.
  private struct Scene {
    let directory: TemporaryDirectory
    let agent: ChildProcess

    init(_ daemon: TestDaemon, arguments: [String] = []) throws {
      directory = try TemporaryDirectory()
      try FileManager.default.createDirectory(atPath: SystemdAskPassword.place, withIntermediateDirectories: true)
      agent = try PrivateMounts.start(
        [SystemdAskPassword.place: directory.path],
        [ChildProcess.products.appending(path: "routerctl").path, "ask-password-agent", "--system"] + arguments,
        environment: ["ROUTERD_SOCKET": daemon.socket])
    }

    func ask(_ arguments: [String]) throws -> ChildProcess {
      try PrivateMounts.start(
        [SystemdAskPassword.place: directory.path], ["/usr/bin/systemd-ask-password", "--no-tty"] + arguments)
    }

    /// Ends the agent.
    func end() { agent.signal(SIGKILL) }

    var questions: [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).filter { $0.hasPrefix("ask.") }
    }
  }

  @Test func `passes the typed password to the program that asked`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let scene = try Scene(daemon)
      defer { scene.end() }
      let asker = try scene.ask(["--timeout=60", "--id=cryptsetup:/dev/x", "Passphrase for the disk:"])
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.title == "Passphrase for the disk:")
      #expect(shown.request.app == "cryptsetup")
      #expect(shown.request.metadata["id"] == "cryptsetup:/dev/x")
      #expect(shown.request.sensitive)
      #expect(shown.request.timeout.map { $0 <= .seconds(60) } == true)
      #expect(shown.request.message?.contains("systemd-ask-password (\(asker.pid))") == true)
      try await presenter.answer(["password": "a+b -ä"], on: shown)
      #expect(await asker.allOutput() == ["a+b -ä"])
      await asker.expectExit()
      scene.agent.signal(SIGTERM)
      await scene.agent.expectExit(128 + SIGTERM)
    }
  }

  @Test func `answers two concurrent questions separately`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let scene = try Scene(daemon)
      defer { scene.end() }
      let askers = try ["one", "two"].map { try scene.ask(["--timeout=60", "--id=t:\($0)", "For \($0)"]) }
      for _ in askers {
        let shown = try await presenter.nextPresentation()
        try await presenter.answer(["password": .string("answer " + (shown.request.title ?? ""))], on: shown)
      }
      #expect(await askers[0].allOutput() == ["answer For one"])
      #expect(await askers[1].allOutput() == ["answer For two"])
    }
  }

  @Test func `accepts an empty password`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let scene = try Scene(daemon)
      defer { scene.end() }
      let asker = try scene.ask(["--timeout=60", "X"])
      try await presenter.answer([:], on: try await presenter.nextPresentation())
      #expect(await asker.allOutput() == [""])
      await asker.expectExit()
    }
  }

  @Test func `cancels the question when the prompt is dismissed`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let scene = try Scene(daemon)
      defer { scene.end() }
      let asker = try scene.ask(["--timeout=60", "X"])
      try await presenter.dismiss(try await presenter.nextPresentation())
      await asker.expectExit(1)
      #expect(await asker.allOutput().isEmpty)
    }
  }

  @Test func `withdraws the prompt when its asker ends or its time is up`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let scene = try Scene(daemon)
      defer { scene.end() }
      // SIGKILL leaves the question's file behind; SIGTERM does not.
      for signal in [SIGKILL, SIGTERM] {
        let asker = try scene.ask(["--timeout=60", "Killed"])
        let shown = try await presenter.nextPresentation()
        asker.signal(signal)
        #expect(try await presenter.nextWithdrawal().id == shown.id)
      }
      let asker = try scene.ask(["--timeout=1", "Late"])
      let shown = try await presenter.nextPresentation()
      #expect(try await presenter.nextWithdrawal().id == shown.id)
      // The agent sends nothing: systemd-ask-password times out by itself.
      await asker.expectExit(1)
      // The files of killed askers are skipped, and the next question is asked.
      let next = try scene.ask(["--timeout=60", "Next"])
      try await presenter.answer(["password": "x"], on: try await presenter.nextPresentation())
      #expect(await next.allOutput() == ["x"])
    }
  }

  @Test func `withdraws the prompt when another agent answers`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let scene = try Scene(daemon)
      defer { scene.end() }
      let asker = try scene.ask(["--timeout=60", "X"])
      let shown = try await presenter.nextPresentation()
      let question = try #require(scene.questions.first)
      let text = try String(contentsOfFile: scene.directory.file(question), encoding: .utf8)
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Socket=") })
      let socket = scene.directory.file(URL(filePath: String(line.dropFirst(7))).lastPathComponent)
      let other = try ChildProcess(
        "/bin/sh",
        ["-c", #"printf other > "$0.txt"; /lib/systemd/systemd-reply-password 1 "$0" < "$0.txt"; rm "$0.txt""#, socket])
      _ = await other.exitStatus()
      #expect(try await presenter.nextWithdrawal().id == shown.id)
      _ = await asker.exitStatus()
    }
  }

  @Test func `waits without answering while no daemon runs`() async throws {
    try await TestDaemon.run { daemon in
      let scene = try Scene(daemon, arguments: ["--socket", daemon.directory + "/nowhere"])
      defer { scene.end() }
      let asker = try scene.ask(["--timeout=1", "X"])
      #expect(await scene.agent.line(with: "cannot reach") != nil)
      await asker.expectExit(1)
      #expect(try await daemon.client.log()["presentations"]?.array?.isEmpty == true)
    }
  }

  @Test func `asks a waiting question when a presenter attaches`() async throws {
    try await TestDaemon.run { daemon in
      let scene = try Scene(daemon)
      defer { scene.end() }
      let asker = try scene.ask(["--timeout=60", "X"])
      try await daemon.opened(1)
      let presenter = TestPresenter(daemon.client)
      try await presenter.answer(["password": "late"], on: try await presenter.nextPresentation())
      #expect(await asker.allOutput() == ["late"])
    }
  }

  @Test func `skips malformed questions`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let scene = try Scene(daemon)
      defer { scene.end() }
      for (index, text) in ["", "[Ask]\nSocket=relative\n", "[Ask]\nSocket=/s\nEcho=perhaps\n"].enumerated() {
        try scene.directory.write(text, to: "ask.bad\(index)")
      }
      try FileManager.default.createSymbolicLink(atPath: scene.directory.file("ask.link"), withDestinationPath: "/etc/passwd")
      #expect(await scene.agent.line(with: "cannot use ask.") != nil)
      let asker = try scene.ask(["--timeout=60", "\u{1B}[2J\u{202E}hostile"])
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.title == "\\u{1B}[2J\\u{202E}hostile")
      try await presenter.answer(["password": "x"], on: shown)
      #expect(await asker.allOutput() == ["x"])
    }
  }

  @Test func `leaks a password nowhere`() async throws {
    let canary = "Canary-\(UUID().uuidString)"
    let everything = Gathering()
    try await TestDaemon.run(environment: ["ROUTERD_LOG_LEVEL": "trace"]) { daemon in
      everything.gather("the daemon's standard error", daemon.process.errors)
      let presenter = TestPresenter(daemon.client)
      let scene = try Scene(daemon)
      defer { scene.end() }
      everything.gather("the agent's standard error", scene.agent.errors)
      // A password echoed while typing is not stored either.
      for option in ["--echo=no", "--echo=yes"] {
        let asker = try scene.ask([option, "--timeout=60", "X"])
        try await presenter.answer(["password": .string(canary)], on: try await presenter.nextPresentation())
        #expect(await asker.allOutput() == [canary])
      }
      everything.addFiles(of: daemon)
      everything.add("the log", try await daemon.call(.GET, "/v1/log").body)
      scene.agent.signal(SIGTERM)
      daemon.process.signal(SIGTERM)
      await daemon.process.expectExit()
      everything.addFiles(of: daemon)
    }
    #expect(await everything.places(of: canary).places.isEmpty)
    #expect(await everything.places(of: "password").places.count > 1)
  }
}

/// System requirements of these tests.
private enum SystemdAskPassword {
  static let place = "/run/systemd/ask-password"
  static let isPossible =
    PrivateMounts.isPossible && FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-ask-password")
  static let reason = "systemd is not installed, or \(PrivateMounts.reason)"
}
