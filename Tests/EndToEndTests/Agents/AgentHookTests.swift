import Foundation
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// `routerctl agent hook` against a real daemon, as Claude Code and Codex start it.
/// Promises P41, P42, P52, P85.
@Suite(.timeLimit(.minutes(10)))
struct AgentHookTests {
  private static let call = #""session_id":"s","cwd":"/tmp","tool_name":"Bash","tool_input":{"command":"ls"}"#

  private static let routerctl = ChildProcess.products.appending(path: "routerctl").path

  private func hook(
    _ event: String, _ call: String = Self.call, _ arguments: [String] = [], mode: String = "default", socket: String,
    environment: [String: String] = [:]
  ) throws -> ChildProcess {
    try hook(
      text: #"{"hook_event_name":"\#(event)","permission_mode":"\#(mode)",\#(call)}"#, arguments, socket: socket,
      environment: environment)
  }

  private func hook(
    text: String, _ arguments: [String] = [], socket: String, environment: [String: String] = [:], input: ChildPipe? = nil
  ) throws -> ChildProcess {
    let staysOpen = input != nil
    let input = try input ?? ChildPipe()
    // timeout(1) plays the agent. It cannot be this process, which runs the presenter: an agent's answers are refused.
    let process = try ChildProcess(
      "/usr/bin/timeout", ["1000", Self.routerctl, "agent", "hook"] + arguments,
      environment: environment.merging(["ROUTERD_SOCKET": socket]) { $1 },
      input: input.reading)
    input.write(text)
    if !staysOpen { input.closeWriting() }
    return process
  }

  /// Attaches a presenter first, because the hook does not wait for one.
  private func presenter(of daemon: TestDaemon, script: [TestPresenter.Step] = []) async throws -> TestPresenter {
    let presenter = TestPresenter(daemon.client, script: script)
    _ = try await presenter.nextEvent()
    return presenter
  }

  private func output(_ process: ChildProcess) async throws -> JSONValue? {
    try await printed(process).map { $0["hookSpecificOutput"] ?? .null }
  }

  private func printed(_ process: ChildProcess) async throws -> JSONValue? {
    let lines = await process.allOutput()
    await process.expectExit()
    #expect(lines.count <= 1)
    return try lines.first.map { try JSONValue(parsing: $0) }
  }

