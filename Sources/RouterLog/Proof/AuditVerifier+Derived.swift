import RouterCore

/// Checks the schema, indexes, search index and counts, which the walk over the events does not cover.
extension AuditVerifier {
  typealias Fault = AuditVerification.Fault

  /// Compares the schema with that of a new database: an added trigger or view could change query results.
  static func schemaFaults(_ connection: SQLiteConnection) throws -> [Fault] {
    let fresh = try SQLiteConnection(path: ":memory:", mode: .readWrite)
    try fresh.execute(AuditSchema.sql)
    let (expected, found) = (try schema(fresh), try schema(connection))
    let columns = try connection.rows("PRAGMA table_xinfo(presentations)") { $0.text(1) ?? "" }
    let known = PresentationRow.columns.map(\.name)
    var faults = columns.filter { !known.contains($0) }.map {
      Fault(column: $0, what: "the table presentations has a column that is not part of Router's schema")
    }
    faults += known.filter { !columns.contains($0) }.map {
      Fault(column: $0, what: "the table presentations lacks a column")
    }
    for name in Set(expected.keys).union(found.keys).sorted() where expected[name] != found[name] {
      let what =
        switch (expected[name], found[name]) {
        case (nil, _): "the database has a \(name) that is not part of Router's schema"
        case (_, nil): "the database lacks the \(name)"
        default: "the \(name) differs from Router's schema"
        }
      faults.append(Fault(what: what))
    }
    return faults
  }

  /// The SQL of each schema object by type and name. Router creates no planner statistics, so a statistics table counts as an
  /// extra object.
  private static func schema(_ connection: SQLiteConnection) throws -> [String: String] {
    let objects = try connection.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema") { row in
      ("\(row.text(0) ?? "") \(row.text(1) ?? "")".shortened, "\(row.text(2) ?? "") \(row.text(3) ?? "")")
    }
    return Dictionary(objects) { $0 + "\n" + $1 }.mapValues { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
  }

  static func integrityFaults(_ connection: SQLiteConnection) throws -> [Fault] {
    let messages = try connection.rows("PRAGMA integrity_check(1)") { $0.text(0) ?? "" }
    return messages == ["ok"] ? [] : messages.map { Fault(what: "the database is damaged: \($0.shortened)") }
  }

  /// Checks the settings of the search index, which determine how searches rank and when the index is merged.
  static func searchSettingFaults(_ connection: SQLiteConnection) throws -> [Fault] {
    let fresh = try SQLiteConnection(path: ":memory:", mode: .readWrite)
    try fresh.execute(AuditSchema.sql)
    let sql = "SELECT typeof(k), CAST(k AS BLOB), typeof(v), CAST(v AS BLOB) FROM words_config ORDER BY 2"
    func settings(_ connection: SQLiteConnection) throws -> [[SQLiteValue]] {
      try connection.rows(sql) { row in
        [.optional(row.text(0)), .blob(row.blob(1)), .optional(row.text(2)), .blob(row.blob(3))]
      }
    }
    guard try settings(connection) != settings(fresh) else { return [] }
    return [Fault(what: "the search index has settings that Router does not make")]
  }

