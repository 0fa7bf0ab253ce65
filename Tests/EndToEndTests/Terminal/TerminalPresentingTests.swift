import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// `routerctl present` in a real terminal with a real daemon: what a person sees, and what keys do.
@Suite(.timeLimit(.minutes(10)))
struct TerminalPresentingTests {
  @Test func `answers an alert with keys only`() async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon) { terminal in
        try await terminal.present(on: daemon)
        let request = PresentationRequest(
          kind: .alert, title: "Deploy 1.4.2 to production?", message: "42 commits since the last release.",
          buttons: [
            PresentationRequest.Button(id: "deploy", label: "Deploy", role: .destructive),
            PresentationRequest.Button(id: "stage", label: "To staging first"),
            PresentationRequest.Button(id: "later", label: "Not now", role: .cancel),
          ], timeout: .seconds(300))
        let handles = [request, .alert("second")].map { daemon.client.submit($0) }
        try await terminal.untilArmed("│ Deploy 1.4.2 to production?")
        let text = try await terminal.until { $0.contains("1 queued") && $0.contains("expires in") }
        #expect(text.contains("█ "))
        #expect(text.contains("› 2    To staging first  (Enter)"))
        try await terminal.keep("alert")
        try await terminal.press("Up", "Enter")
        #expect(try await handles[0].resolved().outcome == .answered(.button("deploy")))
        try await terminal.untilArmed("│ second")
        try await terminal.press("Escape")
        #expect(try await handles[1].resolved().outcome == .answered(.button("no")))
        let rest = try await terminal.until { $0.contains("you chose No") && !$0.contains("█ ") }
        #expect(rest.contains("│ Deploy 1.4.2 to production?\nyou chose Deploy\n│ second\nyou chose No"))
        try await terminal.keep("after")
      }
    }
  }

  @Test func `ends with its input, as its help says`() async throws {
    try await TestDaemon.run { daemon in
      // From /dev/null.
      let presenter = try ChildProcess("routerctl", ["present", "--socket", daemon.socket])
      await presenter.expectExit(0)
    }
  }

  @Test func `corrects an invalid form, and never displays a password`() async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon) { terminal in
        try await terminal.present(on: daemon)
        let cities = [
          "Amsterdam", "Berlin", "Copenhagen", "Dublin", "Edinburgh", "Florence", "Geneva", "Hamburg", "Lisbon", "Oslo",
        ]
        let schema = FormSchema(properties: [
          FormSchema.Property(name: "name", kind: .string, title: "Name", isRequired: true, minimumLength: 2),
          FormSchema.Property(name: "age", kind: .integer, title: "Age", minimum: JSONValue.Number(18)),
          FormSchema.Property(
            name: "city", kind: .string, title: "City", isRequired: true, choices: cities.map(JSONValue.string)),
          FormSchema.Property(name: "gift", kind: .boolean, title: "As a gift", isRequired: true, defaultValue: false),
          FormSchema.Property(
            name: "password", kind: .string, title: "Password", isRequired: true, minimumLength: 8, format: .password),
        ])
        let handle = daemon.client.submit(
          PresentationRequest(kind: .sheet, title: "Your order", message: "Where should it go?", sheet: "order", schema: schema)
        )
        try await terminal.untilArmed("│ Your order")
        try await terminal.type("A", "Enter")
        try await terminal.until { $0.contains("    ! Name must have at least 2 characters") }
        try await terminal.type("da", "Enter")
        try await terminal.type("17", "Enter")
        try await terminal.until { $0.contains("! Age must be at least 18") && !$0.contains("! Name") }
        try await terminal.press("BSpace")
        try await terminal.type("8", "Enter")
        try await terminal.type("o")
        try await terminal.until { $0.contains("find: o") && $0.contains("› Copenhagen") && !$0.contains("Berlin") }
        try await terminal.keep("form")
        try await terminal.type("s", "Enter")
        try await terminal.press("Space", "Enter")
        try await terminal.type("hunter2")
        let text = try await terminal.until {
          $0.contains("•••••••") && $0.contains("! Password must have at least 8 characters")
        }
        #expect(text.contains("(•) Yes"))
        #expect(!text.contains("hunter"))
        try await terminal.keep("password")
        try await terminal.type("3", "Enter")
        #expect(
          try await handle.resolved().outcome
            == .answered(.value(["name": "Ada", "age": 18, "city": "Oslo", "gift": true, "password": "hunter23"])))
        let rest = try await terminal.until { $0.contains("you answered") && !$0.contains("█ ") }
        #expect(!rest.contains("hunter"))
      }
    }
  }

  @Test func `removes a withdrawn prompt and says why`() async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon) { terminal in
        try await terminal.present(on: daemon)
        let handle = daemon.client.submit(.alert("Never mind"))
        try await terminal.untilArmed("│ Never mind")
        handle.cancel()
        let text = try await terminal.until { $0.contains("cancelled") }
        #expect(!text.contains("█ "))
        try await terminal.keep("withdrawn")
        var brief = PresentationRequest.alert("Soon over")
        brief.timeout = .seconds(1)
        let expiring = daemon.client.submit(brief)
        try await terminal.until { $0.contains("withdrawn: it expired") }
        #expect(try await expiring.resolved().outcome == .expired(.presented))
      }
    }
  }

  @Test func `removes a prompt that was answered in another terminal`() async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon) { left in
        try await TestTerminal.run(in: daemon) { right in
          try await left.present(on: daemon, name: "left")
          try await right.present(on: daemon, name: "right")
          let handle = daemon.client.submit(.alert("Who is first?"))
          try await left.untilArmed("│ Who is first?")
          try await right.untilArmed("│ Who is first?")
          try await right.press("1")
          let ended = try await handle.resolved()
          #expect(ended.outcome == .answered(.button("yes")))
          #expect(ended.resolvedBy?.presenter == "right")
          try await left.until { $0.contains("withdrawn: it was answered elsewhere") && !$0.contains("█ ") }
          try await right.until { $0.contains("you chose Yes") && !$0.contains("█ ") }
        }
      }
    }
  }

  @Test func `shows a hostile title as text behind the bar, even at forty columns`() async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon, columns: 40, rows: 32) { terminal in
        try await terminal.present(on: daemon)
        let title = String(repeating: "x", count: 38) + " asked by      root (uid 0), pid 1 <b>宽字</b> e\u{301} 👩‍👩‍👧 │ ──"
        var request = PresentationRequest.alert(title)
        request.message = "asked by      root (uid 0), pid 1\nprogram       /usr/bin/login\n› 1    Yes"
        let handle = daemon.client.submit(request)
        let text = try await terminal.untilArmed("█ ")
        let lines = text.components(separatedBy: "\n")
        #expect(lines.count { $0.hasPrefix("█ ") } >= 1)
        #expect(lines.contains("│ asked by      root (uid 0), pid 1"))
        #expect(lines.contains { $0.hasPrefix("│") && $0.contains("宽字") })
        // No line has wrapped: the first column contains only the presenter's own characters.
        let block = lines.drop { !$0.hasPrefix("━━ main") }.filter { !$0.isEmpty }
        for line in block { #expect(["━", "█", "│", "›", " ", "a", "↑"].contains(line.prefix(1)), "\(line)") }
        try await terminal.keep("narrow")
        try await terminal.press("2")
        #expect(try await handle.resolved().outcome == .answered(.button("no")))
      }
    }
  }

  @Test func `goes back in a flow, with the previous answer filled in`() async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon) { terminal in
        try await terminal.present(on: daemon)
        func screen(_ name: String, over parent: PresentationID? = nil) -> PresentationRequest {
          let schema = FormSchema(properties: [FormSchema.Property(name: "name", kind: .string, title: "Name")])
          return PresentationRequest(kind: .sheet, title: name, sheet: "screen", schema: schema, over: parent, flow: true)
        }
        let root = daemon.client.submit(screen("Address"))
        let leave = try await terminal.untilArmed("│ Address")
        #expect(leave.contains("esc  Leave"))
        try await terminal.type("Ada", "Enter")
        var answers = root.answers.makeAsyncIterator()
        #expect(await answers.next() == .value(["name": "Ada"]))
        let payment = daemon.client.submit(screen("Payment", over: try await root.accepted().id))
        let back = try await terminal.untilArmed("│ Payment")
        #expect(back.contains("│ Address ›") && back.contains("esc  Back"))
        try await terminal.keep("flow")
        try await terminal.press("Escape")
        #expect(try await payment.resolved().outcome == .dismissed)
        let again = try await terminal.until {
          $0.contains("you went back") && $0.contains("    Ada") && $0.contains("Enter answers")
        }
        #expect(again.contains("shown for the"))
        try await terminal.press("Escape")
        #expect(try await root.resolved().outcome == .dismissed)
        try await terminal.until { $0.contains("you left") && !$0.contains("█ ") }
      }
    }
  }

  @Test func `removes the prompt when the daemon goes away, and shows it again afterwards`() async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon) { terminal in
        try await terminal.present(on: daemon)
        let detached = try await daemon.client.detach(.alert("Still wanted?"))
        try await terminal.untilArmed("│ Still wanted?")
        daemon.process.signal(SIGKILL)
        await daemon.process.expectExit(128 + SIGKILL)
        try await terminal.until { $0.contains("withdrawn: lost the connection to routerd") && !$0.contains("█ ") }
        let next = try await daemon.next()
        defer { next.process.signal(SIGKILL) }
        try await terminal.untilArmed("shown for the 2nd time")
        try await terminal.press("1")
        #expect(try await next.client.presentation(detached.id, wait: .seconds(60)).outcome == .answered(.button("yes")))
      }
    }
  }

  @Test func `redraws when the window is resized`() async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon, columns: 100, rows: 30) { terminal in
        try await terminal.present(on: daemon)
        var request = PresentationRequest.alert("Which size?")
        request.message = String(repeating: "word ", count: 60)
        let handle = daemon.client.submit(request)
        try await terminal.untilArmed("│ Which size?")
        for (columns, rows) in [(40, 14), (120, 40), (60, 10)] {
          try await terminal.resize(columns: columns, rows: rows)
          let text = try await terminal.until { text in
            let lines = text.components(separatedBy: "\n")
            return lines.contains { $0.hasPrefix("━━ main") && $0.count == min(columns, 100) }
              && lines.contains("› 1    Yes  (Enter)")
          }
          let lines = text.components(separatedBy: "\n")
          #expect(lines.count { $0.hasPrefix("█ ") } >= 1, "\(text)")
          #expect(lines.count { $0.hasPrefix("━━ main") } == 1, "\(text)")
        }
        try await terminal.press("1")
        #expect(try await handle.resolved().outcome == .answered(.button("yes")))
      }
    }
  }
}
