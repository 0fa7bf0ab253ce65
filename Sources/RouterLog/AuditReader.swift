public import RouterCore

/// Reads the audit log, from any process and while the daemon writes. Never writes, and never blocks the writer of a
/// file.
public final class AuditReader: Sendable {
  private enum Source {
    case file(AuditReaderConnection)
    /// An in-memory log has a single connection, guarded by a lock.
    case memory(AuditLog)
  }

  private let source: Source
  let finishWriting: (@Sendable () async -> Void)?
  /// Updates the rows of this process's log. Blocks for at most the duration.
  private let project: (@Sendable (Duration) -> Void)?
  let path: String
  /// Whether the reader sees the file as it was when opened, because no process was writing to it. Later writes are not
  /// visible.
  package let isSnapshot: Bool

  /// Opens a database for reading.
  ///
  /// - Throws: ``RouterError``: `notFound` if the file is missing or empty; `forbidden` if this process may not read
  ///   it; `database` if it belongs to another program or version, is damaged or cannot be read.
  public convenience init(path: String) throws {
    try self.init(path: path, executor: nil)
  }

  /// - Parameter executor: The executor to read on; by default a dedicated thread.
  package init(path: String, executor: (any SerialExecutor)?) throws {
    let connection = try AuditReaderConnection(path: path, executor: executor)
    source = .file(connection)
    (finishWriting, project) = (nil, nil)
    isSnapshot = connection.isSnapshot
    self.path = path
  }

  /// Reads the entries of a log, which may be in memory. Throws ``RouterError`` with the code `database` if it cannot be opened.
  public init(_ log: AuditLog) throws {
    path = log.path
    isSnapshot = false
    finishWriting = { [weak log] in await log?.finishWriting() }
    project = { [weak log] in log?.project(within: $0) }
    source = log.isInMemory ? .memory(log) : .file(try log.readerConnection())
  }

  /// A reader with another connection and thread, unless the log is in memory.
  func another() throws -> AuditReader {
    if case .file = source { try AuditReader(path: path) } else { self }
  }

  /// The presentations that match a query in order of request, the newest first:
  ///
  /// ```swift
  /// for try await presentation in reader.presentations(query) { … }
  /// ```
  ///
  /// Reads page by page, as the loop consumes presentations. Iterating throws ``RouterError`` with the code `invalid` for an
  /// invalid search, and `database` if the log cannot be read.
  public func presentations(_ query: AuditQuery = AuditQuery()) -> AsyncThrowingStream<Presentation, any Error> {
    query.rows { try await self.presentationPage($0) }
  }

  /// Returns a page of presentations in order of request, the newest first, and the cursor of the next page; `nil` after the
  /// last page. Throws the same errors as ``presentations(_:)``.
  package func presentationPage(_ query: AuditQuery) async throws -> (page: [Presentation], next: Int64?) {
    try await page(query) { connection in
      guard let numbers = try AuditPlan(query, connection).numbers else { return nil }
      return SQLText("SELECT p.number, \(PresentationRow.readColumns) FROM presentations AS p WHERE p.number IN (")
        + numbers + ") ORDER BY p.number \(query.order.sql)"
    } row: {
      try Presentation(row: $0, from: 1)
    }
  }

  /// Returns a presentation; `nil` if it is not in the log. Throws ``RouterError`` with the code `database` if the log cannot be
  /// read.
  public func presentation(_ id: PresentationID) async throws -> Presentation? {
    try await read(rows: .unused) { [path] connection in
      try connection.transaction("BEGIN") {
        try AuditSchema.checkRows(connection, path: path)
        let isIndexed =
          try connection.integer(
            "SELECT coalesce((SELECT max(seq) FROM events WHERE presentation = ?), 0)", [.text(id.description)]
          ) <= AuditProjector.cursor(connection)
        return isIndexed ? try connection.presentation(id) : try AuditFold(connection).presentation(id)
      }
    }
  }

  /// Returns the events of a presentation, oldest first; none if it is not in the log. Throws ``RouterError`` with the code
  /// `database` if the log cannot be read.
  public func events(of id: PresentationID) async throws -> [AuditEvent] {
    try await read(rows: .unused) { connection in
      try connection.rows(
        "SELECT \(AuditRecord.columns) FROM events WHERE presentation = ? ORDER BY seq", [.text(id.description)],
        AuditEvent.init(row:))
    }
  }

