import RouterCore

/// Writes the rows for queries: presentations with their search texts, counts and hours.
///
/// Rows are derived from the events up to the cursor, which is updated in the same transaction. A commit therefore writes only
/// events; missing or lost rows can be rebuilt. Decisions do not depend on rows.
///
/// Events of an unrecorded presentation, and events that contradict earlier ones, change no row.
struct AuditProjector {
  /// The number of events to read at a time when they are not in memory.
  private static let chunk = 1000
  /// The number of changed presentations to keep in memory while rows cannot be written.
  static let maximumChanges = 4096

  /// The last event with written rows.
  private(set) var cursor: Int64
  /// The last event included in `changes`.
  private(set) var folded: Int64
  /// The presentations that changed after the cursor.
  private var changes = AuditRowBatch()
  /// Presentations that may still change, in the state of their rows.
  private var unchanged: [PresentationID: Presentation] = [:]
  /// The hour of the last request in the rows.
  private var hour: Int64?
  private let statements: AuditRowBatch.Statements

  init(_ connection: SQLiteConnection, head: Int64) throws {
    cursor = min(head, try Self.cursor(connection))
    folded = cursor
    hour = try AuditHours(series: .presentations).last(connection)
    statements = try AuditRowBatch.Statements(connection)
  }

  /// Returns the last event included in a database's rows; -1 if all rows must be rebuilt.
  static func cursor(_ connection: SQLiteConnection) throws -> Int64 { try connection.integer("SELECT seq FROM projected") }

  /// The number of ended presentations in memory.
  var endedCount: Int { changes.endedCount }

  /// Whether the changes have reached the memory limit.
  var isFull: Bool { changes.count >= Self.maximumChanges }

  /// Folds committed events, ending with `head`. Invalid events, and events of presentations that cannot be loaded, are read
  /// again when rows are written.
  mutating func add(_ events: [Event], through head: Int64, _ connection: SQLiteConnection) {
    guard folded == head - Int64(events.count) else { return }
    for event in events {
      guard !isFull, (try? fold(event, connection)) != nil else { return }
      folded += 1
    }
  }

  /// Returns a presentation after the last folded event; `nil` if it is not recorded.
  func presentation(_ id: PresentationID, _ connection: SQLiteConnection) throws -> Presentation? {
    try changes[id] ?? unchanged[id] ?? load(id, connection)
  }

  /// Writes the presentations carried over by a pruning, within the caller's transaction. They are the first rows of a new copy
  /// or a rebuilt index.
  mutating func begin(with carried: [Presentation], after anchor: Int64, _ connection: SQLiteConnection) throws {
    (changes, unchanged, folded) = (AuditRowBatch(carried: carried), [:], anchor)
    keepUnchanged(after: try write(connection))
  }

  /// Writes the rows of all events up to `head`.
  ///
  /// - Throws: An error if the rows cannot be written. The next call retries.
  mutating func project(through head: Int64, _ connection: SQLiteConnection, progress: (Int64) -> Void) throws {
    while cursor < head {
      if folded == cursor { try read(through: head, connection) }
      keepUnchanged(after: try connection.transaction { try write(connection) })
      progress(cursor)
    }
  }

  /// Writes the changes. Returns the hour of the last request.
  private func write(_ connection: SQLiteConnection) throws -> Int64? {
    var hour = hour
    do {
      try changes.write(to: connection, with: statements, after: &hour)
      // For ROLLBACK, see the trigger `presentations_end_once`.
      try connection.run("UPDATE OR ROLLBACK projected SET seq = ?", .integer(folded))
    } catch {
      // After a read error, FTS5 would count its rows from zero: it marks its totals as read after SQLite has rolled back. It
      // forgets them when a transaction in which it takes part is rolled back.
      try? connection.execute("BEGIN; DELETE FROM words WHERE rowid = -1; ROLLBACK")
      throw error
    }
    return hour
  }

  private mutating func keepUnchanged(after hour: Int64?) {
    (cursor, self.hour) = (folded, hour)
    for row in changes.rows where !row.isSettled { unchanged[row.id] = row }
    changes = AuditRowBatch()
  }

  /// Reads and folds the next events.
  private mutating func read(through head: Int64, _ connection: SQLiteConnection) throws {
    let records = try connection.rows(
      "SELECT \(AuditRecord.columns) FROM events WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
      [.integer(folded), .integer(head), .int(Self.chunk)], AuditRecord.init(row:))
    for record in records {
      try fold(try record.event(), connection)
      folded = record.seq
    }
    if records.isEmpty { folded = head }
  }

  private mutating func fold(_ event: Event, _ connection: SQLiteConnection) throws {
    guard event.changesRow, let id = event.presentation else { return }
    if case .requested(let asked) = event.detail { return changes.add(Presentation(id, asked), isNew: true) }
    if !changes.contains(id) {
      guard let row = try unchanged.removeValue(forKey: id) ?? load(id, connection) else { return }
      changes.add(row, isNew: false)
    }
    changes.apply(event, to: id)
  }

  /// Returns a presentation that has not changed after the cursor; `nil` if it is not recorded.
  private func load(_ id: PresentationID, _ connection: SQLiteConnection) throws -> Presentation? {
    let row: Presentation?
    do {
      row = try connection.presentation(id)
    } catch is JSONError {
      // The row is damaged.
      return try AuditFold(connection).presentation(id, through: folded)
    }
    if row?.isSettled != false { return row }
    // A row lacks state that later events depend on, such as the end of a snooze. Used only if an event is damaged.
    do {
      return try AuditFold(connection).presentation(id, through: folded) ?? row
    } catch let error as SQLiteError {
      throw error
    } catch {
      return row
    }
  }
}

extension SQLiteConnection {
  /// Returns a presentation in the state of its row.
  func presentation(_ id: PresentationID) throws -> Presentation? {
    try rows("SELECT \(PresentationRow.readColumns) FROM presentations AS p WHERE id = ?", [.text(id.description)]) {
      try Presentation(row: $0, from: 0)
    }.first
  }
}

extension Presentation {
  /// Whether no further event can change it.
  var isSettled: Bool { state == .resolved && callback?.state != .pending }
}

extension Event {
  /// Whether the event changes the row of its presentation.
  fileprivate var changesRow: Bool {
    switch detail {
    case .delivered, .throttled, .accessDenied, .granted: false
    default: true
    }
  }
}
