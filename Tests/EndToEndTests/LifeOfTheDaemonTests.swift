import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// Starting, stopping and being killed.
@Suite(.timeLimit(.minutes(10)))
struct LifeOfTheDaemonTests {
  @Test func `keeps detached presentations and accepted answers across a kill`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let answered = try await daemon.client.detach(.alert("answered"))
      for title in ["shown", "second", "third"] { _ = try await daemon.client.detach(.alert(title)) }
      try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
      #expect(try await presenter.nextPresentation().request.title == "shown")
      daemon.process.signal(SIGKILL)
      await daemon.process.expectExit(128 + SIGKILL)

      let next = try await daemon.next()
      #expect(try await next.client.presentation(answered.id).outcome == .answered(.button("yes")))
      #expect(try await next.client.presentations().map(\.request.title) == ["shown", "second", "third"])
      let again = try await TestPresenter(next.client).nextPresentation()
      #expect((again.request.title, again.generation) == ("shown", 2))
    }
  }

  @Test func `stops cleanly within two seconds with open streams`() async throws {
    // Takes the best of a few runs, since other tests keep the machine busy. A daemon that blocks would block every time.
    var shortest = Duration.seconds(60)
    for _ in 0..<5 where shortest >= .seconds(2) { shortest = min(shortest, try await timeOfACleanStop()) }
    #expect(shortest < .seconds(2))
  }

  private func timeOfACleanStop() async throws -> Duration {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let attached = daemon.client.submit(.alert("attached"))
      _ = try await presenter.nextPresentation()
      _ = try await daemon.client.detach(.alert("detached"))
      let waiting = Task { try await daemon.client.ask(.alert("plain")) }
      try await daemon.opened(3)
      let start = ContinuousClock.now
      daemon.process.signal(SIGTERM)
      await daemon.process.expectExit()
      let time = start.duration(to: .now)
      #expect(try await attached.resolved().outcome == .cancelled(.interrupted))
      #expect(try await waiting.value.outcome == .cancelled(.interrupted))
      #expect(!FileManager.default.fileExists(atPath: daemon.socket))

      let next = try await daemon.next()
      #expect(try await next.client.presentations().map(\.request.title) == ["detached"])
      return time
    }
  }

  @Test func `refuses a second daemon on the same socket`() async throws {
    try await TestDaemon.run { daemon in
      let second = try ChildProcess("routerd", ["--socket", daemon.socket, "--database", daemon.directory + "/other.db"])
      #expect(await second.line(with: "routerd is running and using it (pid ")?.contains(daemon.socket) == true)
      await second.expectExit(1)
      #expect(try await daemon.client.status().open == 0)
    }
  }

  @Test func `refuses a second daemon on the same database`() async throws {
    try await TestDaemon.run { daemon in
      let second = try ChildProcess("routerd", ["--socket", daemon.directory + "/other", "--database", daemon.database])
      #expect(await second.line(with: "routerd is running and using it (pid ")?.contains(daemon.database) == true)
      await second.expectExit(1)
      #expect(!FileManager.default.fileExists(atPath: daemon.directory + "/other"))
    }
  }

  @Test func `restricts the socket and the database to their owner`() async throws {
    try await TestDaemon.run { daemon in
      for path in [daemon.socket, daemon.database, daemon.database + "-wal"] {
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600, "\(path)")
      }
    }
  }
}
