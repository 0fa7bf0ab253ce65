import Glibc

/// A reader's own connection, which never writes to the database.
actor AuditReaderConnection: SQLiteOwner {
  let connection: SQLiteConnection
  /// Whether the file is read as it is now, whatever is written to it later.
  nonisolated let isSnapshot: Bool
  private nonisolated let executor = ThreadExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Throws: ``RouterError``, as ``AuditReader/init(path:)`` has it.
  init(path: String) throws {
    try Self.checkReadable(path)
    do {
      (connection, isSnapshot) = try Self.open(path)
    } catch let error as SQLiteError {
      throw RouterError(readingLogAt: path, error)
    }
  }

  /// Finds out in the kernel's words what SQLite only calls "unable to open".
  ///
  /// The file is not opened for this: closing it again would let go of the locks of a writer in this process (fcntl(2)).
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
      throw RouterError(.database, "cannot read the log at \(path): it is not a file")
    }
  }

  /// A database in WAL mode wants to make its shared memory beside it even for reading. Where it cannot and there is no
  /// write-ahead log, nobody is writing, and the file can be read as it is.
  private static func open(_ path: String) throws -> (SQLiteConnection, isSnapshot: Bool) {
    do {
      return (try checked(SQLiteConnection(path: path, mode: .readOnly), path), false)
    } catch let error as SQLiteError where error.isStorageFailure && access(path + "-wal", F_OK) != 0 {
      return (try checked(SQLiteConnection(path: path, mode: .immutable), path), true)
    }
  }

  private static func checked(_ connection: SQLiteConnection, _ path: String) throws -> SQLiteConnection {
    guard try AuditMigrations.check(connection, path: path) > 0 else {
      throw RouterError(.notFound, "cannot read the log at \(path): it is empty")
    }
    try AuditMigrations.supplement(connection)
    return connection
  }
}

extension RouterError {
  /// Why a log cannot be read, in words for a person; SQLite's own are the cause.
  init(readingLogAt path: String, _ error: SQLiteError) {
    let reason = error.isCorruption ? "it is damaged, or no database" : error.message
    self.init(.database, "cannot read the log at \(path): \(reason)", cause: error)
  }
}
