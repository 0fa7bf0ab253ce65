/// The one writer: owns the connection that writes, and the end of the hash chain.
actor AuditWriter: SQLiteOwner {
  let connection: SQLiteConnection
  private var chain: AuditChain
  nonisolated let executor: ThreadExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(path: String, durability: AuditLog.Durability) throws {
    executor = ThreadExecutor()
    connection = try SQLiteConnection(path: path, mode: .readWrite)
    try connection.execute("PRAGMA trusted_schema = OFF")
    // What is not Router's stays as it is: the journal's mode stands in the file.
    try AuditMigrations.check(connection, path: path)
    try connection.execute("PRAGMA journal_mode = WAL")
    try connection.execute("PRAGMA synchronous = \(durability == .full ? "FULL" : "NORMAL")")
    try connection.execute("PRAGMA foreign_keys = ON")
    try AuditMigrations.migrate(connection, path: path)
    chain =
      try connection.rows("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1") {
        AuditChain(seq: $0.integer(0), hash: $0.blob(1))
      }.first ?? AuditChain()
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
  func commit(_ entries: some Sequence<AuditEntry>) throws {
    var next = chain
    try connection.transaction {
      for entry in entries {
        try append(entry, to: &next)
        if let row = entry.row { try write(row, isNew: entry.kind == .requested) }
      }
    }
    chain = next
  }

  private func append(_ entry: AuditEntry, to chain: inout AuditChain) throws {
    let at = entry.at.description
    let presentation = entry.presentation?.description
    let detail = entry.detail.description
    chain.append(at: at, type: entry.kind.rawValue, presentation: presentation, detail: detail)
    try connection.run(
      "INSERT INTO events (seq, at, type, presentation, detail, hash) VALUES (?, ?, ?, ?, ?, ?)",
      .integer(chain.seq), .text(at), .text(entry.kind.rawValue), .optional(presentation), .text(detail),
      .blob(chain.hash))
  }

  private func write(_ row: AuditRow, isNew: Bool) throws {
    let presentation = row.presentation
    let state: [SQLiteValue] = [
      .text(presentation.state.rawValue), .bool(presentation.attached), .int(row.place.lane), .int(row.place.rank),
      .int(row.level), .bool(presentation.covered), .int(presentation.generation),
      .optional(presentation.presentedAt?.description), .optional(presentation.resolvedAt?.description),
      .optional(presentation.outcome?.name.rawValue), .optional(presentation.outcome?.reason),
      .optional(presentation.outcome?.json.description), .optional(presentation.resolvedBy?.json.description),
      .optional(presentation.callback?.json.description), .optional(presentation.callback?.state.rawValue),
    ]
    guard isNew else {
      return try connection.run(Self.update, state + [.text(presentation.id.description)])
    }
    let (request, requester) = (presentation.request, presentation.requester)
    try connection.run(
      Self.insert,
      [
        .text(presentation.id.description), .text(request.surface), .text(request.kind.rawValue),
        .optional(request.sheet), .text(requester.app), .int(requester.process.uid), .int(requester.process.gid),
        .int(requester.process.pid), .optional(requester.process.executable), .optional(requester.process.unit),
        .optional(request.title),
        .optional(request.message), .text(request.json.description), .optional(request.over?.description),
        .text(presentation.requestedAt.description), .optional(row.key?.text),
        row.key.map { .blob($0.requestHash) } ?? .null,
      ] + state)
  }

  private static let insert = """
    INSERT INTO presentations (
      id, surface, kind, sheet, app, uid, gid, pid, executable, unit, title, message, request, parent, requested_at,
      idempotency_key, request_hash,
      state, attached, lane, rank, level, covered, generation, presented_at, resolved_at, outcome, reason, result,
      resolved_by, callback, callback_state)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  private static let update = """
    UPDATE presentations SET
      state = ?, attached = ?, lane = ?, rank = ?, level = ?, covered = ?, generation = ?, presented_at = ?,
      resolved_at = ?, outcome = ?, reason = ?, result = ?, resolved_by = ?, callback = ?, callback_state = ?
    WHERE id = ?
    """
}
