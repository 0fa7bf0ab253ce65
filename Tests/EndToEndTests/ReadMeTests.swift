import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// The README's commands, run as they are written there.
@Suite(.timeLimit(.minutes(10)))
struct ReadMeTests {
  private static let page: String = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return (try? String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)) ?? ""
  }()

  /// Returns the shell blocks of a section, with an empty line between them.
  private func block(_ heading: String) throws -> String {
    let section = try #require(Self.page.components(separatedBy: "# \(heading)\n").last).components(separatedBy: "\n#").first
    let blocks = section?.components(separatedBy: "```sh\n").dropFirst().compactMap { $0.components(separatedBy: "```").first }
    return try #require(blocks).joined(separator: "\n")
  }

  private func line(_ start: String, of block: String) throws -> String {
    try #require(block.split(separator: "\n").first { $0.hasPrefix(start) }.map(String.init), "no line starts with \(start)")
  }

  private func shell(_ script: String, on daemon: TestDaemon, in directory: String = "/") throws -> ChildProcess {
    let path = "\(ChildProcess.products.path):/usr/bin:/bin"
    return try ChildProcess(
      "/bin/sh", ["-c", "cd '\(directory)'\n" + script],
      environment: ["ROUTERD_SOCKET": daemon.socket, "ROUTERD_DATABASE": daemon.database, "PATH": path])
  }

  @Test func `the shell commands deploy after a yes, and show it in the log`() async throws {
    let block = try block("My script should ask")
    let directory = try TemporaryDirectory()
    #expect(chmod(try directory.write("#!/bin/sh\necho deployed\n", to: "deploy"), 0o755) == 0)
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let confirm = try shell(line("routerctl confirm", of: block), on: daemon, in: directory.path)
      try await presenter.press("Yes", on: try await presenter.nextPresentation())
      #expect(await confirm.allOutput() == ["deployed"])
      await confirm.expectExit()
      let log = try shell(line("routerctl log", of: block), on: daemon)
      #expect(await log.allOutput().contains { $0.contains("Deploy 1.4.2?") })
    }
  }
}
