import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// The service manager protocols of the real daemon: sd_notify(3), sd_watchdog_enabled(3), sd_listen_fds(3).
/// Promise P92.
@Suite(.timeLimit(.minutes(10)))
struct ServiceManagerTests {
  // MARK: Notifications

  @Test(arguments: [false, true])
  func `notifies when it accepts connections, and when it stops`(isAbstract: Bool) async throws {
    let manager = try NotifySocket(isAbstract: isAbstract)
    try await TestDaemon.run(environment: ["NOTIFY_SOCKET": manager.address]) { daemon in
      let ready = try #require(await manager.next())
      #expect(ready == "READY=1\nSTATUS=Listening on \(daemon.socket)")
      #expect(try await daemon.http.reply(to: HTTPCall(.GET, APIPath.health)).status == 200)
      daemon.process.signal(SIGTERM)
      #expect(await manager.next() == "STOPPING=1\nSTATUS=Shutting down")
      await daemon.process.expectExit()
    }
  }

  @Test func `is ready once open presentations are restored`() async throws {
    try await TestDaemon.run { daemon in
      _ = try await daemon.client.detach(.alert("?"))
      daemon.process.signal(SIGKILL)
      _ = await daemon.process.exitStatus()
      let manager = try NotifySocket()
      let next = try ChildProcess(
        "routerd", ["--socket", daemon.socket, "--database", daemon.database],
        environment: ["NOTIFY_SOCKET": manager.address])
      defer { next.signal(SIGKILL) }
      #expect(await manager.next()?.hasPrefix("READY=1\n") == true)
      #expect(try await daemon.client.presentations().map(\.request.title) == ["?"])
    }
  }

  @Test func `runs without a reachable service manager`() async throws {
    for address in ["/nowhere/notify", "@routerd-nobody", "vsock:2:1234", ""] {
      try await TestDaemon.run(environment: ["NOTIFY_SOCKET": address]) { daemon in
        let reply = try await daemon.http.reply(to: HTTPCall(.GET, APIPath.health))
        #expect(reply.status == 200)
      }
    }
  }

