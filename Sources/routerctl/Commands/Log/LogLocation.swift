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
      "The daemon's socket, used if you cannot read the database (default: see 'routerctl socket').",
      valueName: "path"),
    completion: .file())
  var socket: String?

  var path: String {
    if let database { return database }
    if let path = getenv("ROUTERD_DATABASE").map({ String(cString: $0) }), !path.isEmpty { return path }
    return DefaultPaths.current.databaseToUse
  }

  /// Opens the database, or the daemon if the database is not readable, unless only the database was named.
  func open() throws -> any LogSource {
    do {
      return try AuditReader(path: path, executor: CallingThread.current)
    } catch let error as RouterError where error.code == .forbidden && (database == nil || socket != nil) {
      return DaemonLog(client: client, cause: error)
    }
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
