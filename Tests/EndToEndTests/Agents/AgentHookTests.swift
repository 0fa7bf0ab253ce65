import Foundation
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import Testing

/// `routerctl agent hook` against a real daemon, as Claude Code and Codex start it.
@Suite(.timeLimit(.minutes(20)))
struct AgentHookTests {
  private static let call = #""session_id":"s","cwd":"/tmp","tool_name":"Bash","tool_input":{"command":"ls"}"#

  private static let routerctl = ChildProcess.products.appending(path: "routerctl").path

  private func hook(
    _ event: String, _ call: String = Self.call, _ arguments: [String] = [], socket: String,
    environment: [String: String] = [:]
  ) throws -> ChildProcess {
    let input = try ChildPipe()
    // timeout(1) plays the agent. It cannot be this process, which runs the presenter: an agent's answers are refused.
    let process = try ChildProcess(
      "/usr/bin/timeout", ["1000", Self.routerctl, "agent", "hook"] + arguments,
      environment: environment.merging(["ROUTERD_SOCKET": socket]) { $1 },
      input: input.reading)
    input.write(#"{"hook_event_name":"\#(event)",\#(call)}"#)
    input.closeWriting()
    return process
  }

  /// Attaches a presenter first, because the hook does not wait for one.
  private func presenter(of daemon: TestDaemon, script: [TestPresenter.Step] = []) async throws -> TestPresenter {
    let presenter = TestPresenter(daemon.client, script: script)
    _ = try await presenter.next()
    return presenter
  }

  private func output(_ process: ChildProcess) async throws -> JSONValue? {
    let lines = await process.allOutput()
    await process.expectExit()
    #expect(lines.count <= 1)
    return try lines.first.map { try JSONValue(parsing: $0)["hookSpecificOutput"] ?? .null }
  }

  @Test func `returns a person's answer as the decision`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(of: daemon, script: [.press("allow"), .press("deny"), .dismiss])
      let allowed = try await output(try hook("PermissionRequest", socket: daemon.socket))
      #expect(allowed?["decision"] == ["behavior": "allow"])
      let denied = try await output(try hook("PreToolUse", socket: daemon.socket))
      #expect(denied?["permissionDecision"] == "deny")
      let closed = try await output(try hook("PermissionRequest", socket: daemon.socket))
      #expect(closed?["decision"]?["behavior"] == "deny")
      #expect(presenter.shown.map(\.requester.app) == ["claude-code", "claude-code", "claude-code"])
    }
  }

  @Test(arguments: [
    ("PostToolUse", #","tool_response":{"exit_code":3}"#, ActReport.Result.status(3)),
    ("PostToolUse", #","tool_response":{"stdout":"x"}"#, .status(0)),
    ("PostToolUseFailure", #","error":"Exit code 1""#, .failed("Exit code 1")),
  ]) func `reports what came of an approved call, once`(event: String, more: String, result: ActReport.Result) async throws {
    try await TestDaemon.run { daemon in
      let runtime = try TemporaryDirectory()
      func hook(_ event: String, _ more: String = "") throws -> ChildProcess {
        try self.hook(event, Self.call + more, socket: daemon.socket, environment: ["XDG_RUNTIME_DIR": runtime.path])
      }
      let presenter = try await presenter(of: daemon, script: [.press("allow")])
      _ = try await output(try hook("PreToolUse"))
      let asked = try #require(presenter.shown.first)
      for _ in 0..<2 { #expect(try await output(try hook(event, more)) == nil) }
      let ran = try #require(try await daemon.client.presentation(asked.id).ran)
      #expect(ran.report.result == result && ran.report.act == asked.request.act?.digest)
    }
  }

  @Test func `reports each of two equal calls under way`() async throws {
    try await TestDaemon.run { daemon in
      let runtime = try TemporaryDirectory()
      let presenter = try await presenter(of: daemon, script: [.press("allow"), .press("allow")])
      for event in ["PreToolUse", "PreToolUse", "PostToolUse", "PostToolUse"] {
        _ = try await output(try hook(event, socket: daemon.socket, environment: ["XDG_RUNTIME_DIR": runtime.path]))
      }
      for shown in presenter.shown { #expect(try await daemon.client.presentation(shown.id).ran != nil) }
      #expect(presenter.shown.count == 2)
    }
  }

  @Test func `makes the host ask, or deny, without a daemon, a presenter or an answer`() async throws {
    /// The decision about each event that asks.
    func decisions(_ arguments: [String] = [], socket: String) async throws -> [JSONValue?] {
      let (codex, deferred) = (["--app", "codex"], ["--defer", "--on-dismiss", "x"])
      let permission = try await output(try hook("PermissionRequest", Self.call, arguments, socket: socket))
      var decisions = [permission]
      for (more, call) in [([], ""), (codex, ""), (deferred, #","tool_use_id":"t""#)] {
        let output = try await output(try hook("PreToolUse", Self.call + call, arguments + more, socket: socket))
        decisions.append(output?["permissionDecision"])
      }
      return decisions
    }
    let undecided: [JSONValue?] = [nil, "ask", "deny", "ask"]
    #expect(try await decisions(socket: "/nonexistent/s") == undecided)
    try await TestDaemon.run { daemon in
      #expect(try await decisions(socket: daemon.socket) == undecided)
      let presenter = try await presenter(of: daemon)
      #expect(try await decisions(["--timeout", "100ms"], socket: daemon.socket) == undecided)
      _ = try await presenter.nextPresentation()
      #expect(try await output(try hook("PostToolUse", socket: "/nonexistent/s")) == nil)
    }
  }

  /// Events that cannot be read, or that lead to a prompt that routerd does not accept.
  private static let odd: [String] = {
    func questions(_ text: String) -> String {
      #""session_id":"s","tool_name":"AskUserQuestion","tool_input":{"questions":[\#(text)]}"#
    }
    func options(_ labels: String) -> String { #"{"question":"Q","options":[\#(labels)]}"# }
    return [
      #""tool_name":"Bash","tool_input":{"command":"ls \ud800"}"#, #""tool_name":"Bash","tool_input":{"a":1,"a":2}"#,
      #""tool_name":"Bash","tool_input":"# + String(repeating: "[", count: 200) + String(repeating: "]", count: 200),
      #""tool_name":"Bash","tool_input":{"command":"\#(String(repeating: "x", count: 17 << 20))"}"#,
      #""tool_name":"Bash","tool_input":{"command":"ls"#, #""tool_name":7"#, #""tool_input":{}"#,
      questions(options(#"{"label":"A"},{"label":"A"}"#)), questions(options(#"{"label":""}"#)),
      questions(Array(repeating: options(#"{"label":"A"}"#), count: 200).joined(separator: ",")),
      questions(options((0..<2000).map { #"{"label":"\#($0)"}"# }.joined(separator: ","))),
      questions(#"{"question":"","options":[{"label":" "},{"label":"\t"}]}"#),
    ]
  }()
  private static let unreadableCount = 7

  @Test(arguments: odd.indices) func `does not leave an odd call to the host's own rules`(index: Int) async throws {
    try await TestDaemon.run { daemon in
      // A prompt that is shown after all is closed, which denies.
      let presenter = try await presenter(of: daemon, script: [.dismiss, .dismiss])
      for (arguments, undecided) in [([], "ask"), (["--app", "codex"], "deny")] {
        let decision = try await output(try hook("PreToolUse", Self.odd[index], arguments, socket: daemon.socket))
        let word = decision?["permissionDecision"]?.string ?? "nothing"
        let allowed = index < Self.unreadableCount ? [undecided] : [undecided, "deny"]
        #expect(allowed.contains(word), "\(Self.odd[index].prefix(200)): \(word)")
      }
      withExtendedLifetime(presenter) {}
    }
  }

  @Test(arguments: ["", "[]", "{}", "\u{FEFF}", #"{"hook_event_name":7}"#, "\0"])
  func `takes an event without a name for one that needs a decision`(text: String) async throws {
    let input = try ChildPipe()
    let process = try ChildProcess(
      "/usr/bin/timeout", ["1000", Self.routerctl, "agent", "hook"], environment: ["ROUTERD_SOCKET": "/nonexistent/s"],
      input: input.reading)
    input.write(text)
    input.closeWriting()
    #expect(try await output(process)?["permissionDecision"] == "ask")
  }

  @Test func `does not let the agent's children end the prompt`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(of: daemon)
      let event = daemon.directory + "/event"
      try #"{"hook_event_name":"PreToolUse",\#(Self.call)}"#.write(toFile: event, atomically: true, encoding: .utf8)
      let input = try ChildPipe()
      // timeout(1) plays the agent, with the hook and another child.
      let script = """
        \(Self.routerctl) agent hook < \(event) & read id
        for end in 'cancel' 'answer --button allow' 'answer --button deny'; do \(Self.routerctl) $end $id; echo $?; done
        wait
        """
      let agent = try ChildProcess(
        "/usr/bin/timeout", ["1000", "/bin/sh", "-c", script], environment: ["ROUTERD_SOCKET": daemon.socket],
        input: input.reading)
      let shown = try await presenter.nextPresentation()
      input.write("\(shown.id)\n")
      var output = agent.output.makeAsyncIterator()
      for _ in 0..<3 { #expect(await output.next() == "77") }
      try await presenter.press("deny", on: shown)
      let decision = try JSONValue(parsing: await output.next() ?? "")
      #expect(decision["hookSpecificOutput"]?["permissionDecision"] == "deny")
      await agent.expectExit()
    }
  }

  @Test func `fails on a malformed event without a decision, with status 64`() async throws {
    let process = try hook("PermissionRequest", #""tool_name":1"#, socket: "/nonexistent/s")
    #expect(await process.allOutput() == [])
    await process.expectExit(64)
  }

  @Test func `reads an event from a socket`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(of: daemon, script: [.press("allow")])
      var ends: [CInt] = [0, 0]
      #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
      let process = try ChildProcess(
        "/usr/bin/timeout", ["1000", Self.routerctl, "agent", "hook"], environment: ["ROUTERD_SOCKET": daemon.socket],
        input: ends[0])
      let text = Array(#"{"hook_event_name":"PermissionRequest",\#(Self.call)}"#.utf8)
      #expect(write(ends[1], text, text.count) == text.count)
      close(ends[0])
      close(ends[1])
      #expect(try await output(process)?["decision"]?["behavior"] == "allow")
      #expect(presenter.shown.count == 1)
    }
  }

  @Test func `escapes hostile text`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(of: daemon, script: [.press("deny")])
      let call = #""session_id":"s\u001b","tool_name":"Bash\u202e\n","tool_input":{"command":"ls \u202e\u0000 \u001b[2J"}"#
      #expect(try await output(try hook("PermissionRequest", call, socket: daemon.socket))?["decision"]?["behavior"] == "deny")
      let request = try #require(presenter.shown.first).request
      #expect(request.title == #"Bash\u{202E} ls \u{202E}\u{0} \u{1B}[2J?"#)
      #expect(PromptDescription(request).blocks.first?.text == #"ls \u{202E}\u{0} \u{1B}[2J"#)
    }
  }

  @Test func `withdraws the prompt when the agent ends, even with a shell in between`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(of: daemon)
      let event = daemon.directory + "/event"
      try #"{"hook_event_name":"PermissionRequest",\#(Self.call)}"#.write(toFile: event, atomically: true, encoding: .utf8)
      // timeout(1) plays the agent; the shell in between survives it.
      let agent = try ChildProcess(
        "/usr/bin/timeout", ["1000", "/bin/sh", "-c", "\(Self.routerctl) agent hook < \(event); sleep 1000 & echo $!; wait"],
        environment: ["ROUTERD_SOCKET": daemon.socket])
      let shown = try await presenter.nextPresentation()
      agent.signal(SIGKILL)
      let (id, _) = try await presenter.nextWithdrawal()
      #expect(id == shown.id)
      for await line in agent.output {
        if let pid = Int32(line) { kill(pid, SIGKILL) }
      }
    }
  }

  @Test func `withdraws the prompt through a later hook of the same agent`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(of: daemon)
      for name in ["PermissionRequest", "PostToolUse"] {
        try #"{"hook_event_name":"\#(name)",\#(Self.call)}"#
          .write(toFile: "\(daemon.directory)/\(name)", atomically: true, encoding: .utf8)
      }
      let input = try ChildPipe()
      let hook = "\(Self.routerctl) agent hook < \(daemon.directory)"
      let agent = try ChildProcess(
        "/usr/bin/timeout", ["1000", "/bin/sh", "-c", "\(hook)/PermissionRequest & read line; \(hook)/PostToolUse; wait"],
        environment: ["ROUTERD_SOCKET": daemon.socket], input: input.reading)
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.agent == agent.pid)
      input.write("\n")
      #expect(try await presenter.nextWithdrawal().id == shown.id)
      #expect(await agent.allOutput() == [])
      await agent.expectExit()
      #expect(try await daemon.client.presentation(shown.id).outcome == .cancelled(.requester))
    }
  }

  @Test func `withdraws no prompt of a hook that started at the same time`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(of: daemon)
      for name in ["PermissionRequest", "PostToolUse"] {
        for session in 1...8 {
          let call = Self.call.replacing(#""s""#, with: #""\#(session)""#)
          try #"{"hook_event_name":"\#(name)",\#(call)}"#
            .write(toFile: "\(daemon.directory)/\(name)-\(session)", atomically: true, encoding: .utf8)
        }
      }
      let hook = "\(Self.routerctl) agent hook < \(daemon.directory)"
      let script = """
        for i in 1 2 3 4 5 6 7 8; do \(hook)/PermissionRequest-$i & done
        read line
        for i in 1 2 3 4; do \(hook)/PostToolUse-$i; done
        wait
        """
      let input = try ChildPipe()
      let agent = try ChildProcess(
        "/usr/bin/timeout", ["1000", "/bin/sh", "-c", script], environment: ["ROUTERD_SOCKET": daemon.socket],
        input: input.reading)
      try await daemon.eventually("all eight ask") { try await daemon.open().count == 8 }
      input.write("\n")
      try await daemon.eventually("four are withdrawn") { try await daemon.open().count == 4 }
      var denied = 0
      while denied < 4 {
        let shown = try await presenter.nextPresentation()
        // A withdrawn prompt, which was shown before the others, takes no answer.
        if (try? await presenter.press("deny", on: shown)) != nil { denied += 1 }
      }
      #expect(await agent.allOutput().count == 4)
      await agent.expectExit()
    }
  }

  @Test func `withdraws the prompt when the agent's own dialog is answered`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(of: daemon)
      let asking = try hook("PermissionRequest", socket: daemon.socket)
      let shown = try await presenter.nextPresentation()
      let other = Self.call.replacing("ls", with: "pwd")
      #expect(try await output(try hook("PostToolUse", other, socket: daemon.socket)) == nil)
      #expect(try await daemon.client.presentation(shown.id).state == .presented)
      #expect(try await output(try hook("PostToolUse", socket: daemon.socket)) == nil)
      #expect(await asking.allOutput() == [])
      #expect(try await daemon.client.presentation(shown.id).outcome?.name == .cancelled)
    }
  }

  @Test func `returns the answer of a deferred call when the call is repeated`() async throws {
    try await TestDaemon.run { daemon in
      let call = Self.call + #","tool_use_id":"t""#
      let resumed = daemon.directory + "/resumed"
      try #require(mkfifo(resumed, 0o600) == 0)
      let reading = try ChildProcess("/bin/cat", [resumed])
      let arguments = ["--defer", "--resume-command", "echo $ROUTER_AGENT_SESSION > \(resumed)"]
      func ask() async throws -> String? {
        try await output(try hook("PreToolUse", call, arguments, socket: daemon.socket))?["permissionDecision"]?.string
      }
      #expect(try await ask() == "defer")
      #expect(try await ask() == "defer")
      let open = try await daemon.open()
      #expect(open.count == 1)
      // The end of the deferred run does not withdraw the prompt.
      #expect(try await output(try hook("SessionEnd", call, socket: daemon.socket)) == nil)
      let presenter = try await presenter(of: daemon, script: [.press("allow")])
      #expect(try await daemon.client.presentation(open[0].id, wait: .seconds(60)).outcome == .answered(.button("allow")))
      #expect(try await ask() == "allow")
      #expect(presenter.shown.count == 1)
      #expect(await reading.allOutput() == ["s"])
    }
  }

  @Test(arguments: ["", #","tool_use_id":"""#])
  func `asks about every call that has no id, even with --defer`(id: String) async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(of: daemon, script: [.press("allow"), .press("deny")])
      func ask() async throws -> String? {
        try await output(try hook("PreToolUse", Self.call + id, ["--defer"], socket: daemon.socket))?["permissionDecision"]?
          .string
      }
      #expect(try await ask() == "allow")
      #expect(try await ask() == "deny")
      #expect(presenter.shown.count == 2)
    }
  }

  @Test func `asks about a deferred change again if the file has changed`() async throws {
    try await TestDaemon.run { daemon in
      let file = daemon.directory + "/file"
      try "1\n".write(toFile: file, atomically: true, encoding: .utf8)
      let call =
        #""session_id":"s","tool_use_id":"t","tool_name":"Write","tool_input":{"file_path":"\#(file)","content":"2\n"}"#
      func ask() async throws -> String? {
        try await output(try hook("PreToolUse", call, ["--defer"], socket: daemon.socket))?["permissionDecision"]?.string
      }
      #expect(try await ask() == "defer")
      let presenter = try await presenter(of: daemon, script: [.press("allow")])
      let first = try await presenter.nextPresentation()
      #expect(try await daemon.client.presentation(first.id, wait: .seconds(60)).state == .resolved)
      try "changed\n".write(toFile: file, atomically: true, encoding: .utf8)
      #expect(try await ask() == "defer")
      #expect(try await presenter.nextPresentation().id != first.id)
    }
  }
}
