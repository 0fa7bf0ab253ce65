import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// Agents in a PID namespace of their own, as in a container, with routerd outside.
/// Promises P41, P85.
@Suite(.enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"), .timeLimit(.minutes(10)))
struct AgentContainerTests {
  private static let routerctl = ChildProcess.products.appending(path: "routerctl").path
  private static let event =
    #"{"hook_event_name":"PreToolUse","permission_mode":"default","session_id":"s","cwd":"/tmp","tool_name":"Bash","tool_input":{"command":"ls"}}"#

  /// The agent, played by timeout(1), is process 1, or the child of a shell that is.
  @Test(arguments: [true, false]) func `keeps an agent from answering its own prompt`(isFirst: Bool) async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      _ = try await presenter.nextEvent()
      let event = daemon.directory + "/event"
      try Self.event.write(toFile: event, atomically: true, encoding: .utf8)
      let script = """
        \(Self.routerctl) agent hook < \(event) &
        read id
        \(Self.routerctl) answer $id --button allow; echo $?
        \(Self.routerctl) cancel $id; echo $?
        wait
        """
      let agent = ["/usr/bin/timeout", "1000", "/bin/sh", "-c", script]
      let shell = ["/bin/sh", "-c", "\"$@\"; exit $?", "sh"]
      let input = try ChildPipe()
      let container = try ChildProcess(
        "/usr/bin/unshare", ["--pid", "--fork", "--kill-child", "--mount-proc"] + (isFirst ? agent : shell + agent),
        environment: ["ROUTERD_SOCKET": daemon.socket], input: input.reading)
      let shown = try await presenter.nextPresentation()
      let named = try #require(shown.requester.process.ancestry?.first { $0.pid == shown.request.agent })
      #expect(named.name == "timeout")
      input.write("\(shown.id)\n")
      var output = container.output.makeAsyncIterator()
      #expect(await output.next() == "77")
      #expect(await output.next() == "77")
      #expect(try await daemon.client.presentation(shown.id).outcome == nil)
      try await presenter.press(id: "deny", on: shown)
      let decision = try JSONValue(parsing: await output.next() ?? "")
      #expect(decision["hookSpecificOutput"]?["permissionDecision"] == "deny")
      await container.expectExit()
    }
  }

  @Test func `does not take a container's init process for the agent`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client, script: [.press(id: "deny")])
      _ = try await presenter.nextEvent()
      let (event, tini) = (daemon.directory + "/event", daemon.directory + "/tini")
      try Self.event.write(toFile: event, atomically: true, encoding: .utf8)
      try FileManager.default.copyItem(atPath: "/usr/bin/timeout", toPath: tini)
      let container = try ChildProcess(
        "/usr/bin/unshare",
        ["--pid", "--fork", "--kill-child", "--mount-proc", tini, "1000", "/bin/sh", "-c"]
          + ["\(Self.routerctl) agent hook < \(event); exit $?"],
        environment: ["ROUTERD_SOCKET": daemon.socket])
      #expect(await container.allOutput().count == 1)
      await container.expectExit()
      #expect(presenter.shown.map(\.request.agent) == [nil])
    }
  }
}
