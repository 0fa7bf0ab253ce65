#if PostgreSQL
import Foundation
import Glibc
import Router

/// A PostgreSQL server of this process, on a Unix socket in a temporary directory. Ends with this process.
final class PostgreSQLServer: Sendable {
  /// The hosts that its databases admit. All but the last may lead.
  static let hosts = ["alpha", "beta", "gamma", "watcher"]

  /// The server of all tests that do not stop it.
  static var common: PostgreSQLServer {
    get async throws { try await commonTask.value }
  }
  private static let commonTask = Task { try await PostgreSQLServer() }

  /// The directory of the data and of the socket.
  let directory: String
  private let process: Mutex<ChildProcess>

  /// Creates a server with a template of the tests' databases. Takes about a second.
  init() async throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "router-pg-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    RemovedAtExit.add(directory)
    if geteuid() == 0, let user = getpwnam("postgres") { chown(directory, user.pointee.pw_uid, user.pointee.pw_gid) }
    let create = try Self.start(
      "initdb", ["-D", directory + "/data", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-locale", "--no-sync"])
    guard await create.exitStatus() == 0 else { throw RouterError(.unreachable, "cannot create a database: \(create.printed)") }
    process = Mutex(try await Self.run(directory))
    _ = try await psql("CREATE DATABASE template", on: "postgres")
    try await apply("Config/shared.sql", to: "template")
    for host in Self.hosts {
      _ = try await psql("SELECT router.add_host('\(host)', may_lead => \(host != "watcher"))", on: "template")
      // Each test has a database with these hosts.
      _ = try await psql("ALTER ROLE \(host) CONNECTION LIMIT -1", on: "template")
    }
  }

  deinit {
    process.withLock { $0.signal(SIGQUIT) }
    try? FileManager.default.removeItem(atPath: directory)
  }

  func newDatabase() async throws -> SharedTestDatabase {
    let database = SharedTestDatabase(server: self, name: "t\(UUID().uuidString.prefix(8).lowercased())")
    _ = try await psql("CREATE DATABASE \(database.name) TEMPLATE template", on: "postgres")
    return database
  }

  /// Runs a body with a new database, and drops the database afterwards.
  func withDatabase<Result: Sendable>(_ body: (SharedTestDatabase) async throws -> Result) async throws -> Result {
    let database = try await newDatabase()
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body(database)) } catch { result = .failure(error) }
    if !process.withLock(\.hasEnded) { _ = try await psql("DROP DATABASE \(database.name) WITH (FORCE)", on: "postgres") }
    return try result.get()
  }

  // MARK: Faults

  /// Kills the server, and waits until it has ended.
  func kill() async {
    let process = process.withLock(\.self)
    process.signal(SIGQUIT)
    _ = await process.exitStatus()
  }

  /// Starts the server again after ``kill()``.
  func restart() async throws {
    let next = try await Self.run(directory)
    process.withLock { $0 = next }
  }

  /// Stops the server and its connections from running with SIGSTOP, or continues them with SIGCONT.
  func signalAll(_ number: Int32) async throws {
    let parent = process.withLock(\.pid)
    let children = try ChildProcess("/usr/bin/pgrep", ["-P", "\(parent)"])
    // Each of them has its own process group.
    for pid in [parent] + (await children.allOutput().compactMap { pid_t($0) }) { Glibc.kill(pid, number) }
  }

  // MARK: psql

  /// Executes statements, and returns the rows: columns are separated by `|`.
  ///
  /// - Throws: ``SQLFailure`` with the code of an error.
  func psql(_ sql: String, on database: String, as role: String = "postgres") async throws -> [String] {
    try await psql(["-c", sql], on: database, as: role)
  }

  /// Executes a script.
  ///
  /// - Parameter script: Its path in the package.
  func apply(_ script: String, to database: String, as role: String = "postgres") async throws {
    let path = URL(filePath: #filePath).appending(path: "../../../../" + script).standardized.path
    _ = try await psql(["-f", path], on: database, as: role)
  }

  private func psql(_ arguments: [String], on database: String, as role: String = "postgres") async throws -> [String] {
    let process = try ChildProcess(
      "/usr/bin/psql",
      ["-XAtq", "-v", "ON_ERROR_STOP=1", "-v", "VERBOSITY=sqlstate", "-h", directory, "-U", role, "-d", database] + arguments)
    let rows = await process.allOutput()
    guard await process.exitStatus() == 0 else {
      var messages: [String] = []
      for await line in process.errors { messages.append(line) }
      throw SQLFailure(messages: messages)
    }
    return rows
  }

  // MARK: Processes

  /// The directory of the newest installed server.
  private static let programs: String = {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return root + "/\(versions.compactMap { Int($0) }.max() ?? 0)/bin"
  }()

  private static func run(_ directory: String) async throws -> ChildProcess {
    let settings = [
      "listen_addresses=", "unix_socket_directories=\(directory)", "max_connections=300", "fsync=off",
      "log_min_messages=log",
    ]
    let server = try await ChildProcess.onLastingThread {
      try start("postgres", ["-D", directory + "/data"] + settings.flatMap { ["-c", $0] })
    }
    guard await server.line(with: "ready to accept connections") != nil else {
      throw RouterError(.unreachable, "cannot start PostgreSQL: \(server.printed)")
    }
    return server
  }

  /// Starts a program of the server, which refuses to run as root.
  private static func start(_ program: String, _ arguments: [String]) throws -> ChildProcess {
    let user = geteuid() == 0 ? ["--reuid", "postgres", "--regid", "postgres", "--clear-groups"] : []
    return try ChildProcess(
      // The signal also comes when the thread ends, which a short program must survive.
      "/usr/bin/setpriv",
      (program == "postgres" ? ["--pdeathsig", "QUIT"] : []) + user + [programs + "/" + program] + arguments)
  }
}

