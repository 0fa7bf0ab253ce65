import ArgumentParser
import Glibc
import Router
import RouterClient

/// Where the log is.
struct LogLocation: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The audit log's database ($ROUTERD_DATABASE, else routerd/routerd.db under $XDG_STATE_HOME or /var/lib).",
      valueName: "path"),
    completion: .file())
  var database: String?

  @Option(
    help: ArgumentHelp(
      "The daemon's socket, asked where the database may not be read ($ROUTERD_SOCKET, else routerd/routerd.sock under $XDG_RUNTIME_DIR or /run).",
      valueName: "path"),
    completion: .file())
  var socket: String?

  /// The database's path: flag, environment, default.
  var path: String {
    if let database { return database }
    var environment: [String: String] = [:]
    for name in ["HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "ROUTERD_DATABASE"] {
      environment[name] = getenv(name).map { String(cString: $0) }
    }
    if let path = environment["ROUTERD_DATABASE"], !path.isEmpty { return path }
    return DefaultPaths(environment: environment).database
  }

  /// Opens the database, or the daemon where the database may not be read.
  ///
  /// A database that was named is not replaced by the log of a daemon that was not: it may be another one's.
  func open() throws -> any LogSource {
    do {
      return try AuditReader(path: path, executor: CallingThread.current)
    } catch let error as RouterError where error.code == .forbidden && (database == nil || socket != nil) {
      return DaemonLog(client: client, cause: error)
    }
  }

  /// The daemon, where the database is there and may not be read.
  func daemonInstead() throws -> DaemonLog? {
    do {
      return try open() as? DaemonLog
    } catch let error as RouterError where error.code == .notFound {
      return nil
    }
  }

  /// Opens the database, for what cannot be done over the socket.
  func openDatabase(to what: String) throws -> AuditReader {
    do {
      return try AuditReader(path: path, executor: CallingThread.current)
    } catch let error as RouterError where error.code == .forbidden {
      throw needsDatabase(what)
    }
  }

  var client: RouterClient { RouterClient(socketPath: socket ?? RouterClient.defaultSocketPath()) }

  /// Why something cannot be done over the socket.
  func needsDatabase(_ what: String) -> RouterError {
    RouterError(.forbidden, "cannot \(what): the database at \(path) is not readable for this user")
  }
}

extension RouterError {
  /// The error in its own words, without SQLite's: those are for a program's author, not for who reads the log.
  var inPlainWords: RouterError {
    var plain = self
    if cause is SQLiteError { plain.cause = nil }
    return plain
  }
}
