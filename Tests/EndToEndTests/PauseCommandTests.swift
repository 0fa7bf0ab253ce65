import Foundation
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import Testing

/// `routerctl pause` and `routerctl resume`.
@Suite(.timeLimit(.minutes(10)))
struct PauseCommandTests {
  @Test func `pauses, lists and resumes a session`() async throws {
    try await TestDaemon.run { daemon in
      var request = PresentationRequest.alert("Deploy?")
      request.options.metadata = [AgentLabel.session: "one", AgentLabel.directory: "/srv/shop"]
      let id = try await daemon.client.detach(request).id
      let app = try await daemon.client.presentation(id).requester.app
      #expect(try await daemon.routerctl(["pause"]) == [])
      let line = try #require(try await daemon.routerctl(["pause", String(id.description.suffix(8)), "--for", "1h"]).first)
      #expect(line.hasPrefix("\(id)\t\(app) · shop · one\tmain\t"))
      #expect(try await daemon.routerctl(["pause"]) == [line])
      #expect(
        try await daemon.routerctl(["resume", String(id.description.suffix(8))]) == ["\(app) · shop · one may ask again."])
      _ = try await daemon.routerctl(["resume", id.description], exit: 7)
      _ = try await daemon.routerctl(["pause", "--last"])
      #expect(try await daemon.client.pauses().map(\.presentation) == [id])
      #expect(try await daemon.routerctl(["resume", "--all"]).count == 1)
      #expect(try await daemon.client.pauses().isEmpty)
      _ = try await daemon.routerctl(["pause", id.description, "--for", "1s"], exit: 64)
    }
  }

  @Test func `says which prompts of the session expire before the pause ends`() async throws {
    try await TestDaemon.run { daemon in
      var request = PresentationRequest.alert("Deploy?")
      request.options.metadata = [AgentLabel.session: "one"]
      request.options.timeout = .seconds(600)
      let id = try await daemon.client.detach(request).id
      request.options.metadata = [AgentLabel.session: "two"]
      _ = try await daemon.client.detach(request)
      for (duration, warning) in [("1h", true), ("5m", false)] {
        let program = try ChildProcess(
          "/bin/sh", ["-c", "exec \(ChildProcess.products.path)/routerctl pause \(id) --for \(duration) 2>&1"],
          environment: ["ROUTERD_SOCKET": daemon.socket])
        #expect(await program.allOutput().contains { $0.contains("1 prompt of it will expire before") } == warning)
        await program.expectExit()
      }
    }
  }
}
