import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// What all front ends share, by the example of askpass.
@Suite(.timeLimit(.minutes(10)))
struct FrontEndTests {
  @Test func `the links act as front ends, and installing again changes nothing`() async throws {
    let directory = try TemporaryDirectory()
    let links = directory.file("a b")
    for _ in 0..<2 {
      let install = try ChildProcess("routerctl", ["frontends", "install", links])
      #expect(await install.allOutput() == ["export PATH='\(links)':\"$PATH\""])
      await install.expectExit()
    }
    let routerctl = ChildProcess.products.appending(path: "routerctl").path
    for name in try FileManager.default.contentsOfDirectory(atPath: links) {
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: links + "/" + name) == routerctl)
    }
    // A file of somebody else's is not touched.
    try FileManager.default.removeItem(atPath: links + "/router-askpass")
    try directory.write("mine", to: "a b/router-askpass")
    let install = try ChildProcess("routerctl", ["frontends", "install", links])
    #expect(await install.line(with: "left alone") != nil)
    #expect(try String(contentsOfFile: links + "/router-askpass", encoding: .utf8) == "mine")
  }

  @Test func `without a daemon nobody is asked, or the fallback asks`() async throws {
    try await TestDaemon.run { daemon in
      var place = try await FrontEndPlace(daemon)
      place.environment["ROUTERD_SOCKET"] = "/nonexistent/s"
      let askpass = try place.start("router-askpass", "Password: ")
      #expect(await askpass.line(with: "cannot reach routerd at /nonexistent/s") != nil)
      #expect(await askpass.allOutput() == [])
      await askpass.expectExit(1)

      let fallback = try place.start("router-askpass", "Password: ", environment: ["ROUTER_ASKPASS_FALLBACK": "echo"])
      #expect(await fallback.allOutput() == ["Password: "])
      await fallback.expectExit()
      // A fallback that is a link to routerctl, or starts it again, would go on for ever.
      for own in ["router-askpass", place.links + "/router-askpass"] {
        let again = try place.start("router-askpass", "Password: ", environment: ["ROUTER_ASKPASS_FALLBACK": own])
        await again.expectExit(1)
      }
      let script = try place.directory.write("#!/bin/sh\nexec \(place.links)/router-askpass \"$@\"\n", to: "loop")
      chmod(script, 0o755)
      let loop = try place.start("router-askpass", "Password: ", environment: ["ROUTER_ASKPASS_FALLBACK": script])
      await loop.expectExit(1)
    }
  }

  @Test func `without a presenter the question expires`() async throws {
    try await TestDaemon.run { daemon in
      let place = try await FrontEndPlace(daemon)
      let askpass = try place.start("router-askpass", "Password: ", environment: ["ROUTER_TIMEOUT": "0.2"])
      #expect(await askpass.line(with: "nobody answered in time") != nil)
      await askpass.expectExit(1)
    }
  }

  @Test(arguments: [SIGKILL, SIGTERM])
  func `the question is withdrawn when its caller ends`(signal: Int32) async throws {
    try await TestDaemon.run { daemon in
      let place = try await FrontEndPlace(daemon)
      let presenter = TestPresenter(daemon.client)
      let caller = try place.start("sh", "-c", "router-askpass 'Password: '; exit $?")
      let shown = try await presenter.nextPresentation()
      let start = ContinuousClock.now
      caller.signal(signal)
      #expect(try await presenter.nextWithdrawal().id == shown.id)
      // A few milliseconds, unless the machine is busy with other tests.
      #expect(ContinuousClock.now - start < .seconds(10))
      #expect(try await daemon.client.presentation(shown.id, wait: .seconds(10)).outcome == .cancelled(.requester))
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal withdraws the question and ends the front end`(signal: Int32) async throws {
    try await TestDaemon.run { daemon in
      let place = try await FrontEndPlace(daemon)
      let presenter = TestPresenter(daemon.client)
      let askpass = try place.start("router-askpass", "Password: ")
      let shown = try await presenter.nextPresentation()
      askpass.signal(signal)
      await askpass.expectExit(128 + signal)
      #expect(try await daemon.client.presentation(shown.id).outcome == .cancelled(.requester))
    }
  }
}
