/// The one writer: owns the connection that writes, and the end of the hash chain.
actor AuditWriter: SQLiteOwner {
  let connection: SQLiteConnection
  private(set) var chain: AuditChain
  private var index: AuditIndex
  /// What finds that the clock was set back, by what is numbered: events, presentations.
  private var clocks: (events: ClockSteps.Detector, presentations: ClockSteps.Detector)
  nonisolated let executor: ThreadExecutor
  private let checkpointer: AuditCheckpointer

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(path: String, durability: AuditLog.Durability, migrating: @escaping @Sendable (AuditMigration) -> Void) throws {
    executor = ThreadExecutor()
    checkpointer = AuditCheckpointer(path: path)
    connection = try SQLiteConnection(path: path, mode: .readWrite)
    try connection.execute("PRAGMA trusted_schema = OFF")
    // What is not Router's stays as it is: the journal's mode stands in the file.
    _ = try AuditMigrations.check(connection, path: path)
    try connection.execute(
      """
      PRAGMA auto_vacuum = INCREMENTAL;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = \(durability == .full ? "FULL" : "NORMAL");
      PRAGMA foreign_keys = ON;
      """)
    try AuditMigrations.migrate(connection, path: path, report: migrating)
    chain =
      try connection.rows("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1") {
        AuditChain(seq: $0.integer(0), hash: $0.blob(1))
      }.first ?? AuditChain()
    index = try AuditIndex(connection)
    clocks = (try Self.detector(of: .events, connection), try Self.detector(of: .presentations, connection))
    try connection.leaveCheckpoints { [checkpointer] in checkpointer.grown(to: $0) }
  }

  /// Moves what was written beside a checkpoint. When all has been moved, the write-ahead log begins anew, in the place on disk
  /// that it has: a flush then has no new length to write down.
  func finishCheckpoint() {
    if checkpointer.takeRest() { try? connection.checkpoint() }
  }

  /// Waits for a checkpoint that is under way on another connection.
  func endCheckpoints() async { await checkpointer.end() }

  private static func detector(
    of series: ClockSteps.Series, _ connection: SQLiteConnection
  ) throws -> ClockSteps.Detector {
    let last = try connection.rows(
      "SELECT \(series.time) FROM \(series.rawValue) ORDER BY \(series.number) DESC LIMIT 1"
    ) { $0.text(0).flatMap { Timestamp($0) } }
    return ClockSteps.Detector(after: last.first ?? nil)
  }

  /// Runs a body on the writer's own thread, without a task.
  nonisolated func schedule(_ body: @escaping @Sendable (isolated AuditWriter) -> Void) {
    executor.perform { self.assumeIsolated(body) }
  }

  /// Commits a page that says what it said before.
  ///
  /// It shows whether the disk can be written. And it takes the place in the write-ahead log where a commit failed that was
  /// written and could not be synced: it counts for nobody, but after a crash SQLite would take it for committed.
  func prove() throws {
    try connection.transaction { try connection.run("PRAGMA user_version = \(AuditMigrations.steps.count)") }
  }

  /// Records entries in one transaction.
  ///
  /// - Parameter body: What else is to be done in the transaction.
  func commit(_ entries: some Sequence<AuditEntry>, and body: (SQLiteConnection) throws -> Void = { _ in }) throws {
    let before = clocks
    var next = chain
    var ended: [AuditIndexEntry] = []
    do {
      try connection.transaction {
        for entry in entries {
          try append(entry, to: &next)
          if let row = entry.row { try write(row, after: entry.kind, ended: &ended) }
        }
        try body(connection)
      }
    } catch {
      clocks = before
      throw error
    }
    chain = next
    index.add(ended)
  }

  /// Writes what the log is queried by, where enough has ended since the last time.
  ///
  /// What cannot be written stays to be, and queries find it as it is.
  func indexWhatIsDue() throws {
    if index.isDue { try index.write(to: connection) }
  }

  /// Writes what the log is queried by for all that has ended.
  func indexAll() throws {
    while !index.isEmpty { try index.write(to: connection) }
  }

  private func append(_ entry: AuditEntry, to chain: inout AuditChain) throws {
    let at = entry.at.description
    let presentation = entry.presentation?.description
    chain.append(at: at, type: entry.kind.rawValue, presentation: presentation, detail: entry.detail.bytes)
    try connection.run(
      "INSERT INTO events (seq, at, type, presentation, detail, hash) VALUES (?, ?, ?, ?, ?, ?)",
      .integer(chain.seq), .text(at), .text(entry.kind.rawValue), .optional(presentation), .json(entry.detail),
      .blob(chain.hash))
    if clocks.events.isStep(to: entry.at) { try ClockSteps.record(chain.seq, of: .events, connection) }
  }

  private func write(_ row: AuditRow, after kind: AuditEvent.Kind, ended: inout [AuditIndexEntry]) throws {
    let presentation = row.presentation
    let state: [SQLiteValue] = [
      .text(presentation.state.rawValue), .bool(presentation.attached), .int(row.place.lane), .int(row.place.rank),
      .int(row.level), .bool(presentation.covered), .int(presentation.generation),
      .optional(presentation.presentedAt?.description), .optional(presentation.resolvedAt?.description),
      .optional(presentation.outcome?.name.rawValue), .optional(presentation.outcome?.reason),
      .optional(presentation.outcome?.jsonText), .optional(presentation.resolvedBy?.jsonText),
      .optional(presentation.callback?.jsonText), .optional(presentation.callback?.state.rawValue),
    ]
    let id = SQLiteValue.text(presentation.id.description)
    guard kind == .requested else {
      try connection.run(Self.update, state + [id])
      // What comes after the end, such as a callback, changes nothing that is searched for or counted.
      guard presentation.state == .resolved, presentation.outcome.map({ AuditEvent.Kind($0.name) }) == kind else { return }
      // Not by `RETURNING`: for that SQLite makes a table for each statement, which takes longer than the statement.
      let numbers = try connection.rows("SELECT number FROM presentations WHERE id = ?", [id]) { $0.integer(0) }
      ended += numbers.compactMap { AuditIndexEntry(presentation, number: $0) }
      return
    }
    let (request, requester) = (presentation.request, presentation.requester)
    try connection.run(
      Self.insert,
      [
        id, .text(request.surface), .text(request.kind.rawValue),
        .optional(request.sheet), .text(requester.app), .int(requester.process.uid), .int(requester.process.gid),
        .int(requester.process.pid), .optional(requester.process.executable), .optional(requester.process.unit),
        .optional(request.title),
        .optional(request.message), .json(presentation.requestText), .optional(request.over?.description),
        .text(presentation.requestedAt.description), .optional(row.key?.text),
        row.key.map { .blob($0.requestHash) } ?? .null,
      ] + state)
    let number = connection.lastInsertRowID
    try connection.run("INSERT INTO fresh (number) VALUES (?)", .integer(number))
    if clocks.presentations.isStep(to: presentation.requestedAt) {
      try ClockSteps.record(number, of: .presentations, connection)
    }
  }

  static let insert = """
    INSERT INTO presentations (
      id, surface, kind, sheet, app, uid, gid, pid, executable, unit, title, message, request, parent, requested_at,
      idempotency_key, request_hash,
      state, attached, lane, rank, level, covered, generation, presented_at, resolved_at, outcome, reason, result,
      resolved_by, callback, callback_state)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  static let update = """
    UPDATE OR ROLLBACK presentations SET
      state = ?, attached = ?, lane = ?, rank = ?, level = ?, covered = ?, generation = ?, presented_at = ?,
      resolved_at = ?, outcome = ?, reason = ?, result = ?, resolved_by = ?, callback = ?, callback_state = ?
    WHERE id = ?
    """
}
