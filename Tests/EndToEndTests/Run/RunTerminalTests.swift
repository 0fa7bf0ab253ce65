import FoundationEssentials
import Router
import RouterTesting
import Testing

/// `routerctl run` in a terminal, under tmux: the command has the terminal once it runs.
@Suite(.timeLimit(.minutes(10)))
struct RunTerminalTests {
  private static let routerctl = ChildProcess.products.appending(path: "routerctl").path

  @Test func `gives the command the terminal's input, and Ctrl-C`() async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon) { terminal in
        func run(_ script: String) async throws {
          try await terminal.type(
            "clear; \(Self.routerctl) run --socket \(daemon.socket) -- sh -c '\(script)'; echo stat''us $?", "Enter")
          try await terminal.untilArmed("│ Run sh -c")
          try await terminal.type("1")
        }
        // Its words stand in the prompt, so that they are put together here.
        try await run("r=rea; echo ${r}dy; read line; echo got $line; exit 3")
        try await terminal.until { $0.contains("ready") }
        try await terminal.type("hello", "Enter")
        try await terminal.until { $0.contains("got hello\nstatus 3") }

        try await run(#"r=rea; i=inter; trap "echo ${i}rupted" INT; echo ${r}dy; cat; exit 4"#)
        try await terminal.until { $0.contains("ready") }
        try await terminal.press("C-c")
        try await terminal.until { $0.contains("interrupted\nstatus 4") }
      }
    }
  }
}
