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

    /// The daemons that were ever started, by the log.
    func daemons() async throws -> [JSONValue] {
      try await client.logEvents().reduce(into: []) {
        if $1.kind == .daemonStarted { $0.append($1.detail["process"] ?? .null) }
      }
    }

    func end() async throws {
      guard let pid = try await daemons().first?["pid"]?.number?.integer else { return }
      kill(pid_t(pid), SIGKILL)
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test func `is started once by ten programs, and is a child of none`() async throws {
    let home = try Home()
    let programs = try (1...10).map { try home.start("confirm", "Question \($0)?", "--detach") }
    for program in programs { await program.expectExit(0) }
    #expect(try await home.client.presentations().count == 10)
    let daemons = try await home.daemons()
    #expect(daemons.count == 1)
    let above = daemons.first?["ancestry"]?.array?.compactMap { $0["pid"]?.number?.integer } ?? []
    #expect(!above.contains(Int(getpid())))
    try await home.end()
  }

  @Test func `is started again after a kill, with its prompts`() async throws {
    let home = try Home()
    for count in 1...2 {
      await (try home.start("confirm", "Question?", "--detach")).expectExit(0)
      #expect(try await home.client.presentations().count == count)
      let last = try await home.daemons().compactMap { $0["pid"]?.number?.integer }.first
      kill(pid_t(try #require(last)), SIGKILL)
      while (try? await home.client.checkHealth()) != nil {}
    }
    try FileManager.default.removeItem(atPath: home.path)
  }

  @Test func `is not started for another socket, or beside a service manager`() async throws {
    let home = try Home()
    await (try home.start("confirm", "Question?", "--detach", environment: ["ROUTERD_SOCKET": home.path + "/other"]))
      .expectExit(69)
    await (try home.start("confirm", "Question?", "--detach", "--socket", home.path + "/other")).expectExit(69)
    try FileManager.default.createDirectory(atPath: home.path + "/run/systemd/private", withIntermediateDirectories: true)
    await (try home.start("confirm", "Question?", "--detach")).expectExit(69)
    // A front end with a fallback leaves it alone, too.
    try FileManager.default.removeItem(atPath: home.path + "/run/systemd")
    await (try home.start("askpass", "Password: ")).expectExit(1)
    #expect(access(home.state, F_OK) != 0)
    try FileManager.default.removeItem(atPath: home.path)
  }

  @Test func `says why it does not start, at once`() async throws {
    let home = try Home()
    try Data("nonsense: 1".utf8).write(to: URL(filePath: home.path + "/config/routerd/routerd.yaml"))
    let program = try home.start("confirm", "Question?", "--detach")
    await program.expectExit(69)
    #expect(program.printed.contains("nonsense is not a setting"))
    try FileManager.default.removeItem(atPath: home.path)
  }

  @Test func `ends when it is idle, and is started by the next program`() async throws {
    let home = try Home()
    try Data("idleSeconds: 1".utf8).write(to: URL(filePath: home.path + "/config/routerd/routerd.yaml"))
    await (try home.start("confirm", "Question?", "--timeout", "1s")).expectExit(5)
    while access(home.path + "/run/routerd/routerd.sock", F_OK) == 0 { await Task.yield() }
    await (try home.start("confirm", "Question?", "--detach")).expectExit(0)
    // An open prompt keeps it.
    #expect(try await home.client.presentations().count == 1)
    try await home.end()
  }
}
