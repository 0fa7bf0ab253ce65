import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// Asking in the asker's own terminal, under tmux, when nobody presents.
@Suite(.timeLimit(.minutes(10)))
struct InlineAskingTests {
  private static let routerctl = ChildProcess.products.appending(path: "routerctl").path

  private func routerctl(_ arguments: String..., on daemon: TestDaemon) throws -> ChildProcess {
    try ChildProcess("routerctl", arguments + ["--socket", daemon.socket])
  }

  @Test func `asks in its own terminal when nobody presents`() async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon) { terminal in
        try await terminal.type(
          "clear; \(Self.routerctl) confirm 'Delete 3 files?' --socket \(daemon.socket) && echo dele''ted", "Enter")
        let shown = try await terminal.untilArmed("│ Delete 3 files?")
        #expect(!shown.contains("waiting:"))
        try await terminal.keep("inline")
        try await terminal.type("1")
        try await terminal.until { $0.contains("you chose Yes\ndeleted") }
        let asked = try #require(try await AuditReader(path: daemon.database).presentationPage(AuditQuery()).page.first)
        #expect(asked.resolvedBy?.presenter == "inline")
        #expect(asked.resolvedBy?.process.pid == asked.requester.process.pid)
      }
    }
  }

  @Test func `leaves standard output to the answer, and other programs' prompts to others`() async throws {
    try await TestDaemon.run { daemon in
      let other = daemon.client.submit(.alert("somebody else's"))
      _ = try await other.accepted()
      try await TestTerminal.run(in: daemon) { terminal in
        try await terminal.type(
          "clear; branch=$(\(Self.routerctl) choose Branch? main develop --socket \(daemon.socket)); echo \"got $branch\"",
          "Enter")
        let shown = try await terminal.untilArmed("│ Branch?")
        #expect(!shown.contains("somebody else's"))
        try await terminal.type("2")
        let after = try await terminal.until { $0.contains("got develop") }
        #expect(!after.contains("somebody else's"))
        #expect(try await daemon.client.presentation(other.accepted().id).generation == 0)
      }
    }
  }

  @Test func `checks some of ten thousand choices, and prints them in their order`() async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon) { terminal in
        try await terminal.type(
          "clear; seq 10000 | \(Self.routerctl) choose Numbers? --multiple --socket \(daemon.socket); echo do''ne", "Enter")
        try await terminal.untilArmed("│ Numbers?")
        try await terminal.type("9998", "Space")
        try await terminal.until { $0.contains("› [x] 9998") && $0.contains("1 chosen") }
        try await terminal.press("C-u")
        try await terminal.type("77", "Down", "Space")
        try await terminal.until { $0.contains("› [x] 177") && $0.contains("2 chosen") }
        try await terminal.keep("choose-multiple")
        try await terminal.press("Enter")
        try await terminal.until { $0.contains("you answered\n177\n9998\ndone") }
      }
    }
  }

  @Test func `says that the prompt stays open at the end of input`() async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon) { terminal in
        try await terminal.type(
          "clear; TERM=dumb \(Self.routerctl) confirm 'Delete 3 files?' --socket \(daemon.socket) && echo dele''ted", "Enter")
        try await terminal.until { $0.contains("who asks):") }
        try await terminal.press("C-d")
        try await terminal.until { $0.contains("routerctl: end of input. To answer: routerctl present. To cancel: Ctrl-C") }
        let presenter = TestPresenter(daemon.client)
        try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
        try await terminal.until { $0.contains("\ndeleted") }
      }
    }
  }

  @Test func `goes on when a presenter that attached later has answered`() async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon) { terminal in
        try await terminal.type(
          "clear; \(Self.routerctl) confirm 'Delete 3 files?' --socket \(daemon.socket) && echo dele''ted", "Enter")
        try await terminal.untilArmed("│ Delete 3 files?")
        let presenter = TestPresenter(daemon.client)
        try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
        try await terminal.until { $0.contains("withdrawn: it was answered elsewhere\ndeleted") }
      }
    }
  }

  @Test(arguments: ["bash", "dash"]) func `Ctrl-C stops a script that asks in its terminal`(shell: String) async throws {
    try await TestDaemon.run { daemon in
      let script = daemon.directory + "/deploy.sh"
      let text = "for i in 1 2 3; do \(Self.routerctl) confirm 'Delete 3 files?' --socket \(daemon.socket); done; echo anyway\n"
      try text.write(toFile: script, atomically: true, encoding: .utf8)
      try await TestTerminal.run(in: daemon) { terminal in
        try await terminal.type("clear; \(shell) \(script); echo status $?", "Enter")
        try await terminal.untilArmed("│ Delete 3 files?")
        try await terminal.press("C-c")
        try await terminal.untilShell()
        try await terminal.run("stty -a | grep -o ' icanon\\| echo '")
        let after = try await terminal.text()
        #expect(!after.contains("anyway"))
        #expect(after.contains("icanon") && after.contains(" echo"))
        let record = try await AuditReader(path: daemon.database).presentationPage(AuditQuery()).page
        #expect(record.map(\.outcome) == [.cancelled(.requester)])
      }
    }
  }

  @Test func `asks line by line on a dumb terminal`() async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon, environment: ["TERM": "dumb"]) { terminal in
        try await terminal.type("clear; \(Self.routerctl) confirm Reboot? --socket \(daemon.socket); echo status $?", "Enter")
        try await terminal.until { $0.contains("1–2 or first letters, Enter for the default, z to snooze (15 min),") }
        try await terminal.type("n", "Enter")
        try await terminal.until { $0.contains("you chose No") && $0.contains("status 1") }
      }
    }
  }

  @Test(arguments: [("--no-inline", [:]), ("", ["ROUTERD_FORBID_SELF_ANSWER": "user"])])
  func `reports a missing presenter where it may not ask itself`(option: String, settings: [String: String]) async throws {
    try await TestDaemon.run(environment: settings) { daemon in
      try await TestTerminal.run(in: daemon) { terminal in
        try await terminal.type("clear; \(Self.routerctl) confirm Reboot? \(option) --socket \(daemon.socket)", "Enter")
        try await terminal.until { $0.contains("routerctl: waiting: surface main has no presenter.") }
        #expect(try await !terminal.text().contains("│ Reboot?"))
      }
    }
  }

  @Test func `says where a prompt is shown, and asks here after Enter`() async throws {
    try await TestDaemon.run { daemon in
      let page = TestPresenter(daemon.client)
      try await TestTerminal.run(in: daemon) { terminal in
        try await terminal.type(
          "clear; \(Self.routerctl) confirm 'Delete 3 files?' --socket \(daemon.socket) && echo dele''ted", "Enter")
        _ = try await page.nextPresentation()
        let said = try await terminal.until { $0.contains("Press Enter to answer here") }
        #expect(said.contains("routerctl: waiting: shown on main since ") && !said.contains("│ Delete 3 files?"))
        try await terminal.press("Enter")
        try await terminal.untilArmed("│ Delete 3 files?")
        try await terminal.type("1")
        try await terminal.until { $0.contains("you chose Yes\ndeleted") }
        let asked = try #require(try await AuditReader(path: daemon.database).presentationPage(AuditQuery()).page.first)
        #expect(asked.resolvedBy?.presenter == "inline")
      }
    }
  }

  @Test(arguments: ["", "TERM=dumb "])
  func `asks in the terminal inside a loop that reads its lines from a pipe`(environment: String) async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon) { terminal in
        let ask = "\(environment)\(Self.routerctl) confirm \"Delete $f?\" --socket \(daemon.socket)"
        try await terminal.type(
          "clear; printf '%s\\n' one two | while read -r f; do \(ask) && echo dele''ted $f; done", "Enter")
        for file in ["one", "two"] {
          if environment.isEmpty {
            try await terminal.untilArmed("│ Delete \(file)?")
            try await terminal.type("1")
          } else {
            try await terminal.until {
              $0.components(separatedBy: "│ Delete \(file)?").dropFirst().last?.contains("asks):") == true
            }
            try await terminal.type("y", "Enter")
          }
          try await terminal.until { $0.contains("\ndeleted \(file)") }
        }
      }
    }
  }

  @Test func `asks for a command in the terminal, and leaves standard input to the command`() async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon) { terminal in
        try await terminal.type("clear; echo in''put | \(Self.routerctl) run --socket \(daemon.socket) -- cat", "Enter")
        try await terminal.untilArmed("cat")
        try await terminal.type("1")
        try await terminal.until { $0.contains("\ninput") }
      }
    }
  }

  @Test func `says once what a prompt waits for, unless it is to be quiet`() async throws {
    try await TestDaemon.run { daemon in
      let alone = try routerctl("confirm", "Alone?", "--surface", "desk", on: daemon)
      let text = "waiting: surface desk has no presenter. To answer: routerctl present --surface desk"
      #expect(await alone.line(with: text) != nil)
      let presenter = TestPresenter(daemon.client)
      let first = try routerctl("confirm", "First?", on: daemon)
      let shown = try await presenter.nextPresentation()
      let second = try routerctl("confirm", "Second?", on: daemon)
      #expect(await second.line(with: "waiting: 1 prompt is ahead on main") != nil)
      try await presenter.press(id: "yes", on: shown)
      try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
      await first.expectExit()
    }
  }
}
