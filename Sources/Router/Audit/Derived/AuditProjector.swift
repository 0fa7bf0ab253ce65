/// Writes the rows that queries read: presentations with their search texts, counts and hours.
///
/// The rows follow from the events up to the cursor, which moves in the same transaction. A commit therefore writes only
/// events; rows that are not written yet, or are lost, can be made again. Decisions do not depend on rows.
struct AuditProjector {
  /// The number of events to read at a time when the changes are not in memory.
  private static let chunk = 1000
  /// The number of changed presentations to keep in memory while rows cannot be written.
  static let maximumChanges = 4096

  /// The last event whose rows are written.
  private(set) var cursor: Int64
  /// The hour of the last request in the rows.
  private var hour: Int64?
  /// The changes after the cursor; `nil` if they must be read from the events.
  private var changes: AuditRowBatch?
  private let statements: AuditRowBatch.Statements

  init(_ connection: SQLiteConnection, head: Int64) throws {
    cursor = min(head, try Self.cursor(connection))
    hour = try AuditHours(series: .presentations).last(connection)
    changes = cursor == head ? AuditRowBatch() : nil
    statements = try AuditRowBatch.Statements(connection)
  }

  /// Returns the last event whose rows a database has; -1 if all have to be made again.
  static func cursor(_ connection: SQLiteConnection) throws -> Int64 { try connection.integer("SELECT seq FROM projected") }

  /// The number of presentations in memory that have ended.
  var endedCount: Int { changes?.endedCount ?? 0 }

  /// Whether the changes take as much memory as they may.
  var isFull: Bool { changes.map { $0.count >= Self.maximumChanges } ?? false }

  /// Adds committed entries.
  mutating func add(_ entries: some Sequence<AuditEntry>) {
    guard changes != nil else { return }
    for entry in entries { changes?.add(entry) }
  }

  /// Writes the presentations that a pruning carries over, in a transaction of the caller. A new copy begins with them.
  mutating func begin(with carried: [Presentation], after anchor: Int64, _ connection: SQLiteConnection) throws {
    var rows = AuditRowBatch()
    for presentation in carried { rows.add(carried: presentation) }
    try write(rows, through: anchor, connection)
    // If the transaction fails, so does the copy, which begins again.
    changes = AuditRowBatch()
  }

  /// Writes the rows of all events up to `head`.
  ///
  /// - Throws: An error if the rows cannot be written. The next call tries again.
  mutating func project(through head: Int64, _ connection: SQLiteConnection, progress: (Int64) -> Void) throws {
    while cursor < head {
      let (before, hourBefore) = (cursor, hour)
      do {
        let (batch, last) = try changes.map { ($0, head) } ?? read(through: head, connection)
        try connection.transaction { try write(batch, through: last, connection) }
        progress(cursor)
      } catch {
        (cursor, hour) = (before, hourBefore)
        if isFull { changes = nil }
        throw error
      }
    }
    changes = AuditRowBatch()
  }

  private mutating func write(_ batch: AuditRowBatch, through last: Int64, _ connection: SQLiteConnection) throws {
    try batch.write(to: connection, with: statements, after: &hour)
    try connection.run("UPDATE projected SET seq = ?", .integer(last))
    cursor = last
  }

  /// Reads the changes of the next events after the cursor, and the number of the last of them.
  private func read(through head: Int64, _ connection: SQLiteConnection) throws -> (AuditRowBatch, last: Int64) {
    let events = try connection.rows(
      "SELECT \(AuditEvent.columns) FROM events WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
      [.integer(cursor), .integer(head), .int(Self.chunk)]
    ) { row in
      let event = try AuditEvent(row: row)
      return (seq: event.seq, event: try event.event())
    }
    var rows: [PresentationID: Presentation] = [:]
    var batch = AuditRowBatch()
    for (_, event) in events {
      guard let id = event.presentation, event.changesRow else { continue }
      if case .requested = event.detail {
        rows[id] = try Presentation(event)
      } else {
        if rows[id] == nil { rows[id] = try connection.presentation(id) }
        try rows[id]?.apply(event)
      }
      batch.add(AuditEntry(event, row: rows[id]))
    }
    return (batch, events.last?.seq ?? head)
  }
}

extension SQLiteConnection {
  /// Returns a presentation as its row has it.
  func presentation(_ id: PresentationID) throws -> Presentation? {
    try rows("SELECT \(Presentation.columns) FROM presentations AS p WHERE id = ?", [.text(id.description)]) {
      try Presentation(row: $0, from: 0)
    }.first
  }
}

extension Event {
  /// Whether the event changes the row of its presentation.
  fileprivate var changesRow: Bool {
    switch detail {
    case .delivered, .throttled, .accessDenied: false
    default: true
    }
  }
}
