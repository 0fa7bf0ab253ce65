import CSQLite
import RouterCore

/// An SQLite connection, which owns its handle and prepared statements. The owner must confine it to one thread at a
/// time.
final class SQLiteConnection {
  enum Mode: Hashable {
    case readWrite
    case existing
    case readOnly
    /// Opens a file without a writer, such as a copy on a read-only mount. Ignores the write-ahead log.
    case immutable
    /// Opens a file and write-ahead log without a writer when shared memory cannot be created. Takes no locks.
    case leftOver
  }

  private var opened: OpaquePointer?
  /// Prevents a close by another user of the file in this process from dropping SQLite's fcntl(2) locks.
  private let file: DatabaseFile?
  /// Prepared statements by SQL: a few dozen constants, and queries that depend on their filters.
  private var statements: [String: SQLiteStatement] = [:]
  private static let maximumStatements = 256
  /// The remaining number of virtual machine steps, in units of ``stepsPerCheck``; `nil` for no limit.
  private var checksLeft: Int?
  private static let stepsPerCheck: Int32 = 100_000
  /// Called after each commit with the size of the write-ahead log in pages.
  var commitHook: ((_ pages: Int) -> Void)?

  init(path: String, mode: Mode) throws {
    file = path == ":memory:" ? nil : DatabaseFile(path: path)
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var name = path
    switch mode {
    case .readWrite: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .existing: flags |= SQLITE_OPEN_READWRITE
    case .readOnly: flags |= SQLITE_OPEN_READONLY
    case .immutable:
      flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      name = "file:" + path.percentEncoded(keeping: "/") + "?immutable=1"
    case .leftOver:
      flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      name = "file:" + path.percentEncoded(keeping: "/") + "?mode=ro&vfs=unix-none"
    }
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(name, &opened, flags, nil)
    guard let opened else { throw SQLiteError(code: code, message: "out of memory", sql: nil) }
    guard code == SQLITE_OK else {
      defer { sqlite3_close_v2(opened) }
      throw SQLiteError(code: code, message: String(cString: sqlite3_errmsg(opened)), sql: nil)
    }
    self.opened = opened
    sqlite3_busy_timeout(opened, 5000)
    try defineHasPart()
    // With exclusive locking, SQLite keeps the WAL index in its heap (sqlite.org/wal.html, section 6).
    if mode == .leftOver { try execute("PRAGMA locking_mode = EXCLUSIVE") }
  }

  deinit { close() }

  /// Closes the connection. The last connection of a file checkpoints and deletes the write-ahead log, unless it is
  /// read-only.
  func close() {
    for statement in statements.values { statement.close() }
    statements.removeAll()
    sqlite3_close_v2(opened)
    opened = nil
  }

  /// - Throws: ``SQLiteError`` if the connection was closed.
  var handle: OpaquePointer {
    get throws {
      guard let opened else { throw SQLiteError(code: SQLITE_MISUSE, message: "the database was closed", sql: nil) }
      return opened
    }
  }

  func execute(_ script: String) throws {
    let code = try sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, sql: script) }
  }

  func run(_ sql: String, _ values: SQLiteValue...) throws {
    try run(sql, values)
  }

  func run(_ sql: String, _ values: [SQLiteValue]) throws {
    try statement(sql).run(values)
  }

  /// Runs a query and passes each row to `body`, until it returns false.
  func forEachRow(_ sql: String, _ values: [SQLiteValue] = [], _ body: (SQLiteStatement) throws -> Bool) throws {
    let statement = try self.statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step(), try body(statement) {}
  }

  func rows<Row>(_ sql: String, _ values: [SQLiteValue] = [], _ body: (SQLiteStatement) throws -> Row) throws -> [Row] {
    var rows: [Row] = []
    try forEachRow(sql, values) { row in
      rows.append(try body(row))
      return true
    }
    return rows
  }

  /// Returns the first column of the first row as an integer; 0 if there is no row.
  func integer(_ sql: String, _ values: [SQLiteValue] = []) throws -> Int64 {
    try rows(sql, values) { $0.integer(0) }.first ?? 0
  }

  /// Runs `body` in a transaction, which is rolled back if `body` or the commit fails.
  func transaction<Result>(_ begin: String = "BEGIN IMMEDIATE", _ body: () throws -> Result) throws -> Result {
    try run(begin)
    do {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      // Some failures have already rolled back.
      if let opened, sqlite3_get_autocommit(opened) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  /// The default limit of steps for the queries of a body: a minute or more. A damaged file could otherwise loop
  /// forever.
  static let maximumSteps = 1 << 32

  /// Runs `body`, and interrupts its queries with `SQLITE_INTERRUPT` if the task is canceled or after a number of
  /// steps.
  func limited<Result>(steps: Int? = maximumSteps, _ body: () throws -> Result) throws -> Result {
    checksLeft = steps.map { $0 / Int(Self.stepsPerCheck) }
    let context = Unmanaged.passUnretained(self).toOpaque()
    try sqlite3_progress_handler(
      handle, Self.stepsPerCheck,
      { context in
        guard let context else { return 0 }
        return Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue().mayGoOn() ? 0 : 1
      }, context)
    defer { if let opened { sqlite3_progress_handler(opened, 0, nil, nil) } }
    do {
      return try body()
    } catch let error as SQLiteError where error.isInterruption && Task.isCancelled {
      throw CancellationError()
    }
  }

  private func mayGoOn() -> Bool {
    guard let left = checksLeft else { return !Task.isCancelled }
    checksLeft = left - 1
    return left > 0 && !Task.isCancelled
  }

  /// Returns a prepared statement from the cache. A caller can keep it to avoid the lookup; it is closed with the
  /// connection.
  func statement(_ sql: String) throws -> SQLiteStatement { try statements[sql] ?? prepare(sql) }

  private func prepare(_ sql: String) throws -> SQLiteStatement {
    // Statements in use are retained by their users.
    if statements.count >= Self.maximumStatements { statements.removeAll() }
    var prepared: OpaquePointer?
    let code = try sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw error(code, sql: sql) }
    let statement = SQLiteStatement(handle: prepared, sql: sql)
    statements[sql] = statement
    return statement
  }

  func error(_ code: Int32, sql: String?) -> SQLiteError {
    SQLiteError(code: code, message: String(cString: sqlite3_errmsg(opened)), sql: sql)
  }
}
