import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// Scripts that use whiptail, dialog and zenity, and their failures. Tests/Dialogs compares the output with the real programs.
/// Promises P77, P85.
@Suite(.timeLimit(.minutes(10)))
struct DialogTests {
  private func start(
    _ arguments: [String], _ daemon: TestDaemon, path: String = "/nonexistent", input: CInt? = nil
  ) throws -> ChildProcess {
    try ChildProcess("routerctl", arguments, environment: ["ROUTERD_SOCKET": daemon.socket, "PATH": path], input: input)
  }

  /// Attaches a presenter first, because routerctl does not wait for one.
  private func presenter(on daemon: TestDaemon) async throws -> TestPresenter {
    let presenter = TestPresenter(daemon.client)
    let first = daemon.client.submit(.alert("Is anybody there?"))
    try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
    _ = try await first.resolved()
    return presenter
  }

  private static let questions = [
    ["zenity", "--question", "--text", "Go?"], ["whiptail", "--yesno", "Go?", "8", "40"],
    ["dialog", "--yesno", "Go?", "8", "40"],
  ]

  @Test(arguments: questions)
  func `fails like the real program when nobody can be asked`(arguments: [String]) async throws {
    try await TestDaemon.run { daemon in
      for isRunning in [true, false] {
        if !isRunning { await daemon.end(by: SIGTERM) }
        let program = try start(arguments, daemon)
        await program.expectExit(255)
        #expect(await program.allOutput().isEmpty)
        var errors: [String] = []
        for await line in program.errors { errors.append(line) }
        // Scripts read the other two programs' answers from standard error.
        #expect(errors.count == (arguments[0] == "zenity" ? 1 : 0), "\(errors)")
      }
    }
  }

  /// Writes a script with this name. By default it prints its arguments and its input, and exits with 7.
  private func makeReal(
    _ name: String, in daemon: TestDaemon,
    _ body: String = "echo \"$@\"\nwhile read -r line; do echo \"[$line]\"; done\nexit 7"
  ) throws -> String {
    let directory = daemon.directory + "/bin"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try "#!/bin/sh\n\(body)\n".write(toFile: directory + "/" + name, atomically: true, encoding: .utf8)
    chmod(directory + "/" + name, 0o755)
    return directory
  }

  @Test(arguments: questions)
  func `runs the real program when nobody can be asked`(arguments: [String]) async throws {
    try await TestDaemon.run { daemon in
      let program = try start(arguments, daemon, path: try makeReal(arguments[0], in: daemon))
      #expect(await program.allOutput() == [arguments.dropFirst().joined(separator: " ")])
      await program.expectExit(7)
    }
  }

