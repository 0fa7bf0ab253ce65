import ArgumentParser
import Glibc
import Router
import RouterClient

struct LogLocation: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The audit log's database (default: $ROUTERD_DATABASE, else routerd/routerd.db in $XDG_STATE_HOME or /var/lib).",
      valueName: "path"),
    completion: .file())
  var database: String?

  @Option(
    help: ArgumentHelp(
      "The log of a surface that this host shares with others: its copy beside the database.", valueName: "surface"))
  var shared: String?

  @Option(
    help: ArgumentHelp(
      "The daemon's socket, used if there is no database that you can read (default: see 'routerctl socket').",
      valueName: "path"),
    completion: .file())
  var socket: String?

  func validate() throws {
    // A connection string may contain a password, which errors must not repeat.
    guard !ownPath.contains("://") else {
      throw ValidationError("--database takes the path of a file. Pass --shared to read this host's copy of a shared log.")
    }
  }

  var path: String { shared.map(copy) ?? ownPath }

  /// Returns the path of this host's copy of a shared surface's log.
  private func copy(of surface: String) -> String { "\(ownPath).shared/\(surface).db" }

  private var ownPath: String {
    database ?? environmentVariable("ROUTERD_DATABASE") ?? DefaultPaths.current.databaseToUse
  }

  /// Returns a hint if one of the surfaces is a shared one, with a log elsewhere.
  func sharedHint(_ surfaces: [String]) -> String? {
    guard shared == nil else { return nil }
    let surface = surfaces.first { access(copy(of: $0), F_OK) == 0 }
    return surface.map { "the surface \($0) is shared; its log is read with --shared \($0)" }
  }

  /// Opens the database, or the daemon if the database is unreadable or missing. Uses only the database if only it was named.
  func open() throws -> any LogSource {
    do {
      return try AuditReader(path: path, executor: CallingThread.current)
    } catch let error as RouterError
      where error.code == .forbidden && (database == nil || socket != nil)
      || error.code == .notFound && database == nil && socket != nil
    {
      return DaemonLog(client: client, surface: shared, cause: error)
    }
  }

  /// Reports the number of events that a query missed because their rows could not be written.
  func noteUnindexedEvents(_ source: any LogSource) async {
    guard let count = await (source as? AuditReader)?.unindexedEvents(), count > 0 else { return }
    let events = count == 1 ? "the newest event is" : "the newest \(count) events are"
    StandardStream.error.line(
      "routerctl: \(events) not indexed yet, and left out. Run this as a user who may write the log, or on a copy you may write."
    )
  }

  func daemonInstead() throws -> DaemonLog? {
    do {
      return try open() as? DaemonLog
    } catch let error as RouterError where error.code == .notFound {
      return nil
    }
  }

  func openDatabase(to what: String) throws -> AuditReader {
    do {
      return try AuditReader(path: path, executor: CallingThread.current)
    } catch let error as RouterError where error.code == .forbidden {
      throw RouterError(.forbidden, "cannot \(what): you may not read \(path). Run this as its owner or as root")
    }
  }

  var client: RouterClient { RouterClient(socketPath: socket ?? RouterClient.defaultSocketPath()) }
}
