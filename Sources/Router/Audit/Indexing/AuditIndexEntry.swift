/// What a presentation that has ended is found and counted by.
struct AuditIndexEntry: Sendable {
  /// `presentations.number`.
  let number: Int64
  let counted: AuditIndex.Row
  let uid: UInt32
  let surface: String
  let text: SearchableText

  /// - Returns: `nil` for one that is open.
  init?(_ presentation: Presentation, number: Int64) {
    guard let counted = AuditIndex.Row(presentation) else { return nil }
    self.number = number
    self.counted = counted
    uid = presentation.requester.process.uid
    surface = presentation.request.surface
    text = SearchableText(presentation)
  }

  /// The columns of `presentations AS p` that ``init(row:)`` reads, in its order.
  static let columns =
    "p.number, \(AuditIndex.Row.columns), p.uid, p.surface, p.title, p.message, p.sheet, p.result"

  /// - Throws: ``JSONError`` for a row that is damaged.
  init(row: SQLiteStatement) throws {
    number = row.integer(0)
    counted = try AuditIndex.Row(row, from: 1)
    uid = UInt32(truncatingIfNeeded: row.integer(6))
    surface = row.text(7) ?? ""
    text = try SearchableText(row: row, from: 8)
  }

  /// The tables of numbers, by what is gone by, with the statements that change them.
  private static let tables = ["app", "uid", "surface", "outcome"].map { column in
    let table = "presentations_by_\(column)"
    return (
      insert: "INSERT INTO \(table) (\(column), number) VALUES (?, ?)",
      delete: "DELETE FROM \(table) WHERE \(column) = ? AND number = ?"
    )
  }

  /// Under what it stands in ``tables``, in their order.
  private var keys: [SQLiteValue] {
    [.text(counted.key.app ?? ""), .int(uid), .text(surface), .text(counted.key.outcome.rawValue)]
  }

  /// Puts it into the tables, but for those in which it is counted.
  func insert(into connection: SQLiteConnection) throws {
    let number = SQLiteValue.integer(number)
    let texts = [number] + text.values
    try connection.run("INSERT INTO texts (number, title, message, sheet, answer) VALUES (?, ?, ?, ?, ?)", texts)
    try connection.run("INSERT INTO words (rowid, title, message, sheet, answer) VALUES (?, ?, ?, ?, ?)", texts)
    for (table, key) in zip(Self.tables, keys) { try connection.run(table.insert, key, number) }
    try connection.run("DELETE FROM fresh WHERE number = ?", number)
  }

  /// Takes it out of the tables, but for those in which it is counted.
  func delete(from connection: SQLiteConnection) throws {
    let number = SQLiteValue.integer(number)
    // FTS5 takes the words out again that it is told; it has none of the texts itself.
    try connection.run(
      "INSERT INTO words (words, rowid, title, message, sheet, answer) VALUES ('delete', ?, ?, ?, ?, ?)", [number] + text.values
    )
    try connection.run("DELETE FROM texts WHERE number = ?", number)
    for (table, key) in zip(Self.tables, keys) { try connection.run(table.delete, key, number) }
  }
}
