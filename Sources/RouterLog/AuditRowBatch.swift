import RouterCore

/// The rows to write in a transaction, with only the last version of each presentation.
struct AuditRowBatch {
  private struct Change {
    var row: Presentation
    let isNew: Bool
    /// Whether the presentation was open before the change.
    let wasOpen: Bool

    var hasEnded: Bool { wasOpen && row.state == .resolved }
  }

  private var changes: [PresentationID: Change] = [:]
  private(set) var endedCount = 0

  init() {}

  /// Creates a batch of presentations carried over by a pruning, which have no rows yet.
  init(carried: [Presentation]) {
    for row in carried { add(row, isNew: true) }
  }

  var count: Int { changes.count }
  subscript(id: PresentationID) -> Presentation? { changes[id]?.row }
  var rows: some Sequence<Presentation> { changes.values.lazy.map(\.row) }

  func contains(_ id: PresentationID) -> Bool { changes.index(forKey: id) != nil }

  /// - Parameter isNew: Whether the presentation has no row yet.
  mutating func add(_ row: Presentation, isNew: Bool) {
    changes[row.id] = Change(row: row, isNew: isNew, wasOpen: isNew || row.state != .resolved)
  }

  /// Applies an event to an added presentation, unless the event contradicts earlier ones.
  mutating func apply(_ event: Event, to id: PresentationID) {
    guard (try? changes[id]?.row.apply(event)) != nil else { return }
    if case .resolved = event.detail { endedCount += 1 }
  }

  /// The statements of the writing connection.
  struct Statements {
    fileprivate let insert, update, addWords, addAnswer: SQLiteStatement

    init(_ connection: SQLiteConnection) throws {
      insert = try connection.statement(AuditRowBatch.insert)
      update = try connection.statement(AuditRowBatch.update)
      addWords = try connection.statement(AuditRowBatch.addWords)
      addAnswer = try connection.statement(AuditRowBatch.addAnswer)
    }
  }

  /// Writes the rows, their search index entries and counts. `hour` is the hour of the last recorded request.
  func write(to connection: SQLiteConnection, with statements: Statements, after hour: inout Int64?) throws {
    guard !changes.isEmpty else { return }
    var counts = AuditCounts()
    // FTS5 flushes pending data when rowids decrease.
    let order = changes.map { (number: $1.row.number, id: $0) }.sorted { $0.number < $1.number }
    for (number, id) in order {
      guard let change = changes[id] else { continue }
      let row = change.row
      if change.isNew {
        try statements.insert.run(PresentationRow.columns.map { $0.value(row) })
        try AuditHours(series: .presentations).add(Int64(number), at: row.requestedAt, after: &hour, to: connection)
        try statements.addWords.run([.int(number)] + SearchableText(row).values)
      } else {
        try statements.update.run(Self.changing.map { $0.value(row) } + [.int(number)])
        if change.hasEnded, let answer = SearchableText(row).answer {
          try statements.addAnswer.run([.text(answer), .int(number)])
        }
      }
      if change.hasEnded, let ended = AuditCounts.Ended(row) { counts.add(ended) }
    }
    try counts.write(to: connection)
  }

  private static let changing = PresentationRow.columns.filter(\.changes)

  private static let insert = """
    INSERT INTO presentations (\(PresentationRow.columns.map(\.name).joined(separator: ", ")))
    VALUES (\(PresentationRow.columns.map { _ in "?" }.joined(separator: ", ")))
    """

  // For ROLLBACK, see the trigger `presentations_end_once`.
  private static let update = """
    UPDATE OR ROLLBACK presentations SET \(changing.map { "\($0.name) = ?" }.joined(separator: ", ")) WHERE number = ?
    """

  private static let addWords = "INSERT INTO words (rowid, title, message, sheet, answer) VALUES (?, ?, ?, ?, ?)"
  private static let addAnswer = "UPDATE words SET answer = ? WHERE rowid = ?"
}