  /// Runs the integrity check of FTS5 on the search index.
  ///
  /// FTS5 requires write access for this. The check uses a temporary copy, because the log may be read-only and its
  /// daemon must not be blocked.
  static func searchFaults(_ connection: SQLiteConnection) throws -> [Fault] {
    let sql = try connection.rows("SELECT sql FROM sqlite_schema WHERE name = 'words'") { $0.text(0) ?? "" }.first ?? ""
    let shadows = try connection.rows("SELECT name FROM sqlite_schema WHERE name GLOB 'words_*'") { $0.text(0) ?? "" }
    do {
      try connection.execute(sql.replacing("TABLE words", with: "TABLE temp.checked_words", maxReplacements: 1))
      for name in shadows {
        let copy = "temp.\"checked_\(name)\""
        try connection.execute("DELETE FROM \(copy); INSERT INTO \(copy) SELECT * FROM main.\"\(name)\"")
      }
    } catch let error as SQLiteError where error.isStorageFailure {
      throw RouterError(
        .database,
        "cannot check the search index: \(error.message) in the temporary directory. Set SQLITE_TMPDIR to one with free space.",
        cause: error)
    }
    defer { try? connection.execute("DROP TABLE temp.checked_words") }
    do {
      try connection.execute("INSERT INTO checked_words (checked_words) VALUES ('integrity-check')")
    } catch let error as SQLiteError where error.isCorruption {
      return [Fault(what: "the search index does not match its texts")]
    }
    // The integrity check reads the index sequentially. Searches look up each term, which must occur in the same number of
    // texts.
    try connection.execute("CREATE VIRTUAL TABLE temp.checked_terms USING fts5vocab (checked_words, row)")
    defer { try? connection.execute("DROP TABLE temp.checked_terms") }
    let missed = try connection.rows(
      """
      SELECT t.term FROM checked_terms AS t LEFT JOIN checked_terms AS s ON s.term = t.term
      WHERE (s.doc, s.cnt) IS NOT (t.doc, t.cnt) LIMIT 1
      """
    ) { $0.text(0) ?? "" }
    return missed.map { Fault(what: "the search index misses occurrences of \"\($0.shortened)\"") }
  }

  /// Compares the table `counts` with the rows of `presentations`, which the walk compares with the events.
  static func countFaults(_ connection: SQLiteConnection) throws -> [Fault] {
    var counts = AuditCounts()
    try connection.forEachRow(
      "SELECT \(AuditCounts.Ended.columns) FROM presentations AS p WHERE state = 'resolved'"
    ) { row in
      // The walk reports unreadable rows.
      if let ended = try? AuditCounts.Ended(row: row, from: 0) { counts.add(ended) }
      return true
    }
    let sql = "SELECT n FROM counts WHERE app = ? AND period = ? AND outcome = ? AND measure = ? AND bucket = ?"
    for (key, n) in counts.changes {
      let found = try connection.rows(sql, key.values) { $0.integer(0) }.first
      guard found != Int64(n) else { continue }
      let name = [key.app ?? "all apps", key.ending.rawValue, key.measure.rawValue].joined(separator: ", ")
      return [
        Fault(
          column: "counts.n", expected: String(n), found: found.map(String.init) ?? "no row",
          what: "the count of \(name.shortened) is wrong")
      ]
    }
    let rows = try connection.integer("SELECT count(*) FROM counts")
    return rows == counts.changes.count ? [] : [Fault(what: "the table counts has a row that no prompt explains")]
  }

  static func rowFaults(_ connection: SQLiteConnection, _ presentations: Int, _ span: Span) throws -> [Fault] {
    let rows = try connection.integer("SELECT count(*) FROM presentations")
    guard rows == presentations else { return [try inventedRow(connection, span)] }
    guard try connection.integer("SELECT count(*) FROM words_content") == rows else {
      return [Fault(what: "the search index has texts of prompts that are not on record")]
    }
    return []
  }

  private static func inventedRow(_ connection: SQLiteConnection, _ span: Span) throws -> Fault {
    let carried = Set(span.prunings.flatMap(\.detail.carried).map(\.id))
    var id: PresentationID?
    try connection.forEachRow(
      """
      SELECT id FROM presentations WHERE NOT EXISTS (
        SELECT 1 FROM events WHERE presentation = presentations.id AND type = 'requested' AND seq > ?)
      """, [.integer(span.start == nil ? span.first : 0)]
    ) { row in
      id = row.text(0).flatMap(PresentationID.init)
      return id.map(carried.contains) ?? false
    }
    return Fault(presentation: id, what: "its row has no event \"requested\"")
  }
}
