import OrderedCollections
import Router
import RouterClient
import RouterTesting
import Testing

/// `routerctl pause` and `routerctl resume`.
@Suite(.timeLimit(.minutes(20)))
struct PauseCommandTests {
  private func run(_ arguments: [String], _ daemon: TestDaemon, exit status: Int32 = 0) async throws -> [String] {
    let program = try ChildProcess("routerctl", arguments, environment: ["ROUTERD_SOCKET": daemon.socket])
    let output = await program.allOutput()
    await program.expectExit(status)
    return output
  }

  @Test func `pauses, lists and resumes a session`() async throws {
    try await TestDaemon.run { daemon in
      var request = PresentationRequest.alert("Deploy?")
      request.options.metadata = [AgentLabel.session: "one", AgentLabel.directory: "/srv/shop"]
      let id = try await daemon.client.detach(request).id
      let app = try await daemon.client.presentation(id).requester.app
      #expect(try await run(["pause"], daemon) == [])
      let line = try #require(try await run(["pause", String(id.description.suffix(8)), "--for", "1h"], daemon).first)
      #expect(line.hasPrefix("\(id)\t\(app) · shop\tmain\t"))
      #expect(try await run(["pause"], daemon) == [line])
      #expect(try await run(["resume", String(id.description.suffix(8))], daemon) == ["\(app) · shop may ask again."])
      _ = try await run(["resume", id.description], daemon, exit: 7)
      _ = try await run(["pause", "--last"], daemon)
      #expect(try await daemon.client.pauses().map(\.presentation) == [id])
      #expect(try await run(["resume", "--all"], daemon).count == 1)
      #expect(try await daemon.client.pauses().isEmpty)
      _ = try await run(["pause", id.description, "--for", "1s"], daemon, exit: 64)
    }
  }
}
