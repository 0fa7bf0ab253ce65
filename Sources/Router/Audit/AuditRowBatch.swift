/// The rows that a transaction writes, with only the last version of each presentation.
struct AuditRowBatch {
  private struct Change {
    var row: Presentation
    var isNew = false
    var hasEnded = false
  }

  private var changes: [Int: Change] = [:]
  private(set) var endedCount = 0

  var count: Int { changes.count }

  mutating func add(_ entry: AuditEntry) {
    guard let row = entry.row else { return }
    var change = changes[row.number] ?? Change(row: row)
    change.row = row
    switch entry.event.detail {
    case .requested: change.isNew = true
    case .resolved:
      change.hasEnded = true
      endedCount += 1
    default: break
    }
    changes[row.number] = change
  }

  /// Adds a presentation that a pruning has carried over, to a copy that begins after it.
  mutating func add(carried row: Presentation) {
    changes[row.number] = Change(row: row, isNew: true, hasEnded: row.state == .resolved)
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

  /// Writes the rows, their search index entries and counts. `hour` is that of the last recorded request.
  func write(to connection: SQLiteConnection, with statements: Statements, after hour: inout Int64?) throws {
    guard !changes.isEmpty else { return }
    var counts = AuditCounts()
    // FTS5 flushes its pending data when a rowid is lower than the one before it.
    for (number, change) in changes.sorted(by: { $0.key < $1.key }) {
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
