#if PostgreSQL
import FoundationEssentials
package import Logging
package import Router
import Synchronization

/// A host's participation in the shared surfaces of a database. A single thread accesses the database, so that a slow or
/// unreachable database delays nothing else.
package final class SharedDatabase: Sendable {
  package struct Configuration: Sendable, Hashable {
    /// The connection string or URI of the database.
    package var url: String
    /// This host's name, as in `router.hosts`.
    package var host: String
    /// The time without contact after which another host takes the lead, and the host's requests and presenters end.
    package var silence: Duration

    package init(url: String, host: String, silence: Duration = .seconds(5)) {
      self.url = url
      self.host = host
      self.silence = silence
    }
  }

  typealias Command = @Sendable (SharedWorker) -> Void

  package let configuration: Configuration
  private let pool: ConnectionPool
  private let commands = Mutex<[Command]>([])
  private let pipe: WakePipe

  package init(_ configuration: Configuration, logger: Logger) throws {
    self.configuration = configuration
    pool = ConnectionPool(url: configuration.url, timeout: configuration.silence)
    pipe = try WakePipe()
    // Ends with `stop()`.
    try Thread.start { [self] in
      SharedWorker(configuration, pipe: pipe, logger: logger).run { [self] in
        commands.withLock { commands in
          defer { commands = [] }
          return commands
        }
      }
    }
  }

  /// Joins a surface until ``stop()``. Returns after one attempt to reach the database.
  ///
  /// - Parameters:
  ///   - copy: The path of this host's copy of the record.
  ///   - make: Creates the surface's coordinator on its log.
  package func join(
    _ surface: String, copy: String,
    _ make: (AuditLog, SharedSurface) async throws -> PresentationCoordinator
  ) async throws -> (PresentationCoordinator, AuditLog) {
    let primary = SharedLog(surface: surface, connections: pool) { [weak self] in
      self?.tell { $0.committed(on: surface) }
    }
    let log = try AuditLog(path: copy, durability: .relaxed, clock: .system, primary: primary)
    let shared = SharedSurface(name: surface, host: configuration.host, link: Link(database: self, surface: surface))
    let coordinator = try await make(log, shared)
    // Otherwise the first requests would fail because the database is unreachable.
    await withCheckedContinuation { continuation in
      tell { $0.add(surface, coordinator, log, primary) { continuation.resume() } }
    }
    return (coordinator, log)
  }

  /// Leaves all surfaces after their coordinators have shut down. Returns when other hosts can take the lead.
  package func stop() async {
    await withCheckedContinuation { continuation in
      tell { $0.stop { continuation.resume() } }
    }
    pool.stop()
  }

  /// Abandons commits that wait for the database, so that coordinators can shut down.
  package func giveUp() { pool.stop() }

  /// The recorded surfaces, with the hosts that added them. This host's surfaces come first.
  package func surfacesOnRecord() throws -> [(name: String, host: String)] {
    let connection = try PostgreSQLConnection(configuration.url, timeout: configuration.silence)
    let rows = try connection.query(
      "SELECT name, coalesce(host, '') FROM router.surfaces ORDER BY host IS DISTINCT FROM $1, name", [configuration.host])
    return rows.compactMap { row in row[0].flatMap { name in row[1].map { (name, $0) } } }
  }

  fileprivate func tell(_ command: @escaping Command) {
    let mustWake = commands.withLock { commands in
      commands.append(command)
      return commands.count == 1
    }
    if mustWake { pipe.wake() }
  }

  private final class Link: SharedLink {
    private let database: SharedDatabase
    private let surface: String

    init(database: SharedDatabase, surface: String) {
      self.database = database
      self.surface = surface
    }

    func send(_ input: SharedInput, number: Int) {
      database.tell { [surface] in $0.send(input, number: number, on: surface) }
    }

    func report(_ progress: PresentationProgress?, of id: PresentationID) {
      database.tell { [surface] in $0.report(progress, of: id, on: surface) }
    }

    func recorded(_ row: InboxReply) {
      database.tell { [surface] in $0.recorded(row.row, on: surface) }
    }

    func steppedDown() {
      database.tell { [surface] in $0.steppedDown(on: surface) }
    }
  }
}
#endif