  @Test func `passes arguments to the real program with their bytes`() async throws {
    try await TestDaemon.run { daemon in
      let path = try makeReal("zenity", in: daemon, #"printf %s "$3" | od -An -tx1"#)
      let script = #"exec "$0" zenity --question --text $'a\xff\xfe'"#
      let program = try ChildProcess(
        "/bin/bash", ["-c", script, ChildProcess.products.appending(path: "routerctl").path],
        environment: ["ROUTERD_SOCKET": daemon.socket, "PATH": path + ":/usr/bin:/bin"])
      #expect(await program.allOutput() == [" 61 ff fe"])
    }
  }

  @Test func `prints the bytes of the chosen row`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(on: daemon)
      let calls = [
        #"zenity --list --column Name $'a\xff' $'a\xfe'"#, #"whiptail --menu x 0 0 0 $'a\xff' '' $'a\xfe' '' 2>&1"#,
        #"dialog --stdout --no-items --menu x 0 0 0 $'a\xff' $'a\xfe'"#,
        #"zenity --list --column Name < <(printf 'a\377\r\na\376\r\n')"#,
      ]
      for call in calls {
        let script = "\"$0\" \(call) | od -An -tx1"
        let program = try ChildProcess(
          "/bin/bash", ["-c", script, ChildProcess.products.appending(path: "routerctl").path],
          environment: ["ROUTERD_SOCKET": daemon.socket, "PATH": "/usr/bin:/bin"])
        let shown = try await presenter.nextPresentation()
        #expect(shown.request.buttons.prefix(2).map(\.label) == [#"a\xff"#, #"a\xfe"#])
        try await presenter.press(id: "r1", on: shown)
        #expect(await program.allOutput().first?.hasPrefix(" 61 fe") == true)
        await program.expectExit()
      }
    }
  }

  @Test func `passes the consumed input to the real program`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(on: daemon)
      // More rows than a request allows.
      let rows = (0..<300).map { "row \($0)" }
      try rows.joined(separator: "\n").appending("\n").write(
        toFile: daemon.directory + "/rows", atomically: true, encoding: .utf8)
      let file = open(daemon.directory + "/rows", O_RDONLY | O_CLOEXEC)
      defer { close(file) }
      let program = try start(
        ["zenity", "--list", "--column", "Row"], daemon, path: try makeReal("zenity", in: daemon), input: file)
      #expect(await program.allOutput() == ["--list --column Row"] + rows.map { "[\($0)]" })
      await program.expectExit(7)
      #expect(presenter.shown.count == 1)
    }
  }

  @Test(arguments: questions)
  func `withdraws the question when the script is killed`(arguments: [String]) async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(on: daemon)
      let line = ([ChildProcess.products.appending(path: "routerctl").path] + arguments).map { "'\($0)'" }.joined(
        separator: " ")
      let script = try ChildProcess("/bin/sh", ["-c", line + "; true"], environment: ["ROUTERD_SOCKET": daemon.socket])
      let shown = try await presenter.nextPresentation()
      script.signal(SIGKILL)
      let withdrawn = try await presenter.nextWithdrawal()
      #expect(withdrawn.id == shown.id)
    }
  }

  @Test func `withdraws the question on SIGTERM`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(on: daemon)
      let program = try start(Self.questions[1], daemon)
      let shown = try await presenter.nextPresentation()
      program.signal(SIGTERM)
      #expect(try await presenter.nextWithdrawal().id == shown.id)
      await program.expectExit(128 + SIGTERM)
    }
  }

  @Test func `runs the real zenity inside a presenter that uses zenity`() async throws {
    try await TestDaemon.run { daemon in
      let directory = try makeReal("zenity", in: daemon, "echo yes")
      let presenter = try ChildProcess(
        "routerctl",
        ["present", "--socket", daemon.socket, "--exec", "'\(ChildProcess.products.path)/routerctl' zenity --question"],
        environment: ["PATH": directory, "ROUTERD_SOCKET": daemon.socket])
      defer { presenter.signal(SIGTERM) }
      let presentation = try await daemon.client.submit(.alert("Go?")).resolved()
      #expect(presentation.outcome == .answered(.button("yes")))
    }
  }

  @Test func `answers two concurrent scripts separately`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(on: daemon)
      let names = ["one", "two"]
      let programs = try names.map {
        try start(["dialog", "--stdout", "--title", $0, "--inputbox", "Name", "8", "40"], daemon)
      }
      for _ in names {
        let shown = try await presenter.nextPresentation()
        try await presenter.answer(["f0": .string("for \(shown.request.title ?? "")")], on: shown)
      }
      for (name, program) in zip(names, programs) {
        #expect(await program.allOutput() == ["for \(name)"])
        await program.expectExit(0)
      }
    }
  }

  @Test func `shows a hostile tag escaped, and returns it unchanged`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(on: daemon)
      let tag = "\u{1B}[2Jx\u{202E}\u{7}"
      let program = try start(
        ["whiptail", "--output-fd", "1", "--menu", "\u{1B}]0;x\u{7}Go?", "0", "0", "0", tag, "<b>I</b>"], daemon)
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.title == "\\u{1B}]0;x\\u{7}Go?")
      #expect(shown.request.buttons.map(\.label) == ["\\u{1B}[2Jx\\u{202E}\\u{7} · <b>I</b>", "Cancel"])
      try await presenter.press(id: "r0", on: shown)
      #expect(await program.allOutput() == [tag])
      await program.expectExit(0)
    }
  }

  @Test func `leaks a password nowhere`() async throws {
    let canary = "canary-\(UUID().uuidString)"
    let everything = Gathering()
    try await TestDaemon.run(environment: ["ROUTERD_LOG_LEVEL": "trace"]) { daemon in
      everything.gather("the daemon's standard error", daemon.process.errors)
      everything.gather("the daemon's standard output", daemon.process.output)
      let presenter = try await presenter(on: daemon)
      for arguments in [
        ["zenity", "--password"], ["whiptail", "--output-fd", "1", "--passwordbox", "Password", "8", "40"],
        ["dialog", "--stdout", "--passwordbox", "Password", "8", "40"], ["zenity", "--forms", "--add-password", "Password"],
      ] {
        let program = try start(arguments, daemon)
        everything.gather("\(arguments)'s standard error", program.errors)
        let shown = try await presenter.nextPresentation()
        try await presenter.answer(["f0": .string(canary)], on: shown)
        #expect(await program.allOutput() == [canary])
        await program.expectExit(0)
      }
      everything.add("the log", try await daemon.call(.GET, "/v1/log?limit=1000").body)
      everything.addFiles(of: daemon)
      await daemon.end(by: SIGTERM)
      everything.addFiles(of: daemon)
    }
    let found = await everything.places(of: canary)
    #expect(found.places.isEmpty)
    #expect(found.looked > 5)
  }
}
