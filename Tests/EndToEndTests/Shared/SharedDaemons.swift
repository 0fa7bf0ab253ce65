#if PostgreSQL
import Foundation
import Router
import RouterClient
import Testing

/// Daemons of several hosts that share the surfaces of one database.
final class SharedDaemons: Sendable {
  let database: SharedTestDatabase
  private let environment: [String: String]
  private let surface: String
  private let isCommon: Bool
  private let daemons = Mutex<[String: TestDaemon]>([:])

  private static let limit = ConcurrencyLimit(12)

  private init(_ database: SharedTestDatabase, _ environment: [String: String], _ surface: String, isCommon: Bool = false) {
    self.database = database
    self.surface = surface
    self.isCommon = isCommon
    self.environment = environment
  }

  /// The daemons of tests that neither stop nor configure them. Each test uses other surfaces. They end with this process.
  static var common: SharedDaemons {
    get async throws { try await commonTask.value }
  }
  private static let commonTask = Task {
    let database = try await PostgreSQLServer.common.newDatabase()
    let settings = [
      "ROUTERD_SHARED_SURFACES": "*", "ROUTERD_SHARED_SILENCE_SECONDS": "20", "ROUTERD_SHARED_LIMIT": "10000",
    ]
    let shared = SharedDaemons(database, settings, "main", isCommon: true)
    for host in ["alpha", "beta"] { try await shared.start(host) }
    return shared
  }

  /// Runs a body with daemons, and always ends them. The first one leads the surface. May wait for other tests to end.
  ///
  /// - Parameters:
  ///   - surfaces: The shared surfaces, comma-separated.
  ///   - surface: The one that they use.
  ///   - silence: Seconds until a silent leader is replaced. The busy machine of the tests delays daemons.
  static func run<Result: Sendable>(
    _ hosts: [String] = ["alpha", "beta"], surfaces: String = "*", surface: String = "main", silence: Int = 20,
    environment: [String: String] = [:],
    server: PostgreSQLServer? = nil, _ body: (SharedDaemons) async throws -> Result
  ) async throws -> Result {
    await limit.enter()
    defer { limit.leave() }
    let server = if let server { server } else { try await PostgreSQLServer.common }
    return try await server.withDatabase { database in
      let settings = ["ROUTERD_SHARED_SURFACES": surfaces, "ROUTERD_SHARED_SILENCE_SECONDS": "\(silence)"]
      let shared = SharedDaemons(database, settings.merging(environment) { $1 }, surface)
      defer { for daemon in shared.all { daemon.remove() } }
      for host in hosts { try await shared.start(host) }
      return try await body(shared)
    }
  }

  var all: [TestDaemon] { daemons.withLock { Array($0.values) } }

  subscript(host: String) -> TestDaemon { daemons.withLock { $0[host]! } }

  /// Starts the daemon of a host, or starts it again, and waits until it takes part in the surface.
  func start(_ host: String) async throws {
    let settings = environment.merging(self.environment(of: host)) { $1 }
    let daemon =
      if let last = daemons.withLock({ $0[host] }) {
        try await last.next(environment: settings)
      } else {
        try await TestDaemon.start(environment: settings, isCommon: isCommon)
      }
    daemons.withLock { $0[host] = daemon }
    try await join(surface, on: host)
  }

  /// The settings that admit a host.
  func environment(of host: String) -> [String: String] {
    ["ROUTERD_SHARED_DATABASE": database.url(of: host), "ROUTERD_SHARED_HOST": host]
  }

  /// Makes a host take part in a surface, and waits until the surface has a leader.
  func join(_ surface: String, on host: String) async throws {
    _ = try await self[host].call(.GET, "/v1/log?limit=1&surface=\(surface)")
    try await database.wait(
      until: "t", is: "SELECT EXISTS (SELECT FROM router.surfaces WHERE name = '\(surface)' AND leader IS NOT NULL)")
  }

  // MARK: Leading

  func leader(of surface: String = "main") async throws -> String {
    try #require(try await database.leader(of: surface))
  }

  /// Waits until another host leads the surface `main`.
  func leader(otherThan host: String) async throws -> String {
    while true {
      let leader = try await leader()
      if leader != host { return leader }
      try Task.checkCancellation()
    }
  }

  // MARK: Records

  /// The path of a host's copy of the record of a surface.
  func copy(of surface: String = "main", on host: String) -> String { self[host].database + ".shared/\(surface).db" }

  /// Expects that the hosts have the record of the database, once they have caught up, and that all copies verify.
  func expectEqualCopies(
    of surface: String = "main", on hosts: [String] = ["alpha", "beta"], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let record = "FROM router.events WHERE surface = '\(surface)' ORDER BY seq DESC LIMIT 1"
    var head = try await database.psql("SELECT seq || ' ' || encode(hash, 'hex') \(record)").first
    for host in hosts {
      let reader = try AuditReader(path: copy(of: surface, on: host))
      while true {
        let own = try await reader.head()
        let text = "\(own.seq) \(own.hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())"
        if text == head { break }
        try Task.checkCancellation()
        head = try await database.psql("SELECT seq || ' ' || encode(hash, 'hex') \(record)").first
      }
      let verify = try ChildProcess("routerctl", ["log", "verify", "--database", copy(of: surface, on: host)])
      await verify.expectExit(0, host, sourceLocation: sourceLocation)
    }
  }
}
#endif
