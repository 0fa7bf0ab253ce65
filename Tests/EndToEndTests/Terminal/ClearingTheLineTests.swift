import OrderedCollections
import Router
import RouterClient
import Testing

/// A line of prompts from several agents, cleared at one terminal.
@Suite(.timeLimit(.minutes(10)))
struct ClearingTheLineTests {
  private func ask(_ verb: String, _ object: String, session: String, on daemon: TestDaemon) async throws -> PresentationID {
    var request = PresentationRequest.alert("\(verb): \(object)?")
    request.buttons[1].isDefault = true
    request.app = "claude-code"
    request.act = Act(verb, object: object, directory: "/home/ada/\(session)")
    request.options.metadata = ["agent.session": session, "agent.directory": "/home/ada/\(session)"]
    return try await daemon.client.detach(request).id
  }

  @Test func `clears 12 prompts of three sessions with nine keys, each act read in full`() async throws {
    try await TestDaemon.run { daemon in
      var ids: [[PresentationID]] = []
      for (session, verb) in [("shop", "Bash"), ("router", "Edit"), ("docs", "WebFetch")] {
        var group: [PresentationID] = []
        for number in 1...4 { group.append(try await ask(verb, "\(session) \(number)", session: session, on: daemon)) }
        ids.append(group)
      }
      try await TestTerminal.run(in: daemon, columns: 100, rows: 40) { terminal in
        try await terminal.present(on: daemon)
        for (session, group) in zip(["shop", "router", "docs"], ids) {
          try await terminal.untilArmed("│   \(session) 1")
          try await terminal.until { $0.contains("Also 3 like this: none") }
          try await terminal.press("Down", "Right")
          let text = try await terminal.until { $0.contains("‹ all ›") }
          for number in 1...4 { #expect(text.contains("│   \(session) \(number)")) }
          try await terminal.keep("line-\(session)")
          try await terminal.press("1")
          for id in group {
            try await daemon.eventually("\(session) is answered") {
              try await daemon.client.presentation(id).outcome == .answered(.button("yes"))
            }
          }
        }
        #expect(try await daemon.client.presentations().isEmpty)
      }
    }
  }
}
