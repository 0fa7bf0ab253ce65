import FoundationEssentials
import TestSupport
import Testing

@testable import Router
@testable import RouterLog

/// Changes each column of each table in several ways, as an attacker with write access could. The columns come from the
/// schema, so new ones are covered. A short run changes each column to another value, to NULL, and in one of the other ways,
/// which take turns. With `ROUTER_LONG`, each column is changed in each way.
@Suite(.timeLimit(.minutes(10)))
struct EveryColumnTests {
  let directory: TemporaryDirectory
  let original: String
  let path: String
  /// The events after those of the original.
  let later: [Event]

  init() async throws {
    directory = try TemporaryDirectory()
    original = directory.file("original.db")
    path = directory.file("routerd.db")
    let log = try AuditLog(path: original)
    // A short story with a value in each column, and two different ones where the long story has them.
    var story = RecordedStory(seed: Self.isWhole ? 14 : 83)
    try await log.append(try story.next(Self.isWhole ? 120 : 50))
    later = try story.next(40)
    await log.close()
  }

  /// Ways to change a value, as SQL expressions of the old one.
  static let changes: [(name: String, sql: @Sendable (String) -> String)] = [
    (
      "another",
      {
        "CASE typeof(\($0)) WHEN 'integer' THEN \($0) + 1 WHEN 'text' THEN 'x' || substr(\($0), 2) WHEN 'blob' THEN CAST(x'00' || substr(\($0), 2) AS BLOB) ELSE 'other' END"
      }
    ),
    (
      "longer",
      {
        "CASE typeof(\($0)) WHEN 'integer' THEN \($0) + 9000000000000000000 WHEN 'blob' THEN CAST(\($0) || x'00' AS BLOB) ELSE \($0) || 'x' END"
      }
    ),
    ("longer JSON", { "CASE WHEN json_valid(\($0)) AND \($0) GLOB '{*' THEN json_set(\($0), '$.zz', 1) END" }),
    (
      "shorter",
      {
        "CASE typeof(\($0)) WHEN 'integer' THEN -1 WHEN 'blob' THEN CAST(substr(\($0), 2) AS BLOB) ELSE substr(\($0), 1, length(\($0)) - 1) END"
      }
    ),
    ("empty", { "CASE typeof(\($0)) WHEN 'integer' THEN 0 WHEN 'blob' THEN x'' ELSE '' END" }),
    ("absent", { _ in "NULL" }),
    (
      "of another type",
      { "CASE typeof(\($0)) WHEN 'text' THEN CAST(\($0) AS BLOB) WHEN 'blob' THEN hex(\($0)) ELSE 'a' || \($0) END" }
    ),
  ]

  private static let isWhole = ProcessInfo.processInfo.environment["ROUTER_LONG"] != nil

  struct Column {
    let table: String
    let name: String
    let isKey: Bool
  }

