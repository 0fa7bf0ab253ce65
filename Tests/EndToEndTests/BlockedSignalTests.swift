import Foundation
import Router
import TestSupport
import Testing

/// Programs whose parent had blocked all signals, as Foundation's `Process` does when a Swift task starts it.
/// Promise P93.
@Suite(.timeLimit(.minutes(10)))
struct BlockedSignalTests {
  private func start(_ name: String, _ arguments: [String], socket: String) throws -> ChildProcess {
    let path = ChildProcess.products.appending(path: name).path
    return try ChildProcess("/usr/bin/env", ["--block-signal", "ROUTERD_SOCKET=" + socket, path] + arguments)
  }

  /// Expects that the main thread blocks no signal that the process handles (proc_pid_status(5)).
  private func expectUnblocked(_ process: ChildProcess) throws {
    let status = try String(contentsOfFile: "/proc/\(process.pid)/status", encoding: .utf8)
    func set(_ name: String) throws -> UInt64 {
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
      return try #require(line.split(whereSeparator: \.isWhitespace).last.flatMap { UInt64($0, radix: 16) })
    }
    let (handled, blocked) = (try set("SigCgt"), try set("SigBlk"))
    #expect(handled & 1 << (SIGTERM - 1) != 0 && handled & blocked == 0, "\(process.printed)")
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `stops a daemon that was started with blocked signals`(by signal: Int32) async throws {
    let files = try TemporaryDirectory()
    let daemon = try start("routerd", ["--database", files.path + "/log.db"], socket: files.path + "/s")
    #expect(await daemon.line(with: "listening") != nil)
    try expectUnblocked(daemon)
    daemon.signal(signal)
    await daemon.expectExit()
  }

  @Test(arguments: [["confirm", "Go on?"], ["run", "--", "/bin/true"]])
  func `ends a command that was started with blocked signals`(_ arguments: [String]) async throws {
    try await TestDaemon.run { daemon in
      let command = try start("routerctl", arguments, socket: daemon.socket)
      try await daemon.opened(1)
      try expectUnblocked(command)
      command.signal(SIGTERM)
      await command.expectExit(128 + SIGTERM)
    }
  }
}
