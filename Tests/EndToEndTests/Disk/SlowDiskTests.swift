import Foundation
import Router
import RouterClient
import TestSupport
import Testing

/// A slow disk: only writes wait for it.
/// Promise P13.
@Suite(.timeLimit(.minutes(10)))
struct SlowDiskTests {
  @Test func `answers reads and health checks while a commit waits for the disk`() async throws {
    let directory = try TemporaryDirectory()
    let disk = try FaultyDisk(in: directory.path)
    let environment = try disk.environment.merging(["ROUTERD_WEB_ADDRESS": "127.0.0.1:0"]) { $1 }
    try await TestDaemon.run(environment: environment) { daemon in
      let before = try await daemon.client.detach(.alert("before"))
      disk.hold(true)
      async let during = daemon.client.detach(.alert("during"))
      await disk.held()
      // Each of these replies before the flush returns.
      for path in [
        APIPath.health, APIPath.presentations, APIPath.presentation(before.id), APIPath.surfaces, APIPath.log,
        APIPath.logStatistics, APIPath.status, "/metrics", APIPath.openAPI,
      ] {
        let reply = try await daemon.http.reply(to: HTTPCall(.GET, path))
        #expect(reply.status == 200, "\(path)")
      }
      #expect(disk.isHolding)
      let open = try await daemon.client.presentations()
      #expect(open.map(\.id) == [before.id], "nothing is told before it is on record")
      disk.hold(false)
      let accepted = try await during
      #expect(accepted.state != .resolved)
    }
  }
}
