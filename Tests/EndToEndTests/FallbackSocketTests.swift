import Foundation
import Router
import TestSupport
import Testing

/// Daemon and tools without `XDG_RUNTIME_DIR`, as under su and cron and in containers.
@Suite(.timeLimit(.minutes(10)), .enabled(if: OtherUser.isPossible, "only root can be a user without a session"))
struct FallbackSocketTests {
  private let user = OtherUser(uid: 60017)

  private func run(_ program: String, _ arguments: String..., home: String) throws -> ChildProcess {
    let command = ["/usr/bin/env", "-i", "HOME=" + home, ChildProcess.products.appending(path: program).path] + arguments
    return try ChildProcess("/usr/bin/setpriv", user.running(command))
  }

  @Test func `a daemon and tools without a session agree on a private socket`() async throws {
    let directory = try TemporaryDirectory()
    try #require(chown(directory.path, user.uid, user.gid) == 0)
    let socket = directory.file(".local/state/routerd/routerd.sock")
    #expect(await (try run("routerctl", "socket", home: directory.path)).allOutput() == [socket])
    let daemon = try run("routerd", home: directory.path)
    defer { daemon.signal(SIGKILL) }
    #expect(await daemon.line(with: "listening") != nil, "\(daemon.printed)")
    let mode = try FileManager.default.attributesOfItem(atPath: directory.file(".local/state/routerd"))[.posixPermissions]
    #expect(mode as? Int == 0o700)
    let status = try run("routerctl", "status", "--json", home: directory.path)
    await status.expectExit()
    let log = try run("routerctl", "log", home: directory.path)
    await log.expectExit()
    daemon.signal(SIGTERM)
    await daemon.expectExit()
  }

  @Test func `the daemon refuses a directory that others can write to`() async throws {
    let directory = try TemporaryDirectory()
    let state = directory.file(".local/state/routerd")
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    try #require(chown(state, user.uid, user.gid) == 0 && chmod(state, 0o777) == 0)
    let daemon = try run("routerd", home: directory.path)
    #expect(await daemon.line(with: "cannot listen in \(state)") != nil, "\(daemon.printed)")
    #expect(await daemon.exitStatus() != 0)
  }
}
