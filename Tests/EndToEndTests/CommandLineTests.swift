import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// `routerctl` against a real daemon.
@Suite(.timeLimit(.minutes(10)))
struct CommandLineTests {
  private func routerctl(_ arguments: String..., on daemon: TestDaemon) throws -> ChildProcess {
    try ChildProcess("routerctl", arguments + ["--socket", daemon.socket])
  }

  @Test func `runs the demo, prints the log and leaves no files behind`() async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "demo-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let demo = try ChildProcess("routerctl", ["demo"], environment: ["TMPDIR": directory])
    let output = await demo.allOutput()
    await demo.expectExit(0, "\(output)")
    #expect(output.contains { $0.contains("\talert\tSave address?\t") && $0.hasSuffix("\tanswered Yes, save [save]\tscript") })
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
  }

  @Test func `fails if its output cannot be written`() async throws {
    try await TestDaemon.run { daemon in
      let reply = try await daemon.ask("Deploy?")
      #expect(reply.status == 202)
      let commands = [
        ["log"], ["log", "--json"], ["log", "export"], ["log", "export", "--csv"], ["queue"], ["socket"], ["status"],
        ["--help"], ["--version"],
      ]
      let routerctl = ChildProcess.products.appending(path: "routerctl").path
      for command in commands {
        let full = try ChildProcess(
          "/bin/sh", ["-c", #"exec "$0" "$@" >/dev/full"#, routerctl] + command,
          environment: ["ROUTERD_SOCKET": daemon.socket, "ROUTERD_DATABASE": daemon.database])
        #expect(await full.line(with: "cannot write the output: No space left on device") != nil, "\(command)")
        await full.expectExit(70, "\(command)")
      }
      let presenter = TestPresenter(daemon.client, on: "desk")
      let full = try ChildProcess(
        "/bin/sh", ["-c", #"exec "$0" "$@" >/dev/full"#, routerctl, "choose", "Which?", "a", "b", "--surface", "desk"],
        environment: ["ROUTERD_SOCKET": daemon.socket])
      try await presenter.press(id: "c1", on: try await presenter.nextPresentation())
      await full.expectExit(70)
    }
  }

  @Test func `says that no prompts match, or that the log is empty`() async throws {
    try await TestDaemon.run { daemon in
      func log(_ arguments: String..., expecting text: String?) async throws {
        let log = try ChildProcess("routerctl", ["log", "--database", daemon.database] + arguments)
        #expect(await log.allOutput() == [])
        #expect(await log.line(with: "routerctl: ") == text.map { "routerctl: \($0)" }, "\(arguments)")
        await log.expectExit()
      }
      try await log(expecting: "the log has no prompts")
      #expect(try await daemon.ask("Deploy?").status == 202)
      try await log("--app", "nosuch", expecting: "no prompts match")
      try await log("--app", "nosuch", "--events", expecting: "no events match")
      try await log("--app", "nosuch", "--json", expecting: nil)
    }
  }

  @Test func `the demonstration ignores the user's settings`() async throws {
    let directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: directory.file("routerd"), withIntermediateDirectories: true)
    try "not: a setting\n".write(toFile: directory.file("routerd/routerd.yaml"), atomically: true, encoding: .utf8)
    let demo = try ChildProcess(
      "routerctl", ["demo"],
      environment: [
        "XDG_CONFIG_HOME": directory.path, "ROUTERD_WEB_ADDRESS": "nonsense", "ROUTERD_LIMITS_TOTAL": "0",
        "ROUTERD_SOCKET": "/nonexistent/s", "NOTIFY_SOCKET": "/nonexistent/n",
      ])
    let output = await demo.allOutput()
    await demo.expectExit(0, "\(output)")
  }

  @Test(arguments: [("yes", Int32(0)), ("no", 1)])
  func `exits with the answer of confirm`(button: String, status: Int32) async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let confirm = try routerctl("confirm", "Sure?", on: daemon)
      try await presenter.press(id: button, on: try await presenter.nextPresentation())
      await confirm.expectExit(status)
      #expect(await confirm.allOutput() == [])
    }
  }

  @Test(arguments: [false, true]) func `shows tabs as spaces, and prints a choice as it was given`(multiple: Bool) async throws
  {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let choices = ["a\tone", "b\ttwo"] + (multiple ? ["--multiple"] : [])
      let choose = try ChildProcess(
        "routerctl", ["choose", "Which?", "--message", "name\tnumber\r\n"] + choices,
        environment: ["ROUTERD_SOCKET": daemon.socket])
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.message == "name    number\n")
      if multiple {
        try await presenter.answer(["choices": ["b       two"]], on: shown)
      } else {
        try await presenter.press("b       two", on: shown)
      }
      #expect(await choose.allOutput() == ["b\ttwo"])
      await choose.expectExit(0)
    }
  }

  @Test func `asks without starting libdispatch threads`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let confirm = try routerctl("confirm", "Sure?", on: daemon)
      let shown = try await presenter.nextPresentation()
      let tasks = "/proc/\(confirm.pid)/task"
      let threads = try FileManager.default.contentsOfDirectory(atPath: tasks).map { thread in
        try String(contentsOfFile: "\(tasks)/\(thread)/comm", encoding: .utf8)
      }
      // The main thread, the signal thread and NIO's. libdispatch names its threads after a quality of service.
      #expect(threads.count >= 3)
      #expect(!threads.contains { $0.contains("qos") }, "\(threads)")
      try await presenter.press(id: "yes", on: shown)
      await confirm.expectExit()
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `withdraws the prompt and exits on a signal`(signal: Int32) async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let alert = try routerctl("alert", "Hello", on: daemon)
      let shown = try await presenter.nextPresentation()
      alert.signal(signal)
      await alert.expectExit(128 + signal)
      #expect(try await daemon.client.presentation(shown.id).outcome == .cancelled(.requester))
    }
  }

  @Test(arguments: ["bash", "dash"]) func `stops a script on Ctrl-C`(shell: String) async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let command = "'\(ChildProcess.products.appending(path: "routerctl").path)' confirm Delete? --socket '\(daemon.socket)'"
      let script = try ChildProcess(
        "/usr/bin/env", [shell, "-c", "for i in 1 2 3; do \(command); done; echo deploying anyway"])
      let shown = try await presenter.nextPresentation()
      // Like a terminal, signal the whole process group.
      script.signalGroup(SIGINT)
      #expect(await script.allOutput() == [])
      await script.expectExit(128 + SIGINT)
      #expect(try await daemon.client.presentation(shown.id).outcome == .cancelled(.requester))
      #expect(try await daemon.client.presentations().isEmpty)
    }
  }

  @Test(arguments: ["bash", "dash"])
  func `rate-limits a script after too many refusals, but not after three`(shell: String) async throws {
    try await TestDaemon.run(environment: ["ROUTERD_BACKOFF_DISMISSALS": "3"]) { daemon in
      let presenter = TestPresenter(daemon.client)
      let command = "'\(ChildProcess.products.appending(path: "routerctl").path)' confirm Delete? --socket '\(daemon.socket)'"
      let script = try ChildProcess(
        "/usr/bin/env", [shell, "-c", "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do \(command); echo $?; done"])
      for _ in 1...11 { try await presenter.press(id: "no", on: try await presenter.nextPresentation()) }
      let output = await script.allOutput().filter { $0 != "no" }
      #expect(output == Array(repeating: "1", count: 11) + ["75"])
      #expect(await script.line(with: "asked 11 times after you said no; try again in 10 s") != nil)
      await script.expectExit()
    }
  }

  @Test func `lists, answers, awaits and dismisses a detached sheet`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let asking = try routerctl(
        "sheet", "contact", "--field", "name:string!", "--field", "age:integer", "--detach", on: daemon)
      let id = try #require(await asking.allOutput().first)
      _ = try await presenter.nextPresentation()
      let queue = await (try routerctl("queue", on: daemon)).allOutput()
      #expect(queue.count == 1)
      #expect(queue.first?.hasPrefix("\(id)\tmain\tpresented\tnormal\t\(ProcessIdentity.current.callerName)\t") == true)

      let wrong = try routerctl("answer", id, "--value", #"{"age":1.5}"#, on: daemon)
      await wrong.expectExit(64)
      let waiting = try routerctl("wait", id, on: daemon)
      await (try routerctl("answer", id, "--value", #"{"name":"Ada"}"#, on: daemon)).expectExit()
      #expect(await waiting.allOutput() == [#"{"name":"Ada"}"#])
      await waiting.expectExit()
      await (try routerctl("dismiss", id, on: daemon)).expectExit(7)
    }
  }

  @Test func `puts a prompt off, and shows one first`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let ids = [try await daemon.client.detach(.alert("a")).id, try await daemon.client.detach(.alert("b")).id]
      #expect(try await presenter.nextPresentation().id == ids[0])
      let snoozing = try routerctl("snooze", "\(ids[0])", "--for", "1h", on: daemon)
      #expect(await snoozing.allOutput().first?.hasPrefix("Comes back at ") == true)
      await snoozing.expectExit()
      #expect(try await presenter.nextPresentation().id == ids[1])
      // One that waits can be put off again, but its showing is over.
      await (try routerctl("snooze", "\(ids[0])", "--for", "2h", on: daemon)).expectExit()
      await (try routerctl("snooze", "\(ids[0])", "--generation", "1", on: daemon)).expectExit(7)
      await (try routerctl("snooze", "\(ids[1])", "--for", "5s", on: daemon)).expectExit(64)
      await (try routerctl("snooze", "\(ids[0])", "--end", on: daemon)).expectExit()
      #expect(try await daemon.client.presentation(ids[0]).snoozedUntil == nil)
      await (try routerctl("raise", "\(ids[0])", on: daemon)).expectExit()
      #expect(try await presenter.nextPresentation().id == ids[0])
      #expect(try await daemon.client.presentations().map(\.id) == ids)
    }
  }

  @Test func `presents with --exec, and ends the command when the prompt is withdrawn`() async throws {
    try await TestDaemon.run { daemon in
      let answering = try routerctl("present", "--once", "--exec", "grep -q Deploy && echo yes", on: daemon)
      #expect(try await daemon.client.submit(.alert("Deploy?")).resolved().outcome == .answered(.button("yes")))
      await answering.expectExit()

      let hanging = try routerctl("present", "--once", "--exec", "echo here >&2; sleep 1000", on: daemon)
      let handle = daemon.client.submit(.alert("Never"))
      while try await daemon.client.presentation(try await handle.accepted().id).state == .queued {}
      handle.cancel()
      #expect(try await handle.resolved().outcome == .cancelled(.requester))
      await hanging.expectExit()
    }
  }

  @Test func `exits with 69 without a daemon`() async throws {
    let status = try ChildProcess("routerctl", ["status", "--socket", "/nonexistent/s"])
    #expect(await status.line(with: "cannot reach routerd at /nonexistent/s: is it running?") != nil)
    await status.expectExit(69)
  }
}
