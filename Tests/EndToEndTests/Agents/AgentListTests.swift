import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// An hour of agents at work: thirty prompts of five sessions in three directories, asked by the real hook. Every row of every
/// list must tell what was asked, and by whom.
/// Promise P85.
@Suite(.timeLimit(.minutes(10)))
struct AgentListTests {
  private struct Call {
    let session: String
    let directory: String
    let tool: String
    let input: String
    /// What a person recognizes the call by.
    let what: String
    let name: String
  }

  private static let sessions = [
    (id: "a1b2c3d4-0000-4000-8000-000000000001", place: "shop", tag: "0001"),
    (id: "d4e5f6a7-0000-4000-8000-000000000002", place: "shop", tag: "0002"),
    (id: "0199a213-81c0-7800-8aa1-bbab2a035a53", place: "blog", tag: "5a53"),
    (id: "0199a213-81c0-7800-8aa1-bbab2a03a1c4", place: "blog", tag: "a1c4"),
    (id: "77aabbcc-0000-4000-8000-000000000005", place: "router", tag: "0005"),
  ]

  /// Returns the calls, whose files are in a directory per project.
  private func calls(in directory: String) throws -> [Call] {
    try Self.sessions.enumerated().flatMap { number, session in
      let place = "\(directory)/\(session.place)"
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      try "total = 0\n".write(toFile: "\(place)/cart\(number).py", atomically: true, encoding: .utf8)
      let calls: [(tool: String, input: String, what: String)] = [
        ("Bash", #"{"command":"npm test --shard \#(number)","description":"Runs the tests"}"#, "npm test --shard \(number)"),
        ("Bash", #"{"command":"rm -r build\#(number)\nmake"}"#, "rm -r build\(number)"),
        ("Bash", #"{"command":"git push origin v\#(number)"}"#, "git push origin v\(number)"),
        ("Write", #"{"file_path":"\#(place)/ci\#(number).yml","content":"on: push\n"}"#, "ci\(number).yml"),
        (
          "Edit", #"{"file_path":"\#(place)/cart\#(number).py","old_string":"total = 0","new_string":"total = 1"}"#,
          "cart\(number).py"
        ),
        ("mcp__github\(number)__merge_pull_request", #"{"number":42}"#, "github\(number)"),
      ]
      return calls.map { call in
        Call(
          session: session.id, directory: place, tool: call.tool, input: call.input, what: call.what,
          name: ["claude-code", session.place, session.tag].joined(separator: " · "))
      }
    }
  }

  private func hook(_ call: Call, on daemon: TestDaemon) throws -> ChildProcess {
    let input = try ChildPipe()
    // timeout(1) plays the agent.
    let process = try ChildProcess(
      "/usr/bin/timeout", ["1000", ChildProcess.products.appending(path: "routerctl").path, "agent", "hook"],
      environment: ["ROUTERD_SOCKET": daemon.socket], input: input.reading)
    input.write(
      #"""
      {"hook_event_name":"PreToolUse","permission_mode":"default","session_id":"\#(call.session)","cwd":"\#(call.directory)",\#
      "tool_name":"\#(call.tool)","tool_input":\#(call.input)}
      """#)
    input.closeWriting()
    return process
  }

  /// Expects one row for each call, with what was asked and who asked.
  private func expect(_ calls: [Call], in rows: [String], separator: String = " · ", _ list: String) {
    for call in calls {
      let name = call.name.replacing(" · ", with: separator)
      let found = rows.filter { $0.contains(call.what) && $0.contains(name) }
      #expect(found.count == 1, "\(list): \(call.what) by \(name) in\n\(rows.joined(separator: "\n"))")
    }
  }

  @Test func `every row of every list tells what an agent asked, and which agent`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      _ = try await presenter.nextEvent()
      let calls = try calls(in: daemon.directory)
      let hooks = try calls.map { try hook($0, on: daemon) }
      try await daemon.opened(calls.count)

      func rows(_ arguments: String...) async throws -> [String] {
        let list = try ChildProcess(
          "routerctl", arguments, environment: ["ROUTERD_SOCKET": daemon.socket, "ROUTERD_DATABASE": daemon.database])
        let lines = await list.allOutput()
        await list.expectExit()
        return lines
      }
      expect(calls, in: try await rows("queue"), "queue")
      try await TestTerminal.run(in: daemon, columns: 120, rows: 40) { terminal in
        let program = ChildProcess.products.appending(path: "routerctl").path
        try await terminal.run("clear; \(program) queue --socket \(daemon.socket)")
        // The name is in the heading of each group.
        var heading = ""
        let rows = try await terminal.lines.map { line in
          if line.hasSuffix(" prompts") { heading = line }
          return heading + line
        }
        expect(calls, in: rows, "queue in a terminal")
        try await terminal.run("clear; PAGER=cat \(program) log --database \(daemon.database)")
        expect(calls, in: try await terminal.lines, "log in a terminal")
        #expect(try await terminal.text().contains("all rows: user "))
        try await terminal.keep("agents-log")
      }

      for _ in calls { try await presenter.press(id: "allow", on: try await presenter.nextPresentation()) }
      for hook in hooks { #expect(await hook.allOutput().first?.contains(#""permissionDecision":"allow""#) == true) }
      expect(calls, in: try await rows("log"), separator: "·", "log")
      let records = try await rows("log", "--csv").joined(separator: "\n").components(separatedBy: "\r")
      for call in calls where call.tool == "Bash" {
        #expect(records.filter { $0.contains(call.what) && $0.contains("\(call.directory),\(call.session),") }.count == 1)
      }
    }
  }
}
