import Foundation
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// `routerctl run`: what is shown, what runs, and what is on record.
@Suite(.timeLimit(.minutes(10)))
struct RunCommandTests {
  @Test func `exits with the command's status, which is on record with the act`() async throws {
    try await RunScene.run { scene in
      let process = try scene.start(["sh", "-c", "exit 3"], options: ["--reason", "to see"])
      let shown = try await scene.answer()
      await process.expectExit(3)
      let act = try #require(shown.request.act)
      #expect(shown.request.title == "Run sh -c 'exit 3'?" && shown.request.message == "to see")
      #expect(act.arguments == ["sh", "-c", "exit 3"] && act.directory == scene.files.path)
      #expect(act.files.map(\.path) == [URL(filePath: "/bin/sh").resolvingSymlinksInPath().path])
      #expect(shown.request.buttons.first { $0.isDefault }?.id == "no")
      let report = try #require(try await scene.report(of: shown))
      #expect(report.result == .status(3) && report.act == act.digest && report.duration != nil)

      let timeline = try await scene.log("show", shown.id.description)
      #expect(timeline.contains { $0.hasPrefix("act") && $0.hasSuffix("run sh -c 'exit 3'") })
      #expect(timeline.contains { $0.hasPrefix("digest") && $0.hasSuffix(act.digest) })
      #expect(timeline.contains { $0.contains("answered") && $0.contains("Run, by") })
      #expect(timeline.contains { $0.contains("ran 3, after") && $0.contains("reported by") })
      #expect(!timeline.contains("approved, not reported"))
      #expect(try await scene.log().contains { $0.contains("answered/Run→ran_3") })
    }
  }

  @Test func `runs the article's example`() async throws {
    try await RunScene.run { scene in
      let example = try #require(try LogPageTests.articleExamples("Evidence").first { $0.hasPrefix("routerctl run") })
      try scene.program("deploy.sh", "#!/bin/sh\necho \"deployed to $1\"\n")
      let variables = ["PATH=\(ChildProcess.products.path):/usr/bin:/bin", "ROUTERD_SOCKET=\(scene.daemon.socket)"]
      let shell = try ChildProcess("/usr/bin/env", ["-C", scene.files.path] + variables + ["/bin/sh", "-c", example])
      try await scene.answer()
      #expect(await shell.allOutput() == ["deployed to production"])
      await shell.expectExit()
    }
  }

  @Test func `a remembered yes holds for the same files only`() async throws {
    try await RunScene.run { scene in
      func start() throws -> ChildProcess { try scene.start(["./tool", "x"], options: ["--remember", "session"]) }
      for (text, width) in [("one", GrantOffer.Width(.exact)), ("two", GrantOffer.Width(.exact))] {
        try scene.program("tool", "#!/bin/sh\necho \(text)\n")
        let asked = try start()
        let shown = try await scene.presenter.nextPresentation()
        var extra = AnswerExtra()
        extra.remember = GrantChoice(width, for: .session)
        _ = try await scene.daemon.client.answer(shown.id, .button("run"), extra)
        #expect(await asked.allOutput() == [text])
        let again = try start()
        #expect(await again.allOutput() == [text])
        await again.expectExit()
        #expect(try await scene.log("--decided-by", "grant", "-n", "1").contains { $0.contains("ran_0") })
      }
      try scene.program("tool", "#!/bin/sh\necho three\n")
      let changed = try start()
      try await scene.answer("no")
      await changed.expectExit(111)
      #expect(await changed.allOutput() == [])
    }
  }

  @Test func `names each outcome other than yes by its own status, and runs nothing`() async throws {
    try await RunScene.run { scene in
      let marker = scene.files.file("marker")
      func expect(_ status: Int32, options: [String] = [], _ end: (Presentation) async throws -> Void) async throws {
        let process = try scene.start(["touch", marker], options: options)
        try await end(try await scene.presenter.nextPresentation())
        await process.expectExit(status)
        #expect(!FileManager.default.fileExists(atPath: marker))
      }
      try await expect(111) { try await scene.presenter.press(id: "no", on: $0) }
      try await expect(112) { _ = try await scene.daemon.client.cancel($0.id) }
      try await expect(113) { _ = try await scene.presenter.dismiss($0) }
      try await expect(115, options: ["--timeout", "100ms"]) { _ in }
      try await expect(116) { _ = try await scene.presenter.fail($0, detail: "no display") }
      #expect(try await scene.log("--unreported") == [])
      // Approved, it runs.
      let process = try scene.start(["touch", marker])
      try await scene.answer()
      await process.expectExit(0)
      #expect(FileManager.default.fileExists(atPath: marker))
    }
  }