  /// The columns of every table, including those of the search index.
  static func columns(_ path: String) throws -> [Column] {
    let connection = try SQLiteConnection(path: path, mode: .readOnly)
    let tables = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE '%VIRTUAL%'"
    ) { $0.text(0) ?? "" }
    return try tables.flatMap { table in
      try connection.rows("PRAGMA table_info(\(table))") {
        Column(table: table, name: $0.text(1) ?? "", isKey: $0.integer(5) > 0)
      }
    }
  }

  /// Returns the faults found in a changed copy, or `nil` if SQLite rejects the change.
  private func faults(_ change: (SQLiteConnection) throws -> Void) async throws -> [AuditVerification.Fault]? {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    try FileManager.default.copyItem(atPath: original, toPath: path)
    do {
      try TamperedLog.withoutConstraints(path, change)
    } catch is SQLiteError {
      return nil
    }
    return try await AuditReader(path: path).verify().faults
  }

  /// Two rows with different values in a column, of which the first is not null.
  private func rows(of column: Column) throws -> (first: Int64, second: Int64?)? {
    let connection = try SQLiteConnection(path: original, mode: .readOnly)
    let key = Self.key(of: column)
    let firsts = try connection.rows(
      "SELECT \(key) FROM \(column.table) WHERE \(column.name) IS NOT NULL ORDER BY \(key) LIMIT 2"
    ) { $0.integer(0) }
    guard let first = firsts.last else { return nil }
    let second = try connection.rows(
      """
      SELECT \(key) FROM \(column.table) WHERE \(column.name) IS NOT (
        SELECT \(column.name) FROM \(column.table) WHERE \(key) = ?1) ORDER BY \(key) DESC LIMIT 1
      """, [.integer(first)]
    ) { $0.integer(0) }
    return (first, second.first)
  }

  /// The SQL expression that identifies a row. Rows of small tables without a number are identified by position.
  private static func key(of column: Column) -> String {
    switch column.table {
    case "counts":
      "((SELECT count(*) FROM counts AS c WHERE (c.app, c.period, c.outcome, c.measure, c.bucket) < (counts.app, counts.period, counts.outcome, counts.measure, counts.bucket)))"
    case "hours": "((SELECT count(*) FROM hours AS h WHERE (h.series, h.first) < (hours.series, hours.first)))"
    case "words_idx", "words_config": "((SELECT count(*) FROM \(column.table) AS w))"
    default: "rowid"
    }
  }

  @Test func `finds each change of each column`() async throws {
    var tried = 0
    for (index, column) in try Self.columns(original).enumerated() {
      let (table, name, key) = (column.table, column.name, Self.key(of: column))
      let rows = try #require(try rows(of: column), "the log has no value in \(table).\(name)")
      var changes = Self.changes.map { change in
        (
          change.name,
          { (connection: SQLiteConnection) in
            let new = change.sql(name)
            try connection.run(
              "UPDATE \(table) SET \(name) = \(new) WHERE \(key) = ?1 AND \(name) IS NOT \(new)", .integer(rows.first))
          }
        )
      }
      if let second = rows.second {
        changes.append(("swapped", { try Self.swap(column, rows.first, second, $0) }))
      }
      if !Self.isWhole {
        let others = changes.map(\.0).filter { !["another", "absent"].contains($0) }
        let chosen = ["another", "absent", others[index % others.count]]
        changes.removeAll { !chosen.contains($0.0) }
      }
      for (change, body) in changes {
        var isChanged = false
        let faults = try await faults { connection in
          let before = try connection.integer("SELECT total_changes()")
          try body(connection)
          isChanged = try connection.integer("SELECT total_changes()") > before
        }
        guard isChanged, let faults else { continue }
        tried += 1
        try check(faults, column, change)
      }
    }
    // Most changes apply to each column.
    #expect(tried > (Self.isWhole ? 500 : 160))
  }

  /// What ``AuditReader/verify(expecting:anchors:progress:)`` makes of a row that Router did not write.
  enum ExtraRow {
    case found
    /// Ignored: SQLite does not read it. The test compares all search results.
    case harmless(because: String)
  }

  /// The tables, each with an extra row. A table of the schema that is not listed here fails the test.
  static let tables: [String: (row: ExtraRow, sql: [String])] = [
    "events": (
      .found,
      [
        "INSERT INTO events SELECT seq + 100000, at, type, presentation, detail, hash FROM events ORDER BY seq DESC LIMIT 1",
        "INSERT INTO events SELECT -1, at, type, presentation, detail, hash FROM events ORDER BY seq DESC LIMIT 1",
      ]
    ),
    "presentations": (
      .found,
      [
        "CREATE TEMP TABLE t AS SELECT * FROM presentations LIMIT 1", "UPDATE t SET number = -5, id = 'x'",
        "INSERT INTO presentations SELECT * FROM t",
      ]
    ),
    "counts": (
      .found,
      [
        "INSERT INTO counts SELECT 'nobody', period, outcome, measure, bucket, n FROM counts LIMIT 1"
      ]
    ),
    "projected": (.found, ["INSERT INTO projected VALUES (3)"]),
    "hours": (.found, ["INSERT INTO hours VALUES ('others', 1, 496000)"]),
    "words": (.found, ["INSERT INTO words (rowid, title) VALUES (100000, 'quokka')"]),
    "words_content": (.found, ["INSERT INTO words_content (id, c0) VALUES (100000, 'quokka')"]),
    "words_config": (.found, ["INSERT INTO words_config VALUES ('zz', 1)"]),
    "words_data": (
      .harmless(because: "FTS5 reads only the pages that the structure record lists, and replaces others that it writes"),
      ["INSERT INTO words_data VALUES (9007199254740993, x'00')"]
    ),
    "words_idx": (
      .harmless(because: "FTS5 looks up only segments that the structure record lists, and replaces others that it writes"),
      ["INSERT INTO words_idx VALUES (60000, x'30', 2)"]
    ),
  ]

  @Test func `finds an extra row of each table, or ignores one that SQLite never reads`() async throws {
    let connection = try SQLiteConnection(path: original, mode: .readOnly)
    let tables = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") { $0.text(0) ?? "" }
    #expect(Set(tables) == Set(Self.tables.keys), "classify each table")
    for (table, (row, statements)) in Self.tables {
      let scripts = table == "presentations" ? [statements] : statements.map { [$0] }
      for script in scripts {
        let faults = try await faults { connection in for sql in script { try connection.execute(sql) } }
        let found = try #require(faults, "\(table): SQLite rejects \(script)")
        switch row {
        case .found: #expect(!found.isEmpty, "\(table): \(script)")
        case .harmless(let reason):
          #expect(found.isEmpty, "\(table) is found now; it need not be ignored because \(reason)")
          #expect(try Self.searches(path) == Self.searches(original), "\(table): \(script)")
          // Nor after the next writes.
          try await append(to: path)
          let honest = directory.file("honest.db")
          try? FileManager.default.removeItem(atPath: honest)
          try FileManager.default.copyItem(atPath: original, toPath: honest)
          try await append(to: honest)
          #expect(try Self.searches(path) == Self.searches(honest), "\(table): \(script)")
          #expect(try await AuditReader(path: path).verify().faults == [], "\(table): \(script)")
        }
      }
    }
  }

  /// Appends the rest of the story.
  private func append(to path: String) async throws {
    let log = try AuditLog(path: path)
    try await log.append(later)
    await log.close()
  }

  /// SQLite's statistics are not in a new log. Forged ones change only which index is read, but they are not Router's.
  @Test(arguments: ["sqlite_stat1"])
  func `finds statistics for the query planner, forged or not`(table: String) async throws {
    for forgery in ["", "UPDATE \(table) SET stat = '1 1 1 1'", "INSERT INTO \(table) VALUES ('events', 'none', '9')"] {
      let faults = try await faults { connection in
        try connection.execute("ANALYZE")
        try connection.execute("PRAGMA writable_schema = ON; \(forgery)")
      }
      #expect(try #require(faults).contains { $0.what.contains("table \(table)") }, "\(forgery)")
    }
  }

  private static func swap(_ column: Column, _ first: Int64, _ second: Int64, _ connection: SQLiteConnection) throws {
    let (table, name, key) = (column.table, column.name, key(of: column))
    let values = try [first, second].map { row in
      try connection.rows("SELECT \(name) FROM \(table) WHERE \(key) = ?", [.integer(row)]) { $0.value(0) }.first ?? .null
    }
    // A temporary value, because of unique columns.
    try connection.run("UPDATE \(table) SET \(name) = -7 WHERE \(key) = ?", .integer(first))
    try connection.run("UPDATE \(table) SET \(name) = ? WHERE \(key) = ?", values[0], .integer(second))
    let isMoved = try name == integerKey(table, connection)
    let moved: Int64 = isMoved ? -7 : first
    try connection.run("UPDATE \(table) SET \(name) = ? WHERE \(key) = ?", values[1], .integer(moved))
  }

  private static func integerKey(_ table: String, _ connection: SQLiteConnection) throws -> String? {
    try connection.rows("SELECT name FROM pragma_table_info('\(table)') WHERE pk = 1 AND type = 'INTEGER'") { $0.text(0) ?? "" }
      .first
  }

  private func check(_ faults: [AuditVerification.Fault], _ column: Column, _ change: String) throws {
    let place: Comment = "\(column.table).\(column.name), \(change): \(faults.first.map { "\($0)" } ?? "not found")"
    switch column.table {
    case "presentations":
      // A row with another row's number is first reported as another presentation.
      let named = faults.first { $0.column == column.name || (column.isKey && $0.column == "id") }
      #expect(named?.presentation != nil, place)
      #expect(named?.expected != nil && named?.found != nil && named?.expected != named?.found, place)
    case "events": #expect(faults.first?.seq != nil, place)
    case "words_content": #expect(faults.contains { $0.presentation != nil }, place)
    case "words_data", "words_idx":
      // The index contains unused bytes. An undetected change must not affect search results.
      if faults.isEmpty { #expect(try Self.searches(path) == Self.searches(original), place) }
    default: #expect(!faults.isEmpty, place)
    }
  }

  /// The search results for each word.
  private static func searches(_ path: String) throws -> [String] {
    let connection = try SQLiteConnection(path: path, mode: .readOnly)
    try connection.execute("CREATE VIRTUAL TABLE temp.terms USING fts5vocab (main, words, row)")
    return try connection.rows("SELECT term FROM temp.terms") { $0.text(0) ?? "" }.map { term in
      let found = try connection.rows("SELECT rowid FROM words WHERE words MATCH ?", [.text("\"\(term)\"")]) { $0.integer(0) }
      return "\(term): \(found)"
    }
  }
}

extension SQLiteStatement {
  /// The unconverted value of a column.
  fileprivate func value(_ column: Int32) -> SQLiteValue {
    switch type(column) {
    case .integer: .integer(integer(column))
    case .blob: .blob(blob(column))
    case .null: .null
    case .text, .real: .text(text(column) ?? "")
    }
  }
}
