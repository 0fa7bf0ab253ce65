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
    _ event: String, _ call: String = Self.call, _ arguments: [String] = [], socket: String
  ) throws -> ChildProcess {
    let input = try ChildPipe()
    // timeout(1) plays the agent. It cannot be this process, which runs the presenter: an agent's answers are refused.
    let process = try ChildProcess(
      "/usr/bin/timeout", ["1000", Self.routerctl, "agent", "hook"] + arguments, environment: ["ROUTERD_SOCKET": socket],
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

  @Test func `leaves the decision to the host without a daemon, a presenter or an answer`() async throws {
    #expect(try await output(try hook("PermissionRequest", socket: "/nonexistent/s")) == nil)
    try await TestDaemon.run { daemon in
      #expect(try await output(try hook("PermissionRequest", socket: daemon.socket)) == nil)
      let presenter = try await presenter(of: daemon)
      #expect(try await output(try hook("PreToolUse", Self.call, ["--timeout", "100ms"], socket: daemon.socket)) == nil)
      _ = try await presenter.nextPresentation()
      #expect(try await output(try hook("PostToolUse", socket: "/nonexistent/s")) == nil)
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
      #expect(request.title == #"Bash\u{202E} : run this command?"#)
      #expect(PromptDescription(request).blocks.last?.text == #"ls \u{202E}\u{0} \u{1B}[2J"#)
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

  @Test func `withdraws the prompt when the agent's own dialog is answered`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await presenter(of: daemon)
      let asking = try hook("PermissionRequest", socket: daemon.socket)
      let shown = try await presenter.nextPresentation()
      let other = Self.call.replacing("ls", with: "pwd")
      #expect(try await output(try hook("PostToolUse", other, socket: daemon.socket)) == nil)
      #expect(try await daemon.client.presentation(shown.id).state == .presented)
      #expect(try await output(try hook("PostToolUse", socket: daemon.socket)) == nil)
      #expect(try await output(asking) == nil)
      #expect(try await daemon.client.presentation(shown.id).outcome?.name == .cancelled)
    }
  }

  @Test func `returns the answer of a deferred call when the call is repeated`() async throws {
    try await TestDaemon.run { daemon in
      let call = Self.call + #","tool_use_id":"t""#
      let (file, log) = (daemon.directory + "/resumed", daemon.directory + "/log")
      let arguments = ["--defer", "--resume-command", "echo $ROUTER_AGENT_SESSION >> \(log) && mv \(log) \(file)"]
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
      while !FileManager.default.fileExists(atPath: file) { await Task.yield() }
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "s\n")
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