  @Test func `says why nothing can run, without asking`() async throws {
    try await RunScene.run { scene in
      try scene.files.write("text", to: "plain")
      try scene.program("hollow", "#!\n")
      func expect(_ status: Int32, _ command: [String], options: [String] = [], _ message: String) async throws {
        let process = try scene.start(command, options: options)
        #expect(await process.line(with: message) != nil, "\(process.printed)")
        await process.expectExit(status)
      }
      try await expect(127, ["no-such-program"], "cannot find no-such-program")
      try await expect(127, ["./missing"], "cannot find ./missing")
      try await expect(126, ["./plain"], "cannot execute ./plain: Permission denied")
      try await expect(126, ["/"], "cannot execute /: Permission denied")
      try await expect(126, ["./hollow"], "names no interpreter")
      try await expect(125, ["true"], options: ["--env", "NOT_SET_ANYWHERE"], "it is not set")
      try await expect(125, ["true"], options: ["--file", "missing"], "cannot check missing")
      try await expect(125, ["true"], options: ["--report-fd", "77"], "it is not open")
      try await expect(125, ["true"], options: ["--socket", scene.files.file("none"), "--patience", "10ms"], "routerd")
      try await expect(125, ["true"], options: ["--patience", "0"], "is invalid for '--patience")
      #expect(try await scene.daemon.client.presentations().isEmpty)
    }
  }

  @Test func `passes the variables of a list, and those that are named`() async throws {
    try await RunScene.run { scene in
      let environment = ["LD_PRELOAD": "x", "BASH_ENV": "/x", "LC_ALL": "C.UTF-8", "SECRET": "s3", "GIVEN": "g"]
      let process = try scene.start(
        ["env"], options: ["--env", "GIVEN", "--env", "MADE=m n"], environment: environment)
      let shown = try await scene.answer()
      let output = await process.allOutput()
      await process.expectExit(0)
      let names = Set(output.compactMap { $0.split(separator: "=").first.map(String.init) })
      #expect(names.isDisjoint(with: ["LD_PRELOAD", "BASH_ENV", "SECRET", "ROUTERD_SOCKET"]))
      #expect(output.contains("GIVEN=g") && output.contains("MADE=m n") && output.contains("LC_ALL=C.UTF-8"))
      let act = try #require(shown.request.act)
      #expect(Set(act.environment.keys) == ["PATH", "GIVEN", "MADE"] && act.environment["MADE"] == "m n")
    }
  }

  @Test func `checks the files that arguments name, and others`() async throws {
    try await RunScene.run { scene in
      try scene.files.write("one\n", to: "a.txt")
      try scene.files.write("two\n", to: "b.txt")
      let process = try scene.start(["cat", "a.txt", "-", scene.files.file("a.txt")], options: ["--file", "b.txt"])
      let shown = try await scene.answer()
      #expect(await process.allOutput() == ["one", "one"])
      await process.expectExit(0)
      let act = try #require(shown.request.act)
      #expect(act.files.dropFirst().map { URL(filePath: $0.path).lastPathComponent } == ["a.txt", "a.txt", "b.txt"])
      #expect(act.files.last?.bytes == 4)

      for (arguments, name) in [
        (["dd", "if=a.txt", "status=none"], "a.txt"), (["tar", "-c", "-Tb.txt"], "b.txt"),
        (["grep", "--file=b.txt", "one"], "b.txt"),
        (["curl", "-d", "@b.txt"], "b.txt"), (["curl", "--data=@b.txt"], "b.txt"),
      ] {
        let named = try scene.start(arguments)
        let act = try #require(try await scene.answer { _ in try scene.files.write("other\n", to: name) }.request.act)
        #expect(act.files.last.map { URL(filePath: $0.path).lastPathComponent } == name, "\(arguments)")
        await named.expectExit(119)
        try scene.files.write(name == "a.txt" ? "one\n" : "two\n", to: name)
      }

      let changed = try scene.start(["cat", "a.txt"], options: ["--file", "b.txt"])
      let asked = try await scene.answer { _ in try scene.files.write("2\n", to: "b.txt") }
      try await scene.expectChanged(changed, asked, "b.txt was changed")
    }
  }