  /// Returns the events after a sequence number, oldest first.
  package func events(after seq: Int64, limit: Int = 1000) async throws -> [AuditEvent] {
    try await read(rows: .unused) { connection in
      try connection.rows(
        "SELECT \(AuditRecord.columns) FROM events WHERE seq > ? ORDER BY seq LIMIT ?", [.integer(seq), .int(limit)],
        AuditEvent.init(row:))
    }
  }

  /// The number of the newest event; 0 for an empty log.
  package func lastSeq() async throws -> Int64 {
    try await read(rows: .unused) { try $0.integer("SELECT coalesce(max(seq), 0) FROM events") }
  }

  /// The number of events that the last query missed because their rows could not be written: this process may lack permission
  /// to write the rows left by a killed process, or the daemon's write failed.
  package func unindexedEvents() async -> Int {
    if case .file(let connection) = source { await connection.unindexed } else { 0 }
  }

  /// The size of the database in bytes, without the write-ahead log.
  package func databaseBytes() async throws -> Int {
    try await read(rows: .unused) { connection in
      Int(try connection.integer("PRAGMA page_count") * (try connection.integer("PRAGMA page_size")))
    }
  }

  /// Returns a page of rows, with the cursor in the first column, and the next cursor. The plan selects one row more than the
  /// limit.
  func page<Row: Sendable>(
    _ query: AuditQuery, rows: Rows = .within(AuditLog.projectionDelay),
    _ plan: @escaping @Sendable (SQLiteConnection) throws -> SQLText?,
    row: @escaping @Sendable (SQLiteStatement) throws -> Row
  ) async throws -> (page: [Row], next: Int64?) {
    guard (1..<Int.max).contains(query.limit) else {
      throw RouterError(.invalid, "cannot read the log: limit must be from 1 to \(Int.max - 1)", field: "limit")
    }
    return try await read(rows: rows) { connection in
      try connection.transaction("BEGIN") {
        var (page, bytes, last, hasMore): ([Row], Int, Int64?, Bool) = ([], 0, nil, false)
        guard let sql = try plan(connection) else { return (page, nil) }
        try connection.forEachRow(sql.text, sql.values) { statement in
          try Task.checkCancellation()
          bytes += statement.rowBytes
          hasMore = page.count == query.limit || (bytes > query.maximumBytes && !page.isEmpty)
          guard !hasMore else { return false }
          page.append(try row(statement))
          last = statement.integer(0)
          return true
        }
        return (page, hasMore ? last : nil)
      }
    }
  }

  /// The rows that a query needs.
  enum Rows {
    /// Rows that include all committed events. If writing them takes longer than the duration, they include fewer.
    case within(Duration)
    /// No rows are needed: the query reads only events.
    case unused
  }

  /// - Parameters:
  ///   - rows: The rows to write before the query.
  ///   - steps: The maximum number of virtual machine steps for the queries of `body`; `nil` for no limit.
  func read<Result: Sendable>(
    rows: Rows = .within(AuditLog.projectionDelay), steps: Int? = SQLiteConnection.maximumSteps,
    _ body: @escaping @Sendable (SQLiteConnection) throws -> Result
  ) async throws -> Result {
    do {
      switch source {
      case .file(let connection):
        switch rows {
        case .unused: break
        case .within(let limit): try await connection.updateRows { project.map { $0(limit) } }
        }
        return try await connection.perform(steps: steps, body)
      case .memory(let log):
        return try log.withWriter { writer in
          try writer.project()
          return try body(writer.connection)
        }
      }
    } catch let error as SQLiteError {
      var failure = RouterError(readingLogAt: path, error)
      // A disk failure may be transient.
      if error.isStorageFailure { (failure.code, failure.retryAfter) = (.logUnavailable, .seconds(1)) }
      throw failure
    } catch let error as JSONError {
      throw RouterError(.database, "cannot read the log at \(path): a row is damaged", cause: error)
    } catch let error as FoldError {
      throw RouterError(
        .database, "cannot read the log at \(path): its events contradict each other; run \"routerctl log verify\"",
        cause: error)
    }
  }
}
