import OrderedCollections
import Router
import Testing

@testable import routerctl

struct SessionGroupsTests {
  private func prompt(
    _ title: String, app: String = "claude-code", session: String? = nil, in directory: String? = nil, uid: UInt32 = 1000,
    host: String = ""
  ) -> Presentation {
    var request = PresentationRequest(kind: .alert, title: title)
    request.metadata[AgentLabel.session] = session
    request.metadata[AgentLabel.directory] = directory
    return Presentation(
      id: PresentationID("01936f5e-1b2c-7def-8a90-112233445566")!,
      requester: Presentation.Requester(app: app, process: ProcessIdentity(uid: uid, gid: 0, pid: 1, host: host)),
      request: request, requestedAt: Timestamp(milliseconds: 0))
  }

  /// The titles of each group.
  private func titles(_ listed: [Presentation]) -> [[String]] {
    var groups: [[String]] = []
    for line in SessionGroups(listed).lines {
      switch line {
      case .heading: groups.append([])
      case .prompt(let presentation): groups[groups.count - 1].append(presentation.request.heading)
      }
    }
    return groups
  }

  @Test func `groups a session's prompts in the order of the list, by its first prompt`() {
    let listed = [
      prompt("1", session: "a", in: "/shop"), prompt("2", session: "b", in: "/shop"), prompt("3", session: "a", in: "/blog"),
      prompt("4", session: "b", in: "/shop"), prompt("5", app: "codex", session: "a", in: "/shop"),
    ]
    #expect(titles(listed) == [["1", "3", "5"], ["2", "4"]])
    #expect(SessionGroups(listed).prompts.map(\.request.heading) == ["1", "3", "5", "2", "4"])
  }

  @Test func `groups by app and place without a session, and always by user and host`() {
    let listed = [
      prompt("1", app: "deploy"), prompt("2", app: "deploy", uid: 1001), prompt("3", app: "deploy", host: "web"),
      prompt("4", in: "/shop"), prompt("5", in: "/blog"), prompt("6", app: "deploy"), prompt("7", in: "/srv/shop"),
      prompt("8", session: "a"), prompt("9", session: "a", uid: 1001),
    ]
    #expect(titles(listed) == [["1", "6"], ["2"], ["3"], ["4", "7"], ["5"], ["8"], ["9"]])
  }

  @Test func `has no heading with one session or none`() {
    for listed in [[], [prompt("1", app: "deploy"), prompt("2", app: "deploy")]] {
      let groups = SessionGroups(listed)
      #expect(!groups.haveHeadings && !groups.lines.contains(where: \.isHeading) && groups.prompts == listed)
    }
  }

  @Test func `names the app in each row only if a session has several names`() {
    func titles(_ listed: [Presentation]) -> [String] {
      SessionGroups(listed).columns(PresentationTable.Column.open).map(\.title)
    }
    let (one, two) = (prompt("1", session: "a", in: "/shop"), prompt("2", session: "b", in: "/shop"))
    #expect(titles([one, one]) == PresentationTable.Column.open.map(\.title))
    #expect(titles([one, two]) == ["#", "ASKED", "STATE", "PRIORITY", "SURFACE", "USER", "WHAT"])
    #expect(titles([one, two, prompt("3", session: "a", in: "/blog")]).contains("APP"))
  }

  @Test func `a heading has the session's color, and fits`() {
    let style = OutputStyle.terminal(40, hasColor: true)
    let cells = PresentationCells(prompt("1", session: "session-2", in: "/shop"), style: style)
    #expect(cells.heading(of: 1) == "\u{1B}[32mclaude-code · shop · on-2\u{1B}[0m\u{1B}[2m  1 prompt\u{1B}[0m")
    let long = PresentationCells(prompt("1", app: String(repeating: "a", count: 64)), style: .terminal(40))
    #expect(long.heading(of: 200).columns == 40 && long.heading(of: 200).hasSuffix("…  200 prompts"))
  }
}
