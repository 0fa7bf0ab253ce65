import Foundation
import Router
import RouterClient

/// A real routerd with its socket and database in a temporary directory.
final class TestDaemon: Sendable {
  let directory: String
  let process: ChildProcess

  let database: String
  var socket: String { directory + "/s" }
  /// The client of a test. A single client preserves the order of its requests. It does not reconnect.
  let client: RouterClient
  var http: UnixSocketHTTP { UnixSocketHTTP(path: socket) }

  private init(
    directory: String, database: String, arguments: [String], environment: [String: String], isCommon: Bool = false
  ) async throws {
    self.directory = directory
    self.database = database
    client = Self.newClient(directory)
    let arguments = ["--socket", directory + "/s", "--database", database] + arguments
    // Tests refuse more often than a person would. Backoff tests set this themselves.
    let environment = ["ROUTERD_BACKOFF_DISMISSALS": "0"].merging(environment) { $1 }
    process =
      isCommon
      ? try await ChildProcess.untilExit("routerd", arguments, environment: environment)
      : try ChildProcess("routerd", arguments, environment: environment)
    guard await process.line(with: "listening") != nil else {
      throw RouterError(.unreachable, "cannot start routerd: it ended with \(await process.exitStatus()): \(process.printed)")
    }
  }

  /// Starts another daemon in the same place, after this one has ended.
  func next(environment: [String: String] = [:]) async throws -> TestDaemon {
    try await TestDaemon(directory: directory, database: database, arguments: [], environment: environment)
  }

  /// Returns a client for a test that shares the daemon with others.
  func newClient() -> RouterClient { Self.newClient(directory) }

  private static func newClient(_ directory: String) -> RouterClient {
    RouterClient(socketPath: directory + "/s", app: "tests", reconnect: .never)
  }

  /// Returns a client that reconnects after a restart.
  func returningClient(
    patience: Duration = .seconds(60), daemonChanged: @escaping @Sendable (DaemonChange) -> Void = { _ in }
  ) -> RouterClient {
    RouterClient(
      socketPath: socket, app: "returning", reconnect: ReconnectPolicy(patience: patience), daemonChanged: daemonChanged)
  }

  /// Sends a signal and waits for the daemon to end.
  func end(by signal: Int32) async {
    process.signal(signal)
    _ = await process.exitStatus()
  }

  /// The daemon of tests that neither stop nor configure it. Ends with this process.
  static var common: TestDaemon {
    get async throws { try await commonTask.value }
  }
  private static let commonTask = Task { try await start(isCommon: true) }

  private static let limit = ConcurrencyLimit(48)

  /// Runs a body with a daemon, and always ends the daemon. May wait for other tests' daemons to end.
  ///
  /// - Parameter database: The path of its log (default: next to its socket).
  static func run<Result: Sendable>(
    _ arguments: [String] = [], environment: [String: String] = [:], database: String? = nil,
    _ body: (TestDaemon) async throws -> Result
  ) async throws -> Result {
    await limit.enter()
    defer { limit.leave() }
    let daemon = try await start(arguments, environment: environment, database: database)
    defer { daemon.remove() }
    return try await body(daemon)
  }

  /// Starts a daemon in a new directory, until ``remove()``.
  ///
  /// - Parameter isCommon: Whether it stays until this process ends, however it ends.
  static func start(
    _ arguments: [String] = [], environment: [String: String] = [:], database: String? = nil, isCommon: Bool = false
  ) async throws -> TestDaemon {
    let directory = FileManager.default.temporaryDirectory.appending(path: "routerd-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    if isCommon { RemovedAtExit.add(directory) }
    do {
      return try await TestDaemon(
        directory: directory, database: database ?? directory + "/log.db", arguments: arguments, environment: environment,
        isCommon: isCommon)
    } catch {
      try? FileManager.default.removeItem(atPath: directory)
      throw error
    }
  }

  /// Kills the daemon and deletes its directory.
  func remove() {
    process.signal(SIGKILL)
    try? FileManager.default.removeItem(atPath: directory)
  }
}

extension PresentationRequest {
  static func alert(_ title: String) -> PresentationRequest {
    PresentationRequest(
      kind: .alert, title: title,
      buttons: [Button(id: "yes", label: "Yes"), Button(id: "no", label: "No", role: .cancel)])
  }
}
