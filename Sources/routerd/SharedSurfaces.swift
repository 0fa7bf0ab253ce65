import FoundationEssentials
import Glibc
import Logging
import Router

#if PostgreSQL
import RouterPostgreSQL
#endif

/// Connects the daemon to the surfaces that it shares with other hosts.
struct SharedSurfaces: Sendable {
  let sharing: Coordinators.Sharing
  /// The surfaces in the configuration, and those with a local copy of their record.
  let known: [Surface]
  /// Returns the recorded surfaces, with the hosts that added them; `nil` if all are already known.
  let others: (@Sendable () throws -> [Surface])?
  /// Abandons operations that wait for the database, so that the coordinators can shut down.
  let giveUp: @Sendable () -> Void
  let stop: @Sendable () async -> Void
  let logger: Logger

  typealias Make = @Sendable (AuditLog, SharedSurface) async throws -> PresentationCoordinator
  typealias Surface = (name: String, user: Coordinators.User)
  typealias Joining = [(surface: String, keeper: Task<Coordinators.Keeper, any Error>)]

  /// Returns `nil` if no surface is configured as shared.
  ///
  /// - Throws: ``RouterError`` if this program was built without PostgreSQL.
  static func make(_ configuration: DaemonConfiguration, logger: Logger, _ make: @escaping Make) throws -> SharedSurfaces? {
    let shared = configuration.shared
    guard let url = shared.database, !shared.surfaces.isEmpty else { return nil }
    #if PostgreSQL
    let host = shared.host ?? hostName ?? "host"
    let database = try SharedDatabase(.init(url: url, host: host, silence: shared.silence), logger: logger)
    let directory = configuration.database + ".shared"
    try Daemon.makeDirectory(directory)
    let join: @Sendable (String) async throws -> Coordinators.Keeper = { surface in
      let (coordinator, log) = try await database.join(surface, copy: "\(directory)/\(surface).db", make)
      return Coordinators.Keeper(coordinator, log, try AuditReader(log))
    }
    let names = shared.surfaces.filter { !$0.contains { "*?[".contains($0) } }
    let copies = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.ends(with: ".db") }
    var known: [Surface] = names.map { ($0, .configuration) }
    known += copies.map { String($0.dropLast(3)) }.filter { !names.contains($0) }.sorted().map { ($0, .host(host)) }
    let others: @Sendable () throws -> [Surface] = { try database.surfacesOnRecord().map { ($0.name, .host($0.host)) } }
    return SharedSurfaces(
      sharing: Coordinators.Sharing(host: host, surfaces: shared.surfaces, limit: shared.limit, join: join),
      known: known, others: names.count == shared.surfaces.count ? nil : others, giveUp: database.giveUp,
      stop: database.stop, logger: logger)
    #else
    _ = url
    throw withoutPostgreSQL
    #endif
  }

  /// Starts joining the known surfaces. Call it before any client can request presentations on them.
  func join(_ coordinators: Coordinators) -> Joining {
    join(known, coordinators)
  }

  /// Joins the other recorded surfaces, as soon as the database is reachable.
  func joinOthers(_ coordinators: Coordinators) async {
    guard let others else { return }
    while !Task.isCancelled {
      if let others = try? others() {
        return await wait(for: join(others, coordinators))
      }
      try? await PresentationClock.system.sleep(for: .seconds(1))
    }
  }

  func wait(for joining: Joining) async {
    for (surface, keeper) in joining {
      do { _ = try await keeper.value } catch {
        logger.error("cannot join a shared surface", metadata: ["surface": "\(surface)", "error": "\(error)"])
      }
    }
  }

  private func join(_ surfaces: [Surface], _ coordinators: Coordinators) -> Joining {
    let surfaces = surfaces.filter { coordinators.isShared($0.name) }
    let joining = surfaces.compactMap { name, user in (try? coordinators.join(name, for: user)).map { (name, $0) } }
    if joining.count < surfaces.count {
      logger.warning(
        "shared.limit leaves out surfaces until they are used", metadata: ["surfaces": "\(surfaces.count - joining.count)"])
    }
    return joining
  }

  /// Continues as the program of the package router-postgresql, if surfaces are shared and this program was built without
  /// PostgreSQL.
  ///
  /// Call it before opening any files. The process keeps its id, environment and inherited descriptors, so socket activation
  /// (`LISTEN_PID`) and `NOTIFY_SOCKET` continue to work.
  ///
  /// - Throws: ``RouterError`` if the package is not installed.
  static func continueWithPostgreSQL(_ configuration: DaemonConfiguration) throws {
    #if !PostgreSQL
    guard configuration.shared.database != nil, !configuration.shared.surfaces.isEmpty else { return }
    // /usr/lib/router for /usr/bin/routerd.
    let directory = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let program = directory.deletingLastPathComponent().appending(path: "lib/router/routerd-postgresql").path
    execv(program, CommandLine.unsafeArgv)
    throw errno == ENOENT ? withoutPostgreSQL : RouterError(failed: "cannot execute \(program)")
    #endif
  }

  #if !PostgreSQL
  private static let withoutPostgreSQL = RouterError(
    .invalid,
    "cannot share surfaces: this routerd was built without PostgreSQL; install the package router-postgresql, or build "
      + "with --traits default,PostgreSQL")
  #endif
}
