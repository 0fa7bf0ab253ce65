import OrderedCollections
import RouterCore
import Testing

struct RequesterNameTests {
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

  @Test func `names an agent by app, directory and session, and other programs by app`() {
    let named: [(Presentation, String)] = [
      (prompt(session: "a1b2c3d4", in: "/srv/shop/"), "claude-code · shop · c3d4"),
      (prompt(session: "b"), "claude-code · ada · b"),
      (prompt(in: "/"), "claude-code"), (prompt(app: "deploy.sh"), "deploy.sh"),
      (prompt(session: "c", process: nil), "claude-code · c"),
    ]
    for (prompt, name) in named { #expect(RequesterName(prompt).text == name) }
  }

  @Test func `tells sessions apart whose ids begin with the same time`() {
    let names = ["0199-aaaa", "0199-bbbb"].map { RequesterName(prompt(session: $0, in: "/shop")).text }
    #expect(names == ["claude-code · shop · aaaa", "claude-code · shop · bbbb"])
  }

  @Test func `gives a session the same one of six colors everywhere`() {
    #expect(prompt().sessionColor == nil)
    // As in the page: lists.js.
    #expect(["session-1", "session-2", "a"].map { prompt(session: $0).sessionColor } == [3, 0, 4])
    let colors = (0..<100).map { prompt(session: "\($0)").sessionColor }
    #expect(Set(colors) == [0, 1, 2, 3, 4, 5])
  }
}
