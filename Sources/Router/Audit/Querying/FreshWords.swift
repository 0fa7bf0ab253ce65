/// The words of presentations that are in no index yet: those that are open, whose answers are to come, and those that ended
/// last; and all of them in a database that an earlier version wrote. They stand in a temporary table of the reader's connection.
enum FreshWords {
  /// The columns that are searched.
  static let columns = "fresh_words.title, fresh_words.message, fresh_words.sheet, fresh_words.answer"

  /// Fills the table with what is on record now.
  ///
  /// - Returns: Whether there is anything in it.
  static func fill(_ connection: SQLiteConnection, version: Int) throws -> Bool {
    let source = source(version)
    guard try connection.integer("SELECT EXISTS (SELECT 1 FROM \(source))") == 1 else { return false }
    try connection.execute(
      """
      CREATE VIRTUAL TABLE IF NOT EXISTS temp.fresh_words USING fts5 (
        title, message, sheet, answer, tokenize = 'unicode61 remove_diacritics 2');
      DELETE FROM temp.fresh_words;
      """)
    try connection.forEachRow("SELECT p.number, p.title, p.message, p.sheet, p.result FROM \(source)") { row in
      try connection.run(
        "INSERT INTO temp.fresh_words (rowid, title, message, sheet, answer) VALUES (?, ?, ?, ?, ?)",
        [.integer(row.integer(0))] + SearchableText(row: row, from: 1).values)
      return true
    }
    return true
  }

  /// Where those presentations are, in a database of a version.
  private static func source(_ version: Int) -> String {
    switch version {
    case AuditMigrations.versionWithFresh...: AuditIndex.fresh
    case AuditMigrations.versionWithQueries...: "presentations AS p WHERE p.state <> 'resolved'"
    default: "presentations AS p"
    }
  }
}
