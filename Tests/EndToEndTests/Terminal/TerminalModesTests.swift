import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// The terminal itself: colors, the line mode of dumb terminals, and restored modes at the end.
/// Promise P83.
@Suite(.timeLimit(.minutes(10)))
struct TerminalModesTests {
  @Test(arguments: [true, false])
  func `uses colors unless NO_COLOR is set`(isColored: Bool) async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon, environment: isColored ? [:] : ["NO_COLOR": "1"]) { terminal in
        try await terminal.present(on: daemon)
        let handle = daemon.client.submit(.alert("In which color?"))
        try await terminal.untilArmed("│ In which color?")
        let text = try await terminal.text(withColors: true)
        #expect(text.contains("\u{1B}[") == isColored)
        try await terminal.press("1")
        #expect(try await handle.resolved().outcome == .answered(.button("yes")))
      }
    }
  }

  @Test func `asks line by line on a dumb terminal`() async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon, environment: ["TERM": "dumb"]) { terminal in
        try await terminal.present(on: daemon)
        let handle = daemon.client.submit(.alert("Line by line?"))
        try await terminal.until { $0.contains("1–2 or first letters, Enter for the default, z to snooze (15 min), or d to") }
        try await terminal.keep("dumb")
        try await terminal.type("1", "Enter")
        #expect(try await handle.resolved().outcome == .answered(.button("yes")))
      }
    }
  }

  /// Returns the terminal's modes from stty(1).
  private func modes(_ terminal: TestTerminal, _ daemon: TestDaemon, _ name: String) async throws -> String {
    try await terminal.run("stty -a > \(daemon.directory)/\(name)")
    return try String(contentsOfFile: "\(daemon.directory)/\(name)", encoding: .utf8)
  }

  @Test(arguments: ["C-c", "TERM", "HUP", "ABRT", "SEGV", "QUIT"])
  func `restores the terminal however the program ends`(way: String) async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon) { terminal in
        // bash restores the modes after a program is killed; a shell without a line editor does not.
        try await terminal.run("ulimit -c 0")
        try await terminal.type("exec /bin/sh", "Enter")
        let before = try await modes(terminal, daemon, "before")
        try await terminal.present(on: daemon)
        let handle = daemon.client.submit(.alert("Still there?"))
        try await terminal.untilArmed("│ Still there?")
        if way.hasPrefix("C-") {
          try await terminal.press(way)
        } else {
          let presenter = try #require(
            try await daemon.client.presentation(try await handle.accepted().id).state == .presented
              ? try await presenterProcess(daemon) : nil)
          kill(presenter, ["TERM": SIGTERM, "HUP": SIGHUP, "ABRT": SIGABRT, "SEGV": SIGSEGV, "QUIT": SIGQUIT][way] ?? SIGKILL)
        }
        try await terminal.untilShell()
        try await terminal.run("echo $? > \(daemon.directory)/status")
        let after = try await modes(terminal, daemon, "after")
        #expect(after == before)
        if let status = ["C-c": 0, "TERM": 143, "HUP": 129, "QUIT": 131][way] {
          let text = try await terminal.text()
          #expect(text.contains("withdrawn: this presenter is exiting") && !text.contains("━━ main"), "\(text)")
          #expect(try String(contentsOfFile: "\(daemon.directory)/status", encoding: .utf8) == "\(status)\n")
        }
        // The requester is still waiting.
        #expect(try await daemon.client.presentation(try await handle.accepted().id).state != .resolved)
      }
    }
  }

  /// Returns the process id of the attached presenter.
  private func presenterProcess(_ daemon: TestDaemon) async throws -> pid_t? {
    let list = try ChildProcess("/usr/bin/pgrep", ["-f", "present --socket \(daemon.socket)"])
    return await list.allOutput().compactMap { pid_t($0) }.first
  }

  @Test func `suspends on Ctrl-Z, and redraws on return`() async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon) { terminal in
        let before = try await modes(terminal, daemon, "before")
        try await terminal.present(on: daemon)
        let handle = daemon.client.submit(.alert("Come back?"))
        try await terminal.untilArmed("│ Come back?")
        try await terminal.press("C-z")
        try await terminal.until { $0.contains("Stopped") }
        #expect(try await modes(terminal, daemon, "stopped") == before)
        try await terminal.run("clear")
        try await terminal.type("fg", "Enter")
        try await terminal.untilArmed("│ Come back?")
        try await terminal.press("1")
        #expect(try await handle.resolved().outcome == .answered(.button("yes")))
        try await terminal.until { $0.contains("you chose Yes") && !$0.contains("█ ") }
        try await terminal.press("C-c")
        try await terminal.untilShell()
        #expect(try await modes(terminal, daemon, "after") == before)
      }
    }
  }

  @Test func `ignores keys typed before a prompt is shown`() async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon) { terminal in
        try await terminal.present(on: daemon)
        try await terminal.type("1111", "Enter")
        let handle = daemon.client.submit(.alert("Asked later"))
        let text = try await terminal.untilArmed("│ Asked later")
        #expect(!text.contains("1111"))
        #expect(try await daemon.client.presentation(try await handle.accepted().id).state == .presented)
        try await terminal.press("2")
        #expect(try await handle.resolved().outcome == .answered(.button("no")))
      }
    }
  }
}
