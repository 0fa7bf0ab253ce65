import Foundation
import Router
import RouterClient
import Testing

/// The user's daemon, started by the first program that asks.
/// Promise P100.
@Suite(.timeLimit(.minutes(10)))
struct UserDaemonTests {
  /// A user's home, whose daemon is stopped at the end.
  private final class Home: Sendable {
    let path: String
    var state: String { path + "/state/routerd" }
    var client: RouterClient { RouterClient(socketPath: path + "/run/routerd/routerd.sock", reconnect: .never) }

    init() throws {
      path = FileManager.default.temporaryDirectory.appending(path: "home-\(UUID().uuidString.prefix(8))").path
      for name in ["run", "config/routerd"] {
        try FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: true)
      }
    }

    func start(_ arguments: String..., environment: [String: String] = [:]) throws -> ChildProcess {
      let own = [
        "HOME": path, "XDG_RUNTIME_DIR": path + "/run", "XDG_STATE_HOME": path + "/state", "XDG_CONFIG_HOME": path + "/config",
        "ROUTERD_SOCKET": "",
      ]
      return try ChildProcess("routerctl", arguments, environment: own.merging(environment) { $1 })
    }

    /// The processes of the daemons that were ever started, in that order. Empty without a log.
    func daemons() async throws -> [JSONValue] {
      guard let reader = try? AuditReader(path: state + "/routerd.db") else { return [] }
      return try await reader.events(after: 0, limit: 1000).filter { $0.kind == .daemonStarted }
        .map { $0.detail["process"] ?? .null }
    }

    /// Sends a signal to the last daemon, unless it is 0, and returns once the daemon has ended.
    func end(by signal: Int32 = 0) async throws {
      guard let pid = try await daemons().last?["pid"]?.number?.integer, let daemon = Descriptors.process(CInt(pid)) else {
        return
      }
      defer { close(daemon) }
      kill(pid_t(pid), signal)
      try await SocketReadiness.shared.wait(for: daemon, .reading)
    }

    /// Runs a body in a new home, and ends the home's daemon.
    static func run(_ body: (Home) async throws -> Void) async throws {
      let home = try Home()
      do {
        try await body(home)
      } catch {
        try await home.end(by: SIGKILL)
        throw error
      }
      try await home.end(by: SIGKILL)
      try FileManager.default.removeItem(atPath: home.path)
    }
  }

  @Test func `is started once by ten programs, and is a child of none`() async throws {
    try await Home.run { home in
      let programs = try (1...10).map { try home.start("confirm", "Question \($0)?", "--detach") }
      for program in programs { await program.expectExit() }
      #expect(try await home.client.presentations().count == 10)
      let daemons = try await home.daemons()
      #expect(daemons.count == 1)
      let above = daemons.first?["ancestry"]?.array?.compactMap { $0["pid"]?.number?.integer } ?? []
      #expect(!above.isEmpty && !above.contains(Int(getpid())))
    }
  }

  @Test func `is started again after a kill, with its prompts`() async throws {
    try await Home.run { home in
      for count in 1...2 {
        await (try home.start("confirm", "Question?", "--detach")).expectExit()
        #expect(try await home.client.presentations().count == count)
        try await home.end(by: SIGKILL)
      }
      #expect(try await home.daemons().count == 2)
    }
  }

  @Test func `is not started for another socket, beside a service manager, or by a front end with a fallback`() async throws {
    try await Home.run { home in
      let other = home.path + "/other"
      await (try home.start("confirm", "Question?", "--detach", environment: ["ROUTERD_SOCKET": other])).expectExit(69)
      await (try home.start("confirm", "Question?", "--detach", "--socket", other)).expectExit(69)
      try FileManager.default.createDirectory(atPath: home.path + "/run/systemd/private", withIntermediateDirectories: true)
      await (try home.start("confirm", "Question?", "--detach")).expectExit(69)
      try FileManager.default.removeItem(atPath: home.path + "/run/systemd")
      await (try home.start("askpass", "Password: ")).expectExit(1)
      #expect(access(home.state, F_OK) != 0)
    }
  }

  @Test func `says why it does not start, at once`() async throws {
    try await Home.run { home in
      try Data("nonsense: 1".utf8).write(to: URL(filePath: home.path + "/config/routerd/routerd.yaml"))
      let program = try home.start("confirm", "Question?", "--detach")
      await program.expectExit(69)
      #expect(program.printed.contains("nonsense is not a setting"))
    }
  }

  @Test func `ends when it is idle, and is started by the next program`() async throws {
    try await Home.run { home in
      try Data("idleSeconds: 1".utf8).write(to: URL(filePath: home.path + "/config/routerd/routerd.yaml"))
      await (try home.start("confirm", "Question?", "--timeout", "1s")).expectExit(5)
      try await home.end()
      await (try home.start("confirm", "Question?", "--detach")).expectExit()
      // An open prompt keeps it.
      #expect(try await home.client.presentations().count == 1)
    }
  }
}
