import Foundation
import Router
import RouterClient
import Testing

/// `routerctl top` in a real terminal, against a real daemon.
/// Promise P83.
@Suite(.timeLimit(.minutes(10)))
struct TopTests {
  private func top(_ terminal: TestTerminal, _ daemon: TestDaemon) async throws {
    let program = ChildProcess.products.appending(path: "routerctl").path
    try await terminal.type("clear; \(program) top --socket \(daemon.socket)", "Enter")
    try await terminal.until { $0.contains("QUEUE") && $0.contains("PRESENTERS") && $0.contains("ENDED") }
  }

  @Test func `prompts come, are answered, withdrawn and looked up without leaving it`() async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon) { terminal in
        try await top(terminal, daemon)
        try await terminal.until { $0.contains("Queue empty.") && $0.contains("No presenters.") }
        let first = daemon.client.submit(.alert("Deploy 1.4.2?"))
        try await terminal.until { $0.contains("› ") && $0.contains("Deploy 1.4.2?") && $0.contains("1 queued") }
        let second = daemon.client.submit(.alert("Delete the backup?"))
        try await terminal.until { $0.contains("Delete the backup?") && $0.contains("2 queued") }
        try await terminal.keep("top")
        // Nobody presents, and nothing counts as shown before somebody looks.
        #expect(try await daemon.client.presentation(try await first.accepted().id).presentedAt == nil)

        try await terminal.press("Enter")
        try await terminal.untilArmed("│ Deploy 1.4.2?")
        try await terminal.until { $0.contains("Ctrl-X goes back") }
        try await terminal.press("Escape")
        try await terminal.until { $0.contains("QUEUE 2") && $0.contains("No presenters.") }
        try await terminal.press("Enter")
        try await terminal.untilArmed("│ Deploy 1.4.2?")
        try await terminal.press("1")
        let answered = try await first.resolved()
        #expect(answered.outcome == .answered(.button("yes")) && answered.resolvedBy?.presenter == "top")
        try await terminal.until { $0.contains("QUEUE 1") && $0.contains("ENDED 1") }

        try await terminal.type("w")
        try await terminal.until { $0.contains("Withdraw: Delete the backup? (y/n)") }
        try await terminal.type("y")
        #expect(try await second.resolved().outcome == .cancelled(.requester))
        try await terminal.until { $0.contains("Queue empty.") && $0.contains("ENDED 2") }

        try await terminal.press("Tab", "End", "Enter")
        try await terminal.until { $0.contains("requester") && $0.contains("presented") && $0.contains("Esc: back") }
        try await terminal.keep("top-story")
        try await terminal.press("Escape")
        try await terminal.until { $0.contains("QUEUE 0") }
        try await terminal.type("q")
        try await terminal.until { !$0.contains("QUEUE") && $0.contains("$") }
      }
    }
  }

  @Test func `it outlives the daemon's restart and fits a terminal of any size`() async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon, columns: 200, rows: 50) { terminal in
        try await top(terminal, daemon)
        _ = try await daemon.ask("Still here?")
        try await terminal.until { $0.contains("Still here?") }
        try await terminal.keep("top-wide")
        await daemon.end(by: SIGTERM)
        try await terminal.until { $0.contains("cannot reach routerd") }
        let next = try await daemon.next()
        try await terminal.until { !$0.contains("cannot reach routerd") && $0.contains("Still here?") }
        try await terminal.resize(columns: 60, rows: 12)
        try await terminal.until { $0.contains("Still here?") && $0.contains("QUEUE 1") }
        await next.end(by: SIGKILL)
      }
    }
  }

  @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129), (SIGQUIT, 131), (SIGINT, 0)])
  func `ends by its signal, and succeeds after Ctrl-C`(signal: Int32, status: Int) async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon) { terminal in
        try await terminal.run("ulimit -c 0")
        try await top(terminal, daemon)
        let list = try ChildProcess("/usr/bin/pgrep", ["-f", "top --socket \(daemon.socket)"])
        kill(try #require(await list.allOutput().compactMap { pid_t($0) }.first), signal)
        try await terminal.untilShell()
        try await terminal.run("echo $? > \(daemon.directory)/status")
        #expect(try String(contentsOfFile: "\(daemon.directory)/status", encoding: .utf8) == "\(status)\n")
        #expect(try await !terminal.text().contains("QUEUE"))
      }
    }
  }

  @Test func `without a terminal it says what to use instead`() async throws {
    try await TestDaemon.run { daemon in
      let top = try ChildProcess("routerctl", ["top", "--socket", daemon.socket])
      #expect(await top.line(with: "it requires a terminal. Use 'routerctl queue'") != nil)
      await top.expectExit(64)
    }
  }
}