  @Test func `pings the watchdog while the log's thread works`() async throws {
    let manager = try NotifySocket()
    let environment = ["NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "100000"]
    try await TestDaemon.run(environment: environment) { daemon in
      var seen = 0
      while seen < 3, let message = await manager.next() { seen += message == "WATCHDOG=1" ? 1 : 0 }
      #expect(seen == 3)
      daemon.process.signal(SIGTERM)
      await daemon.process.expectExit()
    }
  }

  @Test(arguments: [["WATCHDOG_USEC": "100000", "WATCHDOG_PID": "1"], ["WATCHDOG_USEC": "0"], ["WATCHDOG_USEC": "soon"]])
  func `sends no pings if the watchdog is off or for another process`(watchdog: [String: String]) async throws {
    let manager = try NotifySocket()
    let environment = watchdog.merging(["NOTIFY_SOCKET": manager.address]) { $1 }
    try await TestDaemon.run(environment: environment) { daemon in
      let presenter = TestPresenter(daemon.client)
      let handle = daemon.client.submit(.alert("?"))
      try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
      _ = try await handle.resolved()
      daemon.process.signal(SIGTERM)
      await daemon.process.expectExit()
      #expect(await manager.next()?.hasPrefix("READY=1") == true)
      #expect(await manager.next()?.hasPrefix("STOPPING=1") == true)
    }
  }

  // MARK: Reloading

  @Test func `reloads the configuration on SIGHUP, and ignores a faulty one`() async throws {
    let manager = try NotifySocket()
    let directory = try TemporaryDirectory()
    func configure(_ yaml: String) throws -> String { try directory.write(yaml, to: "routerd.yaml") }
    let file = try configure("forbidSelfAnswer: user")
    try await TestDaemon.run(["--config", file], environment: ["NOTIFY_SOCKET": manager.address]) { daemon in
      _ = await manager.next()
      let status = "STATUS=Listening on \(daemon.socket)"
      func reload() async throws -> String {
        daemon.process.signal(SIGHUP)
        let reloading = try #require(await manager.next()).split(separator: "\n")
        #expect(reloading.first == "RELOADING=1")
        let time = try #require(reloading.last?.split(separator: "=").last.flatMap { Int64($0) })
        #expect(reloading.last?.hasPrefix("MONOTONIC_USEC=") == true)
        #expect((1...MonotonicClock.microseconds).contains(time))
        let ready = try #require(await manager.next())
        #expect(ready.hasPrefix("READY=1\n"))
        return String(ready.dropFirst("READY=1\n".count))
      }
      let presenter = TestPresenter(daemon.client)
      let asked = try await daemon.client.detach(.alert("?"))
      _ = try await presenter.nextPresentation()
      func answer() async throws -> Int {
        let call = HTTPCall(
          .POST, APIPath.presentation(asked.id) + "/answer", headers: [:], body: Array(#"{"button":"yes"}"#.utf8))
        return try await daemon.http.reply(to: call).status
      }
      #expect(try await answer() == 403)
      _ = try configure("forbidSelfAnswer: off\nlimmits: {}")
      let mistake = try await reload()
      #expect(mistake.hasPrefix("\(status); the configuration was not reloaded: cannot use the configuration \(file): line 2"))
      #expect(try await answer() == 403)
      _ = try configure("forbidSelfAnswer: off\nlimits: {total: 5}\ndurability: relaxed")
      #expect(try await reload() == "\(status); restart to apply: durability, limits.total")
      #expect(try await answer() == 200)
      _ = try configure("")
      #expect(try await reload() == status)
    }
  }

  @Test(.enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
  func `withdraws the prompts of users who lose a role on reload`() async throws {
    let directory = try TemporaryDirectory()
    func configure(_ users: String) throws -> String {
      try directory.write("socketMode: '0666'\naccess: {request: [\(users)]}", to: "routerd.yaml")
    }
    let file = try configure("60051, 60052")
    try await TestDaemon.run(["--config", file]) { daemon in
      let presenter = TestPresenter(daemon.client)
      let body = #"{"kind":"alert","title":"?"}"#
      let demoted = try OtherUser(uid: 60051).start(daemon, "POST", "/v1/presentations", body: body)
      let first = try await presenter.nextPresentation()
      let kept = try OtherUser(uid: 60052).start(daemon, "POST", "/v1/presentations", body: body)
      _ = try configure("60052")
      try await daemon.opened(2)
      daemon.process.signal(SIGHUP)
      #expect(try await presenter.nextWithdrawal() == (first.id, .cancelled))
      // curl's status for an empty reply.
      await demoted.expectExit(52)
      try await presenter.press(id: "ok", on: try await presenter.nextPresentation())
      await kept.expectExit()
      #expect(try await OtherUser(uid: 60051).call(daemon, "GET", "/v1/presentations").status == 403)
    }
  }

  // MARK: Sockets handed over

  @Test func `keeps a passed socket open across restarts without losing connections`() async throws {
    let directory = try TemporaryDirectory()
    let listener = try Listener(directory.file("handed.sock"))
    let database = directory.file("log.db")
    let client = RouterClient(socketPath: listener.path, app: "tests")
    func start() throws -> ChildProcess {
      try listener.handOver(to: ["--socket", directory.file("unused.sock"), "--database", database])
    }
    for signal in [SIGTERM, SIGKILL] {
      let daemon = try start()
      #expect(await daemon.line(with: "listening")?.contains(listener.path) == true)
      _ = try await client.detach(.alert("\(signal)"))
      daemon.signal(signal)
      await daemon.expectExit(signal == SIGTERM ? 0 : 128 + SIGKILL)
      #expect(FileManager.default.fileExists(atPath: listener.path))
    }
    // No daemon is running; the socket queues the connection.
    let early = try RawConnection(listener.path)
    early.send("GET /healthz HTTP/1.1\r\nHost: routerd\r\n\r\n")
    let daemon = try start()
    defer { daemon.signal(SIGKILL) }
    #expect(await early.head().hasPrefix("HTTP/1.1 200 "))
    #expect(try await client.presentations().map(\.request.title) == ["\(SIGTERM)", "\(SIGKILL)"])
    #expect(!FileManager.default.fileExists(atPath: directory.file("unused.sock")))
  }

  @Test func `uses the socket named for it among several`() async throws {
    let directory = try TemporaryDirectory()
    let listener = try Listener(directory.file("handed.sock"))
    let arguments = ["--database", directory.file("log.db")]
    let named = try listener.handOver(to: arguments, copies: 2, names: "other:routerd")
    #expect(await named.line(with: "listening")?.contains(listener.path) == true)
    named.signal(SIGKILL)
    _ = await named.exitStatus()
    let unnamed = try listener.handOver(to: arguments, copies: 2, names: "a:b")
    #expect(await unnamed.line(with: "systemd passed 2 sockets") != nil)
    await unnamed.expectExit(1)
  }

  @Test func `uses the socket for asking by its path`() async throws {
    let directory = try TemporaryDirectory()
    let listener = try Listener(directory.file("ask.sock"))
    let arguments = ["--socket", directory.file("own.sock"), "--database", directory.file("log.db")]
    let daemon = try listener.handOver(to: arguments, variables: "ROUTERD_ASK_SOCKET=\(listener.path)")
    #expect(await daemon.line(with: "own.sock") != nil)
    let ask = RouterClient(socketPath: listener.path, reconnect: .never)
    try await ask.checkHealth()
    await #expect(throws: RouterError.self) { _ = try await ask.presentations() }
    #expect(try await RouterClient(socketPath: directory.file("own.sock")).presentations().isEmpty)
    daemon.signal(SIGTERM)
    await daemon.expectExit()
    // systemd owns it.
    #expect(FileManager.default.fileExists(atPath: listener.path))
  }

  @Test func `ignores sockets for another process, and refuses a descriptor that is not a socket`() async throws {
    let directory = try TemporaryDirectory()
    let listener = try Listener(directory.file("handed.sock"))
    let arguments = ["--socket", directory.file("own.sock"), "--database", directory.file("log.db")]
    let other = try listener.handOver(to: arguments, process: "1")
    #expect(await other.line(with: "listening")?.contains("own.sock") == true)
    other.signal(SIGTERM)
    await other.expectExit()
    #expect(!FileManager.default.fileExists(atPath: directory.file("own.sock")))
    let file = try ChildProcess(
      "/bin/sh", ["-c", #"LISTEN_PID=$$ LISTEN_FDS=1 exec "$@" 3</dev/null"#, "sh", Listener.routerd] + arguments)
    #expect(await file.line(with: "not a listening Unix socket") != nil)
    await file.expectExit(1)
  }
}

/// The units in `Config`.
@Suite(.timeLimit(.minutes(10)))
struct UnitFileTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
    path: "../../Config/systemd")

  /// Returns the services of a manager, or its units of another kind, by name.
  private func units(of manager: String, kind: String = ".service") throws -> [String: String] {
    let folder = Self.folder.appending(path: manager)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(kind) }
    return Dictionary(
      uniqueKeysWithValues: try names.map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) })
  }

  @Test(arguments: ["system", "user"]) func `every service bounds its memory and leaves no core dump`(manager: String) throws {
    let services = try units(of: manager)
    #expect(services.count == (manager == "user" ? 4 : 3))
    for (name, text) in services {
      let lines = text.split(separator: "\n")
      #expect(lines.contains("LimitCORE=0"), "\(name)")
      #expect(lines.contains { $0.wholeMatch(of: /MemoryMax=\d+[MG]/) != nil }, "\(name)")
    }
  }

  private static let analyzer = "/usr/bin/systemd-analyze"

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: analyzer), "needs systemd-analyze"))
  func `systemd accepts every service and timer`() async throws {
    let directory = try TemporaryDirectory()
    for manager in ["system", "user"] {
      // A timer's service is looked up beside it.
      for (name, text) in try units(of: manager).sorted(by: { $0.key < $1.key }) + units(of: manager, kind: ".timer") {
        // The programs are not installed here.
        let unit = try directory.write(text.replacing(/\/usr\/local\/bin\/\w+/, with: "/bin/true"), to: "\(manager)/\(name)")
        let analyzer = try ChildProcess(
          Self.analyzer, ["verify", "--man=no", "--\(manager)", unit], environment: ["XDG_RUNTIME_DIR": directory.path])
        await analyzer.expectExit()
        #expect(!analyzer.printed.contains(name), "\(analyzer.printed)")
      }
    }
  }
}

