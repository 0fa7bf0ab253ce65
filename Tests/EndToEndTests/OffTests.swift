import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// `routerctl off` and `routerctl on`.
/// Promise P99.
@Suite(.timeLimit(.minutes(10)))
struct OffTests {
  @Test func `sends front ends away at once, keeps prompts, and returns them`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let waiting = try await daemon.client.detach(.alert("Deploy?")).id
      _ = try await presenter.nextPresentation()
      // Waits behind the alert.
      let askpass = try ChildProcess("routerctl", ["askpass", "Password: "], environment: ["ROUTERD_SOCKET": daemon.socket])
      _ = try await daemon.opened(2)
      let said = try await daemon.routerctl(["off", "--for", "1h"])
      #expect(said.count == 1 && said[0].hasPrefix("Router is off until "))
      await askpass.expectExit(1)
      let late = try ChildProcess("routerctl", ["askpass", "Password: "], environment: ["ROUTERD_SOCKET": daemon.socket])
      await late.expectExit(1)
      #expect(try await daemon.client.presentation(waiting).state == .queued)
      #expect(try await daemon.routerctl(["status"]).first?.hasPrefix("router\toff until ") == true)

      #expect(try await daemon.routerctl(["on"]) == ["Router is on."])
      #expect(try await presenter.nextPresentation().id == waiting)
      let events = try await daemon.client.logEvents().reduce(into: [AuditEvent]()) { $0.append($1) }.filter {
        $0.kind == .switched
      }
      #expect(events.sorted { $0.seq < $1.seq }.map { $0.detail["off"] } == [true, false])
      #expect(events.allSatisfy { $0.detail["by"]?["uid"]?.number?.integer == Int(getuid()) })
    }
  }

  @Test(arguments: [SIGKILL, SIGTERM]) func `stays off over a restart`(signal: Int32) async throws {
    try await TestDaemon.run { daemon in
      _ = try await daemon.routerctl(["off"])
      await daemon.end(by: signal)
      let second = try await daemon.next()
      #expect(try await second.client.switched().isOff)
      _ = try await second.routerctl(["on"])
      await second.end(by: signal)
      let third = try await daemon.next()
      #expect(try await !third.client.switched().isOff)
      await third.end(by: SIGTERM)
    }
  }

  @Test func `refuses wrong times`() async throws {
    try await TestDaemon.run { daemon in
      for time in ["3s", "2d"] { _ = try await daemon.routerctl(["off", "--for", time], exit: 64) }
      #expect(try await !daemon.client.switched().isOff)
    }
  }
}
