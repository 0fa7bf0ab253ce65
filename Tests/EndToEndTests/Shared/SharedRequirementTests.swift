#if PostgreSQL
import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// Answers that need people of several hosts.
/// Promise P47.
@Suite(.timeLimit(.minutes(10)))
struct SharedRequirementTests {
  @Test func `asked on one host, approved on two others, with the leader restarted in between`() async throws {
    let hosts = ["alpha", "beta", "gamma"]
    try await SharedDaemons.run(hosts) { daemons async throws in
      var request = PresentationRequest.alert("Deploy?")
      request.require = .init(2, hosts: 2)
      let id = try await daemons["alpha"].client.detach(request).id
      let first = TestPresenter(daemons["beta"].client, name: "beta")
      let shown = try await first.nextPresentation()
      #expect(shown.id == id)
      let approved = try await first.press(id: "yes", on: shown)
      #expect(approved.state != .resolved && approved.approvals.map(\.by.process.host) == ["beta"])
      // The asker's host counts as the asker.
      let reply = try await daemons["alpha"].call(.POST, APIPath.presentation(id) + "/answer", ["button": "yes"])
      #expect([403, 409].contains(reply.status))

      await daemons["alpha"].end(by: SIGTERM)
      try await daemons.start("alpha")
      let second = TestPresenter(daemons["gamma"].client, name: "gamma")
      let again = try await second.nextPresentation()
      #expect(again.id == id && again.approvals.map(\.by.process.host) == ["beta"])
      let ended = try await second.press(id: "yes", on: again)
      #expect(ended.outcome == .answered(.button("yes")) && ended.resolvedBy?.process.host == "gamma")
      try await daemons.expectEqualCopies(on: hosts)
    }
  }
}
#endif