/// An error of psql.
struct SQLFailure: Error {
  let messages: [String]
  /// The code of the error (PostgreSQL, appendix A).
  var code: String? { messages.first { $0.contains("ERROR:") || $0.contains("FATAL:") }?.suffix(5).description }
}

/// The database of one test.
final class SharedTestDatabase: Sendable {
  let server: PostgreSQLServer
  let name: String
  private let held = Mutex<[ChildProcess]>([])

  init(server: PostgreSQLServer, name: String) { (self.server, self.name) = (server, name) }

  func url(of host: String) -> String { "host=\(server.directory) user=\(host) dbname=\(name)" }

  /// Executes statements, by default as the superuser.
  @discardableResult
  func psql(_ sql: String, as role: String = "postgres") async throws -> [String] {
    try await server.psql(sql, on: name, as: role)
  }

  /// Returns the code of the error of a statement; `nil` if it succeeds.
  func refusal(of sql: String, as role: String) async throws -> String? {
    do {
      try await psql(sql, as: role)
      return nil
    } catch let failure as SQLFailure {
      return failure.code ?? "\(failure.messages)"
    }
  }

  /// Starts a session that executes statements and then stays open, in its transaction if it has begun one. Ends with the
  /// database.
  func hold(_ statements: String..., as role: String) async throws {
    let arguments = ["-XAtq", "-v", "ON_ERROR_STOP=1", "-h", server.directory, "-U", role, "-d", name]
    let sessions = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"
    let before = try await psql(sessions).first.flatMap { Int($0) } ?? 0
    let session = try ChildProcess(
      "/usr/bin/psql", arguments + (statements + ["SELECT pg_sleep(3600)"]).flatMap { ["-c", $0] })
    held.withLock { $0.append(session) }
    while try await psql(sessions).first != "\(before + 1)" {
      guard !session.hasEnded else { throw SQLFailure(messages: [session.printed]) }
      try Task.checkCancellation()
    }
  }

  /// Starts statements that run until the database is dropped.
  func run(_ sql: String, as role: String) throws {
    let session = try ChildProcess("/usr/bin/psql", ["-XAtq", "-h", server.directory, "-U", role, "-d", name, "-c", sql])
    held.withLock { $0.append(session) }
  }

  /// Waits until a query returns this first row.
  func wait(until row: String, is sql: String) async throws {
    while try await psql(sql).first != row { try Task.checkCancellation() }
  }

  func leader(of surface: String = "main") async throws -> String? {
    try await psql("SELECT leader FROM router.surfaces WHERE name = '\(surface)' AND leader IS NOT NULL").first
  }
}
#endif
