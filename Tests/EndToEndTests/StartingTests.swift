import Foundation
import Router
import RouterClient
import TestSupport
import Testing

/// What the daemon needs in order to start, and what it can do without.
/// Promises P62, P70.
@Suite(.timeLimit(.minutes(10)))
struct StartingTests {
  @Test func `serves programs without the page if its port is taken`() async throws {
    let taken = try LoopbackListener()
    let manager = try NotifySocket()
    let environment = ["ROUTERD_WEB_ADDRESS": "127.0.0.1:\(taken.port)", "NOTIFY_SOCKET": manager.address]
    try await TestDaemon.run(environment: environment) { daemon in
      let ready = await manager.next()
      #expect(ready == "READY=1\nSTATUS=Listening on \(daemon.socket), without the page")
      let health = try await daemon.http.reply(to: HTTPCall(.GET, APIPath.health))
      #expect(health.status == 200)
      let link = try await daemon.http.reply(to: HTTPCall(.POST, APIPath.webLink))
      #expect(link.status == 404)
    }
  }

  /// Uses a private mount namespace with the database at a second path.
  @Test(.enabled(if: OtherUser.isPossible, "only root can mount"))
  func `refuses a second daemon on a database mounted at another path`() async throws {
    try await TestDaemon.run { daemon in
      let directory = try TemporaryDirectory()
      let second = try ChildProcess(
        "/usr/bin/unshare",
        [
          "-m", "/bin/sh", "-c",
          "touch \"$1/log.db\" && mount --bind \"$2\" \"$1/log.db\" && exec \"$0\" --socket \"$1/s\" --database \"$1/log.db\"",
          ChildProcess.products.appending(path: "routerd").path, directory.path, daemon.database,
        ])
      #expect(await second.line(with: "using it") != nil, "\(second.printed)")
      await second.expectExit(1)
    }
  }

  #if !PostgreSQL
  @Test func `continues as routerd-postgresql if surfaces are shared`() async throws {
    let directory = try TemporaryDirectory()
    let program = directory.file("bin/routerd")
    try directory.write("", to: "bin/file")
    try FileManager.default.copyItem(atPath: ChildProcess.products.appending(path: "routerd").path, toPath: program)
    let sharing = ["ROUTERD_SHARED_DATABASE": "dbname=router", "ROUTERD_SHARED_SURFACES": "ops"]
    let arguments = ["--socket", directory.file("s"), "--database", directory.file("log.db")]

    let alone = try ChildProcess(program, arguments, environment: sharing)
    #expect(await alone.line(with: "install the package router-postgresql") != nil, "\(alone.printed)")
    await alone.expectExit(1)

    let other = try directory.write(
      "#!/bin/bash\necho \"$LISTEN_PID $$ $NOTIFY_SOCKET $*\"; cat <&3\n", to: "lib/router/routerd-postgresql")
    #expect(chmod(other, 0o755) == 0)
    let inherited = try directory.write("inherited\n", to: "inherited")
    let child = try ChildProcess(
      "/bin/bash", ["-c", "exec 3<\"$0\"; export LISTEN_PID=$$; exec \"$@\"", inherited, program] + arguments,
      environment: sharing.merging(["NOTIFY_SOCKET": "/notify"]) { $1 })
    let lines = await child.allOutput()
    let words = lines.first?.split(separator: " ").map(String.init) ?? []
    #expect(words.count == 7 && words[0] == words[1] && Array(words.dropFirst(2)) == ["/notify"] + arguments, "\(lines)")
    #expect(lines.last == "inherited")
    await child.expectExit()
  }
  #endif

  @Test func `reports how many descriptors it needs`() async throws {
    let directory = try TemporaryDirectory()
    let daemon = try ChildProcess(
      "/bin/bash",
      [
        "-c", "ulimit -n 100; exec \"$0\" --socket \"$1/s\" --database \"$1/log.db\"",
        ChildProcess.products.appending(path: "routerd").path, directory.path,
      ])
    var errors = ""
    for await line in daemon.errors { errors += line + "\n" }
    #expect(await daemon.exitStatus() != 0)
    #expect(errors.contains("may open 100 files, and routerd needs 256"), "\(errors)")
  }
}

/// Occupies a port of 127.0.0.1.
final class LoopbackListener {
  let port: UInt16
  private let descriptor: CInt

  init() throws {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 1) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { throw RouterError(.unreachable, "cannot listen: \(String(cString: strerror(errno)))") }
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }
}
