import RouterCore

/// The writing connection, and the end of the log. ``AuditLog`` guards it with a lock.
struct AuditWriter {
  let connection: SQLiteConnection
  /// The state after the last recorded event that the next event needs.
  var end: End
  // Kept, since a lookup in the connection's cache hashes the SQL.
  private let insertEvent: SQLiteStatement
  var projector: AuditProjector
  private let durability: AuditLog.Durability
  /// The error if the last commit reached the primary log but not this copy.
  var copyFailure: (any Error)?

  struct End: Sendable, Hashable {
    var chain: AuditHead
    /// The hour of the last event.
    var eventHour: Int64?
  }

  init(path: String, durability: AuditLog.Durability) throws {
    try Cryptography.load()
    connection = try SQLiteConnection(path: path, mode: .readWrite)
    try connection.execute("PRAGMA trusted_schema = OFF")
    // Checked first, because setting the journal mode would change another program's file.
    _ = try AuditSchema.isEmpty(connection, path: path)
    self.durability = durability
    try connection.execute(
      """
      PRAGMA auto_vacuum = INCREMENTAL;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = \(durability.synchronous);
      """)
    try AuditSchema.prepare(connection, path: path)
    let chain = try AuditHead(connection)
    guard (0...Int64(JSONValue.largestInteger)).contains(chain.seq) else {
      throw JSONError("the column seq is out of range: \(chain.seq)")
    }
    end = End(chain: chain, eventHour: try AuditHours(series: .events).last(connection))
    insertEvent = try connection.statement(
      "INSERT INTO events (seq, at, type, presentation, detail, hash) VALUES (?, ?, ?, ?, ?, ?)")
    projector = try AuditProjector(connection, head: chain.seq)
    if projector.cursor < 0 { try reindex() }
  }

  /// Commits an unchanged page to check that the disk is writable. This also overwrites the unsynced part of the write-ahead
  /// log after a failed commit, which SQLite could otherwise recover as committed after a crash.
  func prove() throws {
    try connection.transaction { try connection.run("PRAGMA user_version = \(AuditSchema.version)") }
  }

  /// Records events in one transaction. ``project(progress:)`` writes the rows later.
  mutating func commit(_ events: [Event]) throws {
    try write(records(of: events), of: events)
  }

  /// Begins a transaction. With a primary log, the transaction is for a copy.
  func draft(for primary: (any PrimaryLog)?) throws -> AuditDraft {
    if let copyFailure { throw RouterError(.logUnavailable, "cannot write the copy of the log", cause: copyFailure) }
    return AuditDraft(after: end.chain, isShared: primary != nil)
  }

  /// Records events in the primary log, if there is one, and then in this file. If only a copy fails, the events are recorded; the
  /// next commit fails, and ``AuditLog/copy(_:after:)`` catches up.
  mutating func commit(_ draft: AuditDraft, to primary: (any PrimaryLog)?) throws {
    guard let primary else { return try write(draft.records, of: draft.events) }
    try primary.commit(draft.records, replies: draft.replies, after: end.chain)
    do { try write(draft.records, of: draft.events) } catch { copyFailure = error }
  }

  private func records(of events: [Event]) -> [AuditRecord] {
    var chain = end.chain
    return events.map { AuditRecord($0, after: &chain) }
  }

  /// - Parameter start: The pruning after which a new copy begins. Its carried presentations are written immediately, because
  ///   the copy has no events of them.
  mutating func write(_ records: [AuditRecord], of events: [Event], after start: Event.Pruned? = nil) throws {
    var hour = end.eventHour
    let begun: AuditProjector? = try connection.transaction {
      for (record, event) in zip(records, events) {
        try insertEvent.run(record.values)
        try AuditHours(series: .events).add(record.seq, at: event.at, after: &hour, to: connection)
      }
      guard let start else { return nil }
      var fresh = projector
      try fresh.begin(with: start.carried, after: start.anchor.seq, connection)
      return fresh
    }
    if let begun { projector = begun }
    guard let last = records.last else { return }
    end = End(chain: AuditHead(seq: last.seq, hash: last.hash), eventHour: hour)
    projector.add(events, through: last.seq, connection)
  }

  /// Writes the rows of all events. Needs no flush, because rows can be rebuilt.
  ///
  /// - Parameter progress: Called after each transaction with the number of the last event whose rows are written.
  mutating func project(progress: (Int64) -> Void = { _ in }) throws {
    guard projector.cursor < end.chain.seq else { return }
    try connection.execute("PRAGMA synchronous = NORMAL")
    let result = Result { try projector.project(through: end.chain.seq, connection, progress: progress) }
    try connection.execute("PRAGMA synchronous = \(durability.synchronous)")
    try result.get()
  }
}

extension AuditWriter {
  /// Returns a presentation after the last event; `nil` if it is not recorded.
  mutating func presentation(_ id: PresentationID) throws -> Presentation? {
    if projector.folded != end.chain.seq { try project() }
    return try projector.presentation(id, connection)
  }
}

extension AuditLog.Durability {
  /// The value of SQLite's setting.
  fileprivate var synchronous: String { self == .full ? "FULL" : "NORMAL" }
}
