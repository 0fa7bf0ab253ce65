import OrderedCollections
import RouterCore
import Testing

struct RequesterNamesTests {
  private func prompt(
    session: String? = nil, in directory: String? = nil, app: String = "claude-code", process: String? = "/home/ada"
  ) -> Presentation {
    var request = PresentationRequest(kind: .alert, title: "?")
    request.metadata[AgentLabel.session] = session
    request.metadata[AgentLabel.directory] = directory
    return Presentation(
      id: PresentationID("01936f5e-1b2c-7def-8a90-112233445566")!,
      requester: Presentation.Requester(app: app, process: ProcessIdentity(uid: 0, gid: 0, pid: 1, directory: process)),
      request: request, requestedAt: Timestamp(milliseconds: 0))
  }

  private func names(_ listed: [Presentation]) -> [String] {
    let names = RequesterNames(listed)
    return listed.map { names[$0].parts.joined(separator: " · ") }
  }

  @Test func `names an agent by app and directory, and other programs by app`() {
    let listed = [
      prompt(session: "a", in: "/srv/shop/"), prompt(session: "b"), prompt(in: "/"), prompt(app: "deploy.sh"),
      prompt(session: "c", process: nil),
    ]
    #expect(names(listed) == ["claude-code · shop", "claude-code · ada", "claude-code", "deploy.sh", "claude-code"])
  }

  @Test func `adds part of the session's id only if two sessions share a name`() {
    let listed = [
      prompt(session: "a1b2c3", in: "/shop"), prompt(session: "d4e5f6", in: "/shop"), prompt(session: "a1b2c3", in: "/blog"),
    ]
    #expect(names(listed) == ["claude-code · shop · a1b2", "claude-code · shop · d4e5", "claude-code · blog"])
    // UUIDs of version 7 begin with the time.
    let timed = [prompt(session: "0199-aaaa", in: "/shop"), prompt(session: "0199-bbbb", in: "/shop")]
    #expect(names(timed) == ["claude-code · shop · aaaa", "claude-code · shop · bbbb"])
  }

  @Test func `gives a session the same one of six colors everywhere`() {
    #expect(prompt().sessionColor == nil)
    // As in the page: lists.js.
    #expect(["session-1", "session-2", "a"].map { prompt(session: $0).sessionColor } == [3, 0, 4])
    let colors = (0..<100).map { prompt(session: "\($0)").sessionColor }
    #expect(Set(colors) == [0, 1, 2, 3, 4, 5])
  }
}
