import Glibc
import RouterCore
import RouterSystem

/// A reader's connection, which never writes to the database.
actor AuditReaderConnection {
  let connection: SQLiteConnection
  /// Whether the connection reads a snapshot, taken when it was opened.
  nonisolated let isSnapshot: Bool
  private nonisolated let executor: any SerialExecutor
  private let path: String
  /// The number of events that the rows lacked after the last ``updateRows(_:)``.
  private(set) var unindexed = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameter isLive: Whether this process writes the log, so that a snapshot would miss events.
  init(path: String, executor: (any SerialExecutor)? = nil, isLive: Bool = false) throws {
    try Self.checkReadable(path)
    self.path = path
    self.executor = try executor ?? ThreadExecutor()
    do {
      (connection, isSnapshot) = try Self.open(path, isLive: isLive)
    } catch let error as SQLiteError {
      throw RouterError(readingLogAt: path, error)
    }
  }

  func close() { connection.close() }

  /// The maximum wait for the rows of another process. Usually an event has them after ``AuditLog/projectionDelay``.
  private static let longestWait = Duration.milliseconds(100)

  /// Updates the rows, through this process's log if there is one. Runs on the reader's thread.
  ///
  /// - Parameter project: Returns `nil` if this process does not write the log.
  func updateRows(_ project: @Sendable () -> Void?) throws {
    if project() == nil { try Self.retryingTornReads { try waitForRows() } }
  }

  /// Waits until the rows include all committed events. If no process writes the log, writes rows left by a killed process, if
  /// permitted.
  private func waitForRows() throws {
    try AuditSchema.checkRows(connection, path: path)
    let head = try AuditHead(connection).seq
    var missing: Int64 { get throws { max(0, head - (try AuditProjector.cursor(connection))) } }
    let deadline = ContinuousClock.now + Self.longestWait
    while !isSnapshot, try missing > 0, ContinuousClock.now < deadline {
      guard DatabaseLock.isHeld(of: path) else {
        writeRows()
        break
      }
      try Task.checkCancellation()
      usleep(1000)
    }
    unindexed = Int(try missing)
  }

  private func writeRows() {
    guard let lock = try? DatabaseLock(database: path), var writer = try? AuditWriter(path: path, durability: .full) else {
      return
    }
    try? writer.project()
    writer.connection.close()
    withExtendedLifetime(lock) {}
  }

  /// Runs `body` with the connection. Canceling the task interrupts its queries.
  func perform<Result: Sendable>(
    steps: Int? = SQLiteConnection.maximumSteps, _ body: @Sendable (SQLiteConnection) throws -> Result
  ) throws -> Result {
    try Self.retryingTornReads { try connection.limited(steps: steps) { try body(connection) } }
  }

  /// Reports the operating system's reason when SQLite only reports "unable to open".
  ///
  /// Does not open the file: closing it would release the locks of a writer in this process (fcntl(2)).
  private static func checkReadable(_ path: String) throws {
    var status = Glibc.stat()
    guard stat(path, &status) == 0, faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 else {
      let reason = errno
      switch reason {
      case ENOENT, ENOTDIR: throw RouterError(.notFound, "cannot read the log: there is no database at \(path)")
      case EACCES, EPERM: throw RouterError(.forbidden, "cannot read the log at \(path): permission denied")
      default: throw RouterError(.database, "cannot read the log at \(path): \(String(cString: strerror(reason)))")
      }
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw RouterError(.database, "cannot read the log at \(path): it is not a regular file")
    }
    if let other = DatabaseFile.unusableCompanion(of: path) {
      throw RouterError(.database, "cannot read the log at \(path): \(other) is not a regular file; remove it")
    }
  }

  /// Runs `body`, at most 20 times in 20 ms while the shared memory's header is inconsistent.
  ///
  /// A reader that may not write the shared memory, as on a read-only mount, gets this error when the daemon is writing the
  /// header.
  static func retryingTornReads<Result>(_ body: () throws -> Result) throws -> Result {
    for _ in 1..<20 {
      do { return try body() } catch let error as SQLiteError where error.needsRecovery { usleep(1000) }
    }
    return try body()
  }

  private typealias Opened = (connection: SQLiteConnection, isSnapshot: Bool)

  /// Opens a database for reading. In WAL mode, SQLite needs to create shared memory beside the file even to read. If this
  /// fails and no process is writing, reads the file unchanged, including its remaining write-ahead log. See
  /// Docs/Decisions/sqlite.md.
  private static func open(_ path: String, isLive: Bool) throws -> Opened {
    do {
      return try retryingTornReads {
        try checked(SQLiteConnection(path: path, mode: .readOnly), isSnapshot: false, path)
      }
    } catch let error as SQLiteError where error.isStorageFailure && !isLive {
      guard !hasContent(path + "-wal") else {
        guard !DatabaseLock.isHeld(of: path) else {
          throw RouterError(
            .database,
            "cannot read the log at \(path): its daemon is writing it, and its shared memory cannot be read from here")
        }
        return try checked(SQLiteConnection(path: path, mode: .leftOver), isSnapshot: true, path)
      }
      return try checked(SQLiteConnection(path: path, mode: .immutable), isSnapshot: true, path)
    }
  }

  private static func hasContent(_ path: String) -> Bool {
    var status = Glibc.stat()
    return stat(path, &status) == 0 && status.st_size > 0
  }

  private static func checked(_ connection: SQLiteConnection, isSnapshot: Bool, _ path: String) throws -> Opened {
    if try AuditSchema.isEmpty(connection, path: path) {
      throw RouterError(.notFound, "cannot read the log at \(path): it is empty")
    }
    return (connection, isSnapshot)
  }
}

extension RouterError {
  init(readingLogAt path: String, _ error: SQLiteError) {
    let reason =
      error.isInterruption
      ? "a query took more steps than any needs; the file may be damaged"
      : error.isCorruption ? "the file is damaged or not a database" : error.message
    self.init(.database, "cannot read the log at \(path): \(reason)", cause: error)
  }
}