  @Test func `says which file it cannot read, and runs the command after a yes`() async throws {
    try await RunScene.run { scene in
      let secret = try scene.files.write("secret", to: "secret")
      chmod(secret, 0)
      // Root reads every file, by these capabilities.
      let isRoot = geteuid() == 0
      let starter = isRoot ? ["/usr/bin/setpriv", "--bounding-set", "-dac_override,-dac_read_search"] : []
      let process = try scene.start(["ls", "secret"], options: ["--reason", "to see"], by: starter)
      let shown = try await scene.answer()
      #expect(shown.request.message == "to see\n\nNot readable, so not checked: secret")
      #expect(shown.request.act?.files.count == 1)
      #expect(await process.allOutput() == ["secret"])
      await process.expectExit()
      let named = try scene.start(["ls"], options: ["--file", "secret"], by: starter)
      #expect(await named.line(with: "cannot check secret: Permission denied") != nil)
      await named.expectExit(125)
    }
  }

  @Test func `runs in the directory that was shown, though its name leads elsewhere`() async throws {
    try await RunScene.run { scene in
      let place = scene.files.file("place")
      try scene.files.write("right\n", to: "place/text")
      try scene.files.write("wrong\n", to: "other/text")
      let routerctl = ChildProcess.products.appending(path: "routerctl").path
      let process = try ChildProcess(
        "/usr/bin/env",
        ["-C", place, "ROUTERD_SOCKET=\(scene.daemon.socket)", routerctl, "run", "--", "sh", "-c", "cat text"])
      let shown = try await scene.answer { _ in
        #expect(rename(place, scene.files.file("moved")) == 0 && symlink(scene.files.file("other"), place) == 0)
      }
      #expect(shown.request.act?.directory == place)
      #expect(await process.allOutput() == ["right"])
      await process.expectExit(0)
    }
  }

  @Test func `writes the report to a descriptor, which the command does not get`() async throws {
    try await RunScene.run { scene in
      let routerctl = ChildProcess.products.appending(path: "routerctl").path
      func report(_ button: String) async throws -> (JSONValue, Presentation) {
        let process = try ChildProcess(
          "/bin/sh",
          [
            "-c", #""$0" run --report-fd 5 -- sh -c 'echo x >&5' 5>"$1" 2>/dev/null; echo $?"#, routerctl,
            scene.files.file("report"),
          ], environment: ["ROUTERD_SOCKET": scene.daemon.socket])
        let shown = try await scene.answer(button)
        #expect(await process.allOutput() == [button == "run" ? "2" : "111"])
        return (try JSONValue(parsing: try String(contentsOfFile: scene.files.file("report"), encoding: .utf8)), shown)
      }
      let (ran, shown) = try await report("run")
      #expect(ran["presentation"]?.string == shown.id.description && ran["act"]?.string == shown.request.act?.digest)
      #expect(ran["ran"]?["status"]?.number?.integer == 2)
      let (declined, _) = try await report("no")
      #expect(declined["ran"] == .null)
    }
  }

  @Test func `reports after the daemon has restarted, and lists what was never reported`() async throws {
    try await RunScene.run { scene in
      let input = try ChildPipe()
      let process = try scene.start(["cat"], input: input.reading)
      let shown = try await scene.answer()
      let unreported = try await scene.log("--unreported", "--since", "1d")
      #expect(unreported.count == 1 && unreported[0].contains(shown.id.description.suffix(8)))
      #expect(try await scene.log("show", shown.id.description).last == "approved, not reported")
      await scene.daemon.end(by: SIGKILL)
      let next = try await scene.daemon.next()
      defer { next.remove() }
      input.closeWriting()
      await process.expectExit(0)
      #expect(try await next.client.presentation(shown.id).ran?.report.result == .status(0))
      #expect(try await scene.log("--unreported") == [])
      let verify = try ChildProcess("routerctl", ["log", "verify", "--database", scene.daemon.database])
      await verify.expectExit(0)
    }
  }

  @Test func `withdraws the prompt on SIGTERM, and passes it on once the command runs`() async throws {
    try await RunScene.run { scene in
      let asking = try scene.start(["true"])
      let shown = try await scene.presenter.nextPresentation()
      asking.signal(SIGTERM)
      await asking.expectExit(128 + SIGTERM)
      #expect(try await scene.daemon.client.presentation(shown.id).outcome == .cancelled(.requester))

      let input = try ChildPipe()
      let process = try scene.start(["sh", "-c", "echo ready; exec cat"], input: input.reading)
      let run = try await scene.answer()
      for await line in process.output where line == "ready" { break }
      process.signal(SIGTERM)
      await process.expectExit(128 + SIGTERM)
      #expect(try await scene.report(of: run)?.result == .signal(Int(SIGTERM)))
      #expect(try await scene.log("show", run.id.description).contains { $0.contains("ran, signal 15") })
    }
  }
}
