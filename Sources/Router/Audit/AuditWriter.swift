/// The writing connection, and the end of the log. ``AuditLog`` guards it with a lock.
struct AuditWriter {
  let connection: SQLiteConnection
  /// State that follows from the last recorded event and that the next one needs.
  private(set) var end: End
  // Kept, because a lookup in the connection's cache hashes the SQL.
  private let insertEvent: SQLiteStatement
  private let rowStatements: AuditRowBatch.Statements
  /// Why the last commit is in the primary log, but not in this copy of it.
  var copyFailure: (any Error)?

  struct End: Sendable, Hashable {
    var chain: AuditHead
    /// The hour of the last event.
    var eventHour: Int64?
    /// The hour of the last request.
    var requestHour: Int64?
  }

  init(path: String, durability: AuditLog.Durability) throws {
    connection = try SQLiteConnection(path: path, mode: .readWrite)
    try connection.execute("PRAGMA trusted_schema = OFF")
    // Checked first, because the journal mode would change another program's file.
    _ = try AuditSchema.isEmpty(connection, path: path)
    try connection.execute(
      """
      PRAGMA auto_vacuum = INCREMENTAL;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = \(durability == .full ? "FULL" : "NORMAL");
      """)
    try AuditSchema.prepare(connection, path: path)
    let chain = try AuditHead(connection)
    guard (0...Int64(JSONObjectReader.largestInteger)).contains(chain.seq) else {
      throw JSONError("the column seq is out of range: \(chain.seq)")
    }
    end = End(
      chain: chain, eventHour: try AuditHours(series: .events).last(connection),
      requestHour: try AuditHours(series: .presentations).last(connection))
    insertEvent = try connection.statement(
      "INSERT INTO events (seq, at, type, presentation, detail, hash) VALUES (?, ?, ?, ?, ?, ?)")
    rowStatements = try AuditRowBatch.Statements(connection)
  }

  /// Commits an unchanged page to check that the disk is writable. It also overwrites the part of the write-ahead log
  /// that a failed commit left unsynced, which SQLite would otherwise recover as committed after a crash.
  func prove() throws {
    try connection.transaction { try connection.run("PRAGMA user_version = \(AuditSchema.version)") }
  }

  /// Records entries in one transaction: all events, and the last row of each presentation.
  ///
  /// - Parameter start: The pruning after which a new copy begins.
  mutating func commit(_ entries: some Sequence<AuditEntry>, after start: Event.Pruned? = nil) throws {
    var next = end
    if let start { next.chain = start.anchor }
    try connection.transaction {
      var rows = AuditRowBatch()
      for presentation in start?.carried ?? [] { rows.add(carried: presentation) }
      for entry in entries {
        try append(entry.event, to: &next)
        rows.add(entry)
      }
      try rows.write(to: connection, with: rowStatements, after: &next.requestHour)
    }
    end = next
  }

  /// Records entries in the primary log, and then in this copy. If only the copy fails, the entries are recorded; the
  /// next commit fails, and ``AuditLog/copy(_:)`` catches up.
  mutating func commit(_ entries: [AuditEntry], replies: [InboxReply], to primary: any PrimaryLog) throws {
    if let copyFailure { throw RouterError(.logUnavailable, "cannot write the copy of the log", cause: copyFailure) }
    var chain = end.chain
    let records = entries.map { AuditRecord($0.event, after: &chain) }
    try primary.commit(records, replies: replies, after: end.chain)
    do { try commit(entries) } catch { copyFailure = error }
  }

  private func append(_ event: Event, to end: inout End) throws {
    let (at, type) = (event.at.description, event.kind.rawValue)
    let (presentation, detail) = (event.presentation?.description, event.detailText)
    end.chain.append(at: at, type: type, presentation: presentation, detail: detail.bytes)
    try insertEvent.run([
      .integer(end.chain.seq), .text(at), .text(type), .optional(presentation), .json(detail), .blob(end.chain.hash),
    ])
    try AuditHours(series: .events).add(end.chain.seq, at: event.at, after: &end.eventHour, to: connection)
  }
}
