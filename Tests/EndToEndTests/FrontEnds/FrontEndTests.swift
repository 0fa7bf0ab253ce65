import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// Behavior common to all front ends, tested with askpass.
/// Promise P85.
@Suite(.timeLimit(.minutes(10)))
struct FrontEndTests {
  @Test func `installs links idempotently, and leaves other files alone`() async throws {
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
    // Other files are left alone.
    try FileManager.default.removeItem(atPath: links + "/router-askpass")
    try directory.write("mine", to: "a b/router-askpass")
    let install = try ChildProcess("routerctl", ["frontends", "install", links])
    #expect(await install.line(with: "skipped") != nil)
    #expect(try String(contentsOfFile: links + "/router-askpass", encoding: .utf8) == "mine")
  }

  @Test func `uninstalls its links, and leaves other files alone`() async throws {
    let directory = try TemporaryDirectory()
    let links = directory.file("links")
    func frontEnds(_ command: String) async throws {
      let frontEnds = try ChildProcess("routerctl", ["frontends", command, links])
      await frontEnds.expectExit()
    }
    try await frontEnds("install")
    try FileManager.default.removeItem(atPath: links + "/zenity")
    try directory.write("mine", to: "links/zenity")
    try await frontEnds("uninstall")
    #expect(try FileManager.default.contentsOfDirectory(atPath: links) == ["zenity"])
    try FileManager.default.removeItem(atPath: links + "/zenity")
    try await frontEnds("install")
    try await frontEnds("uninstall")
    #expect(!FileManager.default.fileExists(atPath: links))
    // An empty directory without its links is another's.
    try FileManager.default.createDirectory(atPath: links, withIntermediateDirectories: false)
    try await frontEnds("uninstall")
    #expect(FileManager.default.fileExists(atPath: links))
  }

  @Test func `removes the default directory, with the one that only Router uses`() async throws {
    let home = try TemporaryDirectory()
    for command in ["install", "uninstall"] {
      let frontEnds = try ChildProcess("routerctl", ["frontends", command], environment: ["HOME": home.path])
      await frontEnds.expectExit()
      #expect(FileManager.default.fileExists(atPath: home.file(".local/lib/router/compat/zenity")) == (command == "install"))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.file(".local/lib")) == [])
  }

  @Test func `skips another program's link, even to a missing file`() async throws {
    let directory = try TemporaryDirectory()
    try directory.write("#!/bin/sh\n", to: "other")
    for target in [directory.file("other"), "/nonexistent/program"] {
      let links = directory.file("links-\(target.utf8.count)")
      try FileManager.default.createDirectory(atPath: links, withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(atPath: links + "/dialog", withDestinationPath: target)
      let install = try ChildProcess("routerctl", ["frontends", "install", links])
      #expect(await install.line(with: "skipped \(links)/dialog: it is not a link to routerctl") != nil)
      await install.expectExit()
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: links + "/dialog") == target)
      let installed = try FileManager.default.contentsOfDirectory(atPath: links)
      #expect(Set(installed).isSuperset(of: ["router-askpass", "whiptail", "zenity"]), "\(installed)")
    }
  }

  @Test(arguments: ["/proc/x", "/dev/null", "/dev/null/x", "/proc/1/x"])
  func `says in one line why a directory for links cannot be made`(directory: String) async throws {
    let install = try ChildProcess("routerctl", ["frontends", "install", directory])
    await install.expectExit(70)
    let lines = install.printed.split(separator: "\n")
    #expect(
      lines.count == 1 && lines.first?.contains("cannot create the links in \(directory): ") == true, "\(install.printed)")
    #expect(!install.printed.contains("Error"), "\(install.printed)")
  }

  @Test func `fails without a daemon, or runs the fallback`() async throws {
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
      // A fallback that links to routerctl or starts it again would loop forever.
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

  @Test func `expires the question without a presenter`() async throws {
    try await TestDaemon.run { daemon in
      let place = try await FrontEndPlace(daemon)
      let askpass = try place.start("router-askpass", "Password: ", environment: ["ROUTER_TIMEOUT": "0.2"])
      #expect(await askpass.line(with: "nobody answered in time") != nil)
      await askpass.expectExit(1)
    }
  }

  @Test(arguments: [SIGKILL, SIGTERM])
  func `withdraws the question when its caller ends`(signal: Int32) async throws {
    try await TestDaemon.run { daemon in
      let place = try await FrontEndPlace(daemon)
      let presenter = TestPresenter(daemon.client)
      let caller = try place.start("sh", "-c", "router-askpass 'Password: '; exit $?")
      let shown = try await presenter.nextPresentation()
      caller.signal(signal)
      #expect(try await presenter.nextWithdrawal().id == shown.id)
      #expect(try await daemon.client.presentation(shown.id, wait: .seconds(10)).outcome == .cancelled(.requester))
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func `withdraws the question and exits on a signal`(signal: Int32) async throws {
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
