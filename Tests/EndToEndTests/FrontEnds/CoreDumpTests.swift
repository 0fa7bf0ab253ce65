import Foundation
import Router
import RouterClient
import RouterFrontEnds
import RouterTesting
import TestSupport
import Testing

@testable import routerctl

/// Commands that handle answers leave no core dump.
/// Promise P85.
@Suite(.timeLimit(.minutes(10)))
struct CoreDumpTests {
  /// The arguments and the input of each command; the front ends come from the list of them.
  private static func commands() -> [(arguments: [String], input: String)] {
    let arguments = [
      "Askpass": ["askpass", "Password: "], "GitCredential": ["git-credential", "get"], "Pinentry": ["pinentry"],
      "Zenity": ["zenity", "--password"], "Whiptail": ["whiptail", "--passwordbox", "Password", "10", "40"],
      "Dialog": ["dialog", "--passwordbox", "Password", "10", "40"],
    ]
    let inputs = ["Pinentry": "GETPIN\n", "GitCredential": "protocol=https\nhost=git.example\n\n"]
    // Those for agents run the real program, which asks through another front end.
    let frontEnds = FrontEnds.all.filter { !$0.isForAgents }.map { program in
      let name = String(describing: program)
      return (arguments[name] ?? ["the front end \(name) has no line in this test"], inputs[name] ?? "")
    }
    return frontEnds + [(["sheet", "login", "--field", "password:password"], ""), (["present", "--surface", "other"], "\n")]
  }

  @Test func `forbids core dumps while a secret may be typed`() async throws {
    try await TestDaemon.run { daemon in
      let place = try await FrontEndPlace(daemon)
      let presenter = try await TestPresenter.attached(to: daemon)
      for (arguments, input) in Self.commands() {
        let pipe = try ChildPipe()
        pipe.write(input)
        pipe.closeWriting()
        let environment = place.environment.merging(["PATH": "/usr/bin:/bin"]) { $1 }
        let command = try ChildProcess("routerctl", arguments, environment: environment, input: pipe.reading)
        if arguments[0] == "present" {
          try await attached(to: "other", daemon)
        } else {
          _ = try await presenter.nextPresentation()
        }
        let limits = try String(contentsOfFile: "/proc/\(command.pid)/limits", encoding: .utf8)
        let line = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        #expect(line?.split(separator: " ").filter { Int($0) != nil || $0 == "unlimited" } == ["0", "0"], "\(arguments)")
        let filter = try String(contentsOfFile: "/proc/\(command.pid)/coredump_filter", encoding: .utf8)
        #expect(filter.filter { $0 != "0" && $0 != "\n" }.isEmpty, "\(arguments): \(filter)")
        command.signal(SIGKILL)
        _ = await command.exitStatus()
        if arguments[0] != "present" { _ = try await presenter.nextWithdrawal() }
      }
    }
  }

  private func attached(to surface: String, _ daemon: TestDaemon) async throws {
    while true {
      let surfaces = try await daemon.call(.GET, APIPath.surfaces).json["surfaces"]?.array ?? []
      if surfaces.contains(where: { $0["name"]?.string == surface }) { return }
    }
  }

  /// A program that is not dumpable belongs to root in /proc, where only root may look.
  @Test(.enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
  func `lets a daemon of the same user see which program asks`() async throws {
    let directory = try TemporaryDirectory()
    for name in ["routerd", "routerctl"] {
      try FileManager.default.copyItem(
        atPath: ChildProcess.products.appending(path: name).path, toPath: directory.file(name))
    }
    #expect(chmod(directory.path, 0o777) == 0)
    let user = OtherUser(uid: 60015)
    let daemon = try ChildProcess(
      "/usr/bin/setpriv",
      user.running([directory.file("routerd"), "--socket", directory.file("s"), "--database", directory.file("log.db")]),
      environment: ["HOME": directory.path])
    defer { daemon.signal(SIGKILL) }
    try #require(await daemon.line(with: "listening") != nil, "\(daemon.printed)")
    let client = RouterClient(socketPath: directory.file("s"), app: "tests", reconnect: .never)
    let presenter = TestPresenter(client)
    let askpass = try ChildProcess(
      "/usr/bin/setpriv", user.running([directory.file("routerctl"), "askpass", "Password: "]),
      environment: ["ROUTERD_SOCKET": directory.file("s")])
    defer { askpass.signal(SIGKILL) }
    let shown = try await presenter.nextPresentation()
    #expect(shown.requester.process.uid == 60015)
    #expect(shown.requester.process.executable == directory.file("routerctl"))
  }
}
