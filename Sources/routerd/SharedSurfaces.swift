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
  /// Joins the surfaces that may have something of this host.
  let start: @Sendable (Coordinators) async -> Void
  /// Gives up what waits for the database, so that the coordinators can shut down.
  let giveUp: @Sendable () -> Void
  let stop: @Sendable () async -> Void

  typealias Make = @Sendable (AuditLog, SharedSurface) async throws -> PresentationCoordinator

  /// Returns `nil` if none is configured.
  ///
  /// - Throws: ``RouterError`` if this program was built without PostgreSQL.
  static func make(_ configuration: DaemonConfiguration, logger: Logger, _ make: @escaping Make) throws -> SharedSurfaces? {
    let shared = configuration.shared
    guard let url = shared.database, !shared.surfaces.isEmpty else { return nil }
    #if PostgreSQL
    let host = shared.host ?? hostName ?? "host"
    let database = try SharedDatabase(.init(url: url, host: host, silence: shared.silence), logger: logger)
    let directory = configuration.database + ".shared"
    guard Daemon.makeDirectory(directory) else { throw RouterError(failed: "cannot create the directory \(directory)") }
    let join: @Sendable (String) async throws -> Coordinators.Place = { surface in
      let (coordinator, log) = try await database.join(surface, copy: "\(directory)/\(surface).db", make)
      return Coordinators.Place(coordinator, log, try AuditReader(log))
    }
    return SharedSurfaces(
      sharing: Coordinators.Sharing(host: host, surfaces: shared.surfaces, limit: shared.limit, join: join),
      start: { coordinators in
        let isPattern: (String) -> Bool = { $0.contains { "*?[".contains($0) } }
        var surfaces = shared.surfaces.filter { !isPattern($0) }.map { ($0, Coordinators.User.configuration) }
        var mustAsk = shared.surfaces.contains(where: isPattern)
        while !Task.isCancelled {
          var refused = 0
          for (name, user) in surfaces {
            do { _ = try await coordinators.joined(name, for: user) } catch let error as RouterError where error.code == .full {
              refused += 1
            } catch {
              logger.error("cannot join a shared surface", metadata: ["surface": "\(name)", "error": "\(error)"])
            }
          }
          if refused > 0 {
            logger.warning("shared.limit leaves out surfaces until they are used", metadata: ["surfaces": "\(refused)"])
          }
          guard mustAsk else { return }
          do {
            surfaces = try database.surfacesOnRecord().filter { coordinators.isShared($0.name) }.map {
              ($0.name, .host($0.host))
            }
            mustAsk = false
          } catch {
            guard (try? await PresentationClock.system.sleep(for: .seconds(1))) != nil else { return }
            surfaces = []
          }
        }
      }, giveUp: database.giveUp, stop: database.stop)
    #else
    _ = url
    throw withoutPostgreSQL
    #endif
  }

  /// Continues as the program of the package router-postgresql, if surfaces are shared and this program was built without
  /// PostgreSQL.
  ///
  /// Call it before anything is opened. The process keeps its id, environment and inherited descriptors, so socket
  /// activation (`LISTEN_PID`) and `NOTIFY_SOCKET` go on working.
  ///
  /// - Throws: ``RouterError`` if that package is not installed.
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