  @Test func `returns a person's answer as the decision`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(of: daemon, script: [.press(id: "allow"), .press(id: "deny"), .dismiss])
      let allowed = try await output(try hook("PermissionRequest", socket: daemon.socket))
      #expect(allowed?["decision"] == ["behavior": "allow"])
      let denied = try await output(try hook("PreToolUse", socket: daemon.socket))
      #expect(denied?["permissionDecision"] == "deny")
      let closed = try await output(try hook("PermissionRequest", socket: daemon.socket))
      #expect(closed?["decision"]?["behavior"] == "deny")
      #expect(presenter.shown.map(\.requester.app) == ["claude-code", "claude-code", "claude-code"])
    }
  }

  /// timeout(1) plays the agent, whose calls are one session.
  @Test func `a remembered change covers no file that steers a program or has other names`() async throws {
    try await TestDaemon.run { daemon in
      let directory = try TemporaryDirectory()
      let (plain, linked) = (try directory.write("x", to: "plain"), try directory.write("x", to: "linked"))
      #expect(link(linked, directory.file("elsewhere")) == 0)
      let paths = [
        plain, directory.file("new/b.txt"), directory.file(".git/config"), linked, directory.file("CLAUDE.md"), plain,
      ]
      let calls = paths.map { path in
        let call: JSONValue = [
          "hook_event_name": "PermissionRequest", "permission_mode": "default", "session_id": "s",
          "cwd": .string(directory.path),
          "tool_name": "Write",
          "tool_input": ["file_path": .string(path), "content": "y"],
        ]
        return call.description
      }
      let script = calls.map { "printf %s '\($0)' | '\(Self.routerctl)' agent hook" }.joined(separator: "\n")
      let presenter = try await presenter(of: daemon)
      let agent = try ChildProcess(
        "/usr/bin/timeout", ["1000", "/bin/bash", "-c", script + "\n:"], environment: ["ROUTERD_SOCKET": daemon.socket])
      let first = try await presenter.nextPresentation()
      var extra = AnswerExtra()
      extra.remember = GrantChoice(GrantOffer.Width(.under), for: .session)
      _ = try await daemon.client.answer(first.id, .button("allow"), extra, generation: first.generation)
      for (path, mark) in [
        (paths[2], ".git (git runs"), (linked, "hard links (the file has 2"), (paths[4], "CLAUDE.md (agents obey"),
      ] {
        let shown = try await presenter.nextPresentation()
        #expect(shown.request.act?.object == path && shown.offer == nil)
        let prompt = try await daemon.client.prompt(of: shown.id)
        #expect(prompt.prompt.blocks.contains { $0.text.contains("Look twice: \(mark)") }, "\(prompt)")
        try await presenter.press(id: "deny", on: shown)
      }
      #expect(await agent.allOutput().count == paths.count)
      let settled = try await daemon.client.log(["decidedBy": "grant"])["presentations"]?.array ?? []
      #expect(Set(settled.compactMap { $0["request"]?["act"]?["object"]?.string }) == [plain, paths[1]])
      #expect(settled.count == 2)
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
      let presenter = try await presenter(of: daemon, script: [.press(id: "allow")])
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
      let presenter = try await presenter(of: daemon, script: [.press(id: "allow"), .press(id: "allow")])
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

  @Test func `answers an agent that leaves the input open`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(of: daemon, script: [.press(id: "allow")])
      let input = try ChildPipe()
      let text = #"{"hook_event_name":"PreToolUse","permission_mode":"default",\#(Self.call)}"#
      let process = try hook(text: text, socket: daemon.socket, input: input)
      #expect(try await output(process)?["permissionDecision"] == "allow")
      input.closeWriting()
      withExtendedLifetime(presenter) {}
    }
  }

  private static let foreign = [
    #"{"event":"before-tool","session":"s","tool":"bash","input":{"command":"ls"}}"#,
    // An event of Claude Code that asks has a mode.
    #"{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","tool_name":"Bash","tool_input":{}}"#,
    "{}", "[]", #"{"hook_event_name":7}"#,
  ]

  @Test(arguments: foreign) func `prints nothing for an event of an unknown agent, and doctor names the agent`(
    text: String
  ) async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(of: daemon)
      let directory = try TemporaryDirectory()
      let environment = ["XDG_RUNTIME_DIR": directory.path, "HOME": directory.path]
      #expect(try await output(try hook(text: text, socket: daemon.socket, environment: environment)) == nil)
      #expect(try await daemon.open().isEmpty && presenter.shown.isEmpty)
      let doctor = try ChildProcess(
        "routerctl", ["agent", "doctor"], environment: environment.merging(["ROUTERD_SOCKET": daemon.socket]) { $1 })
      // timeout(1) plays the host.
      #expect(await doctor.allOutput().contains { $0.contains("timeout runs the hook") })
      await doctor.expectExit(8)
    }
  }

  /// The events of each agent, with the expected answers.
  private static func payloads() throws -> [(host: String, payload: JSONValue)] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../routerctlTests/Payloads")
      .standardized
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }.sorted()
    return try files.map { file in
      (
        String(file.prefix { $0 != "/" }),
        try JSONValue(parsing: String(contentsOf: folder.appending(path: file), encoding: .utf8))
      )
    }
  }

  @Test(arguments: ["allow", "deny"]) func `answers each agent's events in its form`(answer: String) async throws {
    // Not a form, which has no buttons.
    let asking = try Self.payloads().filter { $0.payload["allow"] != nil && $0.payload["call"] != nil }
    #expect(asking.count > 15)
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(of: daemon, script: asking.map { _ in .press(id: answer) })
      for (host, payload) in asking {
        let text = try #require(payload["payload"]).description
        // Qwen Code's events look like Claude Code's.
        let arguments = host == "qwen" ? ["--app", "qwen-code"] : []
        let printed = try await printed(try hook(text: text, arguments, socket: daemon.socket))
        let denied = "The user denied this tool call."
        let expected = payload[answer]?.description.replacing(#""why""#, with: "\"\(denied)\"")
        #expect(printed?.description == expected, "\(host): \(text)")
      }
      #expect(presenter.shown.count == asking.count)
    }
  }

  /// The daemon accepts connections, but does not read from them.
  @Test(.timeLimit(.minutes(2))) func `leaves the decision to the agent if the daemon does not respond`() async throws {
    let directory = try TemporaryDirectory()
    let silent = try UnixSocket.listen(at: directory.file("s"))
    defer { close(silent) }
    async let permission = printed(try hook("PermissionRequest", socket: directory.file("s")))
    async let call = output(try hook("PreToolUse", socket: directory.file("s")))
    async let end = printed(try hook("Stop", socket: directory.file("s")))
    #expect(try await permission == nil)
    let asks = try await call
    #expect(asks?["permissionDecision"] == "ask")
    #expect(asks?["permissionDecisionReason"]?.string?.contains("does not respond") == true)
    #expect(try await end == nil)
    // Copilot CLI would go on by its own rules after its limit, here 300 ms after the prompt's timeout and the margin.
    let payload = try #require(try Self.payloads().first { $0.host == "copilot" && $0.payload["event"] == "PermissionRequest" })
    let text = try #require(payload.payload["payload"]).description
    let late = try await printed(try hook(text: text, ["--limit", "300ms"], socket: directory.file("s")))
    #expect(late?["behavior"] == "deny" && late?["message"]?.string?.contains("did not refuse") == true)
  }

  @Test func `answers the elicitation of an MCP server with the values of a form`() async throws {
    let payload = try #require(try Self.payloads().first { $0.payload["event"] == "Elicitation" }?.payload["payload"])
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(of: daemon, script: [.answer(["name": "Ada", "size": 3]), .dismiss])
      let accepted = try await output(try hook(text: payload.description, socket: daemon.socket))
      #expect(accepted?["action"] == "accept" && accepted?["content"] == ["name": "Ada", "size": 3])
      #expect(presenter.shown.first?.request.title == "Answer to shop")
      let declined = try await output(try hook(text: payload.description, socket: daemon.socket))
      #expect(declined?["action"] == "decline")
      // A form with a secret, and a page to open, stay with the host.
      for other in [#""name""#, #""form""#] {
        let text = payload.description.replacing(other, with: other == #""form""# ? #""url""# : #""password""#)
        #expect(try await printed(try hook(text: text, socket: daemon.socket)) == nil)
      }
      #expect(presenter.shown.count == 2)
    }
  }

  @Test func `answers only the agent that the hook was installed for`() async throws {
    let foreign = try Self.payloads().filter { $0.payload["call"] != nil && $0.payload["allow"] != nil && $0.host != "cursor" }
    for (host, payload) in foreign {
      let text = try #require(payload["payload"]).description
      #expect(try await printed(try hook(text: text, ["--app", "cursor"], socket: "/nonexistent/s")) == nil, "\(host)")
    }
  }

  @Test(arguments: ["", "\u{FEFF}", "\0", #"{"a":"#])
  func `fails without a decision on text that is not an event`(text: String) async throws {
    let process = try hook(text: text, socket: "/nonexistent/s")
    #expect(await process.allOutput() == [])
    await process.expectExit(64)
  }

  @Test func `asks nobody in a mode that asks nobody, but a rule still denies`() async throws {
    let rules = try RulesFile(
      """
        - {id: no-rm, match: {act: {verb: Bash, object: "rm *"}}, then: deny, message: Use trash.}
        - {id: ls, match: {act: {verb: Bash, object: ls}}, then: ask}

      """)
    defer { rules.remove() }
    try await TestDaemon.run(environment: rules.environment()) { daemon in
      let presenter = try await presenter(of: daemon)
      let rm = Self.call.replacing("ls", with: "rm x")
      for mode in ["bypassPermissions", "dontAsk"] {
        for event in ["PreToolUse", "PermissionRequest"] {
          #expect(try await output(try hook(event, mode: mode, socket: daemon.socket)) == nil)
        }
        #expect(try await output(try hook("PermissionRequest", rm, mode: mode, socket: daemon.socket)) == nil)
        #expect(try await output(try hook("PreToolUse", rm, mode: mode, socket: "/nonexistent/s")) == nil)
        let denied = try await output(try hook("PreToolUse", rm, mode: mode, socket: daemon.socket))
        #expect(denied?["permissionDecision"] == "deny")
        #expect(denied?["permissionDecisionReason"]?.string?.contains("Use trash.") == true)
      }
      #expect(presenter.shown.isEmpty)
      let ended = try await daemon.client.logPresentationPage().page
      #expect(try ended.map(\.because) == Array(repeating: .rule("no-rm", rules: rules.digest), count: 2))
    }
  }

  @Test(arguments: ["bypassPermissions", "dontAsk", "auto"])
  func `asks what only the person can answer, in every mode`(mode: String) async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(
        of: daemon, script: [.press("Approve, and edit without asking"), .press("Approve")])
      let plan = #""session_id":"s","tool_name":"ExitPlanMode","tool_input":{"plan":"Plan\n1. **One**","planFilePath":"/p"}"#
      let edits = try await output(try hook("PermissionRequest", plan, mode: mode, socket: daemon.socket))?["decision"]
      #expect(edits?["behavior"] == "allow")
      #expect(edits?["updatedInput"]?["plan"] == "Plan\n1. **One**")
      #expect(edits?["updatedPermissions"] == [["type": "setMode", "mode": "acceptEdits", "destination": "session"]])
      let approved = try await output(try hook("PreToolUse", plan, mode: mode, socket: daemon.socket))
      #expect(approved?["permissionDecision"] == "allow" && approved?["updatedInput"]?["planFilePath"] == "/p")
      let requests = presenter.shown.map(\.request)
      #expect(requests.map(\.messageFormat) == [.markdown, .markdown])
      // PreToolUse cannot change the mode.
      #expect(
        requests.map { $0.buttons.map(\.label) } == [
          ["Approve", "Approve, and edit without asking", "Keep planning"], ["Approve", "Keep planning"],
        ])
    }
  }

  @Test func `asks before the classifier in auto mode, unless only escalations are asked`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(of: daemon, script: [.press(id: "allow"), .press(id: "allow")])
      let option = ["--escalations-only"]
      let before = try await output(try hook("PreToolUse", mode: "auto", socket: daemon.socket))
      #expect(before?["permissionDecision"] == "allow")
      #expect(try await output(try hook("PreToolUse", Self.call, option, mode: "auto", socket: daemon.socket)) == nil)
      let escalated = try await output(try hook("PermissionRequest", Self.call, option, mode: "auto", socket: daemon.socket))
      #expect(escalated?["decision"]?["behavior"] == "allow")
      #expect(presenter.shown.count == 2)
    }
  }

  @Test func `does not count a pause of the session to the prompt's time`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(of: daemon)
      var other = PresentationRequest.alert("Another of the session")
      other.options.app = "claude-code"
      other.options.metadata = [AgentLabel.session: "s"]
      let paused = try await daemon.client.detach(other).id
      #expect(try await presenter.nextPresentation().id == paused)
      _ = try await daemon.client.pauseSession(of: paused, for: .seconds(3600))
      let times = ["--timeout", "100ms", "--limit", "100s"]
      let asking = try hook("PermissionRequest", Self.call, times, socket: daemon.socket)
      try await daemon.eventually("the hook's first prompt expires, and it asks again") {
        let ended = try await daemon.client.logPresentationPage().page.filter { $0.state == .resolved }
        let open = try await daemon.open()
        return ended.map(\.outcome) == [.expired(.queued)] && open.count == 2
      }
      _ = try await daemon.client.cancel(paused)
      try await daemon.client.endPause(paused)
      let shown = try await presenter.nextPresentation()
      try await presenter.press(id: "allow", on: shown)
      #expect(try await output(asking)?["decision"]?["behavior"] == "allow")
    }
  }

  @Test func `passes a comment on the plan to the model`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(of: daemon)
      let plan = #""session_id":"s","tool_name":"ExitPlanMode","tool_input":{"plan":"One"}"#
      for (button, member) in [("approve", "updatedInput"), ("keep", "message")] {
        let asking = try hook("PermissionRequest", plan, socket: daemon.socket)
        let shown = try await presenter.nextPresentation()
        _ = try await daemon.client.answer(shown.id, .button(button), comment: "mind the gap")
        let decision = try await output(asking)?["decision"]
        #expect(decision?[member]?.description.contains("mind the gap") == true)
      }
    }
  }

  @Test func `does not let the agent's children end the prompt`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(of: daemon)
      let event = daemon.directory + "/event"
      try #"{"hook_event_name":"PreToolUse","permission_mode":"default",\#(Self.call)}"#.write(
        toFile: event, atomically: true, encoding: .utf8)
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
      try await presenter.press(id: "deny", on: shown)
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
      let presenter = try await presenter(of: daemon, script: [.press(id: "allow")])
      var ends: [CInt] = [0, 0]
      #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
      let process = try ChildProcess(
        "/usr/bin/timeout", ["1000", Self.routerctl, "agent", "hook"], environment: ["ROUTERD_SOCKET": daemon.socket],
        input: ends[0])
      let text = Array(#"{"hook_event_name":"PermissionRequest","permission_mode":"default",\#(Self.call)}"#.utf8)
      #expect(write(ends[1], text, text.count) == text.count)
      close(ends[0])
      close(ends[1])
      #expect(try await output(process)?["decision"]?["behavior"] == "allow")
      #expect(presenter.shown.count == 1)
    }
  }

  @Test func `escapes hostile text`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(of: daemon, script: [.press(id: "deny")])
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
      try #"{"hook_event_name":"PermissionRequest","permission_mode":"default",\#(Self.call)}"#.write(
        toFile: event, atomically: true, encoding: .utf8)
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
        try #"{"hook_event_name":"\#(name)","permission_mode":"default",\#(Self.call)}"#
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
          try #"{"hook_event_name":"\#(name)","permission_mode":"default",\#(call)}"#
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
        if (try? await presenter.press(id: "deny", on: shown)) != nil { denied += 1 }
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
      let presenter = try await presenter(of: daemon, script: [.press(id: "allow")])
      #expect(try await daemon.client.presentation(open[0].id, wait: .seconds(60)).outcome == .answered(.button("allow")))
      #expect(try await ask() == "allow")
      #expect(presenter.shown.count == 1)
      #expect(await reading.allOutput() == ["s"])
    }
  }

  @Test(arguments: ["", #","tool_use_id":"""#])
  func `asks about every call that has no id, even with --defer`(id: String) async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(of: daemon, script: [.press(id: "allow"), .press(id: "deny")])
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
      let presenter = try await presenter(of: daemon, script: [.press(id: "allow")])
      let first = try await presenter.nextPresentation()
      #expect(try await daemon.client.presentation(first.id, wait: .seconds(60)).state == .resolved)
      try "changed\n".write(toFile: file, atomically: true, encoding: .utf8)
      #expect(try await ask() == "defer")
      #expect(try await presenter.nextPresentation().id != first.id)
    }
  }
}