/// A listening socket passed to daemons as by a service manager.
private final class Listener: Sendable {
  static let routerd = ChildProcess.products.appending(path: "routerd").path

  let path: String
  private let descriptor: CInt

  init(_ path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    let result = withAddress(path) { bind(descriptor, $0, $1) }
    guard result == 0, listen(descriptor, 8) == 0 else { throw RouterError(.unreachable, "cannot listen") }
  }

  deinit {
    close(descriptor)
  }

  /// Starts a daemon with the socket as descriptor 3, and 4 if there are two.
  func handOver(
    to arguments: [String], copies: Int = 1, names: String = "", process: String = "$$", variables: String = ""
  ) throws -> ChildProcess {
    let script = """
      exec 3<&0 4<&0 </dev/null
      LISTEN_PID=\(process) LISTEN_FDS=\(copies) LISTEN_FDNAMES=\(names) \(variables) exec "$@"
      """
    return try ChildProcess(
      "/bin/sh", ["-c", script, "sh", Self.routerd] + arguments, input: descriptor)
  }
}

/// The notification socket of a service manager.
final class NotifySocket: Sendable {
  /// The value of `NOTIFY_SOCKET`.
  let address: String
  private let directory: TemporaryDirectory
  private let messages: AsyncStream<String>

  init(isAbstract: Bool = false) throws {
    directory = try TemporaryDirectory()
    let path = directory.file("notify")
    address = isAbstract ? "@" + path : path
    let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    let result = withAddress(isAbstract ? "\0" + path : path) { bind(descriptor, $0, $1) }
    guard descriptor >= 0, result == 0 else { throw RouterError(.unreachable, "cannot bind \(address)") }
    let (messages, continuation) = AsyncStream<String>.makeStream()
    self.messages = messages
    Thread.detachNewThread {
      var buffer = [UInt8](repeating: 0, count: 65536)
      // This thread ends with the test process; nothing can wake it.
      while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
        continuation.yield(String(decoding: buffer[..<count], as: UTF8.self))
      }
    }
  }

  func next() async -> String? {
    for await message in messages { return message }
    return nil
  }
}

/// Calls a function with the address of a Unix socket; an abstract one begins with a zero.
private func withAddress<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  let size = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count)
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
  }
}
