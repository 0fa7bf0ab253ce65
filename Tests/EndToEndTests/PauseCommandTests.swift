import Foundation
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import Testing

/// `routerctl pause` and `routerctl resume`.
@Suite(.timeLimit(.minutes(10)))
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
      #expect(line.hasPrefix("\(id)\t\(app) · shop · one\tmain\t"))
      #expect(try await run(["pause"], daemon) == [line])
      #expect(try await run(["resume", String(id.description.suffix(8))], daemon) == ["\(app) · shop · one may ask again."])
      _ = try await run(["resume", id.description], daemon, exit: 7)
      _ = try await run(["pause", "--last"], daemon)
      #expect(try await daemon.client.pauses().map(\.presentation) == [id])
      #expect(try await run(["resume", "--all"], daemon).count == 1)
      #expect(try await daemon.client.pauses().isEmpty)
      _ = try await run(["pause", id.description, "--for", "1s"], daemon, exit: 64)
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
