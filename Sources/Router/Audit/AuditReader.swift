import Glibc

/// The audit log's reading side, for any process and while the daemon writes. It never writes, and never holds up a writer.
public final class AuditReader: Sendable {
  private let owner: any SQLiteOwner

  /// Opens a database for reading.
  ///
  /// - Throws: ``RouterError`` if there is none, or it is another program's, newer or damaged.
  public init(path: String) throws {
    owner = try Connection(path: path)
  }

  /// Reads what a log writes, also one in memory.
  public init(_ log: AuditLog) throws {
    owner = log.path == ":memory:" ? log.writer : try Connection(path: log.path)
  }

  /// A page of presentations, the newest first, and the cursor of the next page; `nil` when this was the last.
  public func presentations(_ query: AuditQuery) async throws -> (page: [Presentation], next: Int64?) {
    try await read { connection in
      let (condition, values) = query.condition
      let rows = try connection.rows(
        "SELECT number, \(Presentation.columns) FROM presentations WHERE \(condition) ORDER BY number DESC LIMIT ?",
        values + [.int(query.limit + 1)]
      ) { ($0.integer(0), try Presentation(row: $0, from: 1)) }
      let page = rows.prefix(query.limit)
      return (page.map(\.1), rows.count > query.limit ? page.last?.0 : nil)
    }
  }

  /// One presentation; `nil` if it is not on record.
  public func presentation(_ id: PresentationID) async throws -> Presentation? {
    try await read { connection in
      try connection.rows(
        "SELECT \(Presentation.columns) FROM presentations WHERE id = ?", [.text(id.description)]
      ) { try Presentation(row: $0, from: 0) }.first
    }
  }

  /// A presentation's events, the oldest first.
  public func events(of id: PresentationID) async throws -> [AuditEvent] {
    try await read { connection in
      try connection.rows(
        "SELECT \(AuditEvent.columns) FROM events WHERE presentation = ? ORDER BY seq", [.text(id.description)],
        AuditEvent.init(row:))
    }
  }

  /// Events after a place in the log, the oldest first.
  public func events(after seq: Int64, limit: Int = 1000) async throws -> [AuditEvent] {
    try await read { connection in
      try connection.rows(
        "SELECT \(AuditEvent.columns) FROM events WHERE seq > ? ORDER BY seq LIMIT ?", [.integer(seq), .int(limit)],
        AuditEvent.init(row:))
    }
  }

  /// The newest event's number; 0 for an empty log.
  public func lastSeq() async throws -> Int64 {
    try await read { try $0.integer("SELECT coalesce(max(seq), 0) FROM events") }
  }

  /// What was open when the log was last written, in the order in which it is to be shown.
  func open() async throws -> [AuditRow] {
    try await read { connection in
      try connection.rows(
        "SELECT \(Presentation.columns), lane, rank, level FROM presentations WHERE state <> 'resolved' ORDER BY lane, rank"
      ) { row in
        let place = PresentationPlace(
          lane: Int(row.integer(Presentation.columnCount)), rank: Int(row.integer(Presentation.columnCount + 1)))
        return AuditRow(
          presentation: try Presentation(row: row, from: 0), place: place,
          level: Int(row.integer(Presentation.columnCount + 2)))
      }
    }
  }

  /// When the newest event happened.
  func lastTime() async throws -> Timestamp? {
    try await read { connection in
      try connection.rows("SELECT at FROM events ORDER BY seq DESC LIMIT 1") { $0.text(0).flatMap(Timestamp.init) }
        .first ?? nil
    }
  }

  /// What the database takes on disk, without its write-ahead log.
  public func databaseBytes() async throws -> Int {
    try await read { connection in
      Int(try connection.integer("PRAGMA page_count") * (try connection.integer("PRAGMA page_size")))
    }
  }

  private func read<Result: Sendable>(
    _ body: @escaping @Sendable (SQLiteConnection) throws -> Result
  ) async throws -> Result {
    do {
      return try await owner.perform(body)
    } catch let error as SQLiteError {
      throw RouterError(.database, "cannot read the audit log", cause: error)
    } catch let error as JSONError {
      throw RouterError(.database, "cannot read the audit log: a row is damaged", cause: error)
    }
  }

  /// A connection of its own.
  private actor Connection: SQLiteOwner {
    let connection: SQLiteConnection
    private nonisolated let executor = ThreadExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(path: String) throws {
      guard access(path, F_OK) == 0 else {
        throw RouterError(.database, "cannot read the log: there is no database at \(path)")
      }
      do {
        connection = try Self.open(path)
      } catch let error as SQLiteError {
        let reason = error.isCorruption ? "it is damaged, or no database" : "it cannot be opened"
        throw RouterError(.database, "cannot read the log at \(path): \(reason)", cause: error)
      }
    }

    /// A database in WAL mode wants to make its shared memory beside it even for reading. Where it cannot and there is no
    /// write-ahead log, nobody is writing, and the file can be read as it is.
    private static func open(_ path: String) throws -> SQLiteConnection {
      do {
        return try checked(SQLiteConnection(path: path, mode: .readOnly), path)
      } catch let error as SQLiteError where error.isStorageFailure && access(path + "-wal", F_OK) != 0 {
        return try checked(SQLiteConnection(path: path, mode: .immutable), path)
      }
    }

    private static func checked(_ connection: SQLiteConnection, _ path: String) throws -> SQLiteConnection {
      guard try AuditMigrations.check(connection, path: path) > 0 else {
        throw RouterError(.database, "cannot read the log at \(path): it is empty")
      }
      return connection
    }
  }
}
