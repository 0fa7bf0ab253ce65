import RouterCore

extension AuditSchema {
  /// `Rtrd`, which identifies Router's databases (sqlite.org/pragma.html#pragma_application_id).
  static let applicationID: Int64 = 0x5274_7264

  /// Creates the schema in an empty database, or checks an existing one. Recreates the derived tables if another version of
  /// Router created them; ``AuditWriter`` then fills them.
  static func prepare(_ connection: SQLiteConnection, path: String) throws {
    try connection.transaction("BEGIN EXCLUSIVE") {
      if try isEmpty(connection, path: path) {
        try connection.execute(sql)
        try connection.execute("PRAGMA user_version = \(version); PRAGMA application_id = \(applicationID)")
      } else if try !hasCurrentRows(connection) {
        try renewRows(connection)
        try connection.execute("UPDATE projected SET seq = -1")
      }
    }
  }

  /// Replaces the derived tables with empty ones. Deleting their rows would take longer, most of all for the search index.
  static func renewRows(_ connection: SQLiteConnection) throws {
    for table in ["presentations", "words", "counts", "hours", "projected"] {
      try connection.execute("DROP TABLE IF EXISTS \(table)")
    }
    try connection.execute(rows)
  }

  /// Whether the derived tables have this version's schema.
  static func hasCurrentRows(_ connection: SQLiteConnection) throws -> Bool {
    let columns = try connection.rows("PRAGMA table_info(presentations)") { $0.text(1) ?? "" }
    let others = try connection.rows(
      """
      SELECT name FROM sqlite_schema
      WHERE name IN ('projected', 'events_of_grant') OR name = 'events_standing' AND instr(sql, ?) > 0
      """, [.text(isStanding)]
    ) { $0.text(0) }
    return columns == PresentationRow.columns.map(\.name) && others.count == 3
  }

  /// Checks that this version can read a database's rows.
  static func checkRows(_ connection: SQLiteConnection, path: String) throws {
    guard try !hasCurrentRows(connection) else { return }
    throw RouterError(
      .database,
      """
      cannot read the log at \(path): another version of Router made its index. Start routerd, or run \
      "routerctl log reindex", to make it again
      """)
  }

  /// Returns whether a database is empty; throws ``RouterError`` if it belongs to another program or version.
  static func isEmpty(_ connection: SQLiteConnection, path: String) throws -> Bool {
    let id = try connection.integer("PRAGMA application_id")
    let found = Int(try connection.integer("PRAGMA user_version"))
    let tables = try connection.integer("SELECT count(*) FROM sqlite_schema")
    if id == 0, found == 0, tables == 0 { return true }
    guard id == applicationID else {
      throw RouterError(.database, "cannot use \(path): it is the database of another program")
    }
    let isKnown = try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'counts'") == 1
    guard found == version, isKnown else {
      throw RouterError(
        .database,
        """
        cannot use \(path): another version of Router made it (schema version \(found)). \
        Move the file away, or use the program that made it
        """)
    }
    try checkTables(connection, path: path)
    return false
  }

  /// Checks that the queried objects are tables. A view in place of a table could run forever or return anything.
  private static func checkTables(_ connection: SQLiteConnection, path: String) throws {
    let impostors = try connection.rows(
      """
      SELECT type, name FROM sqlite_schema
      WHERE name IN ('events', 'presentations', 'counts', 'hours', 'projected') AND (type <> 'table' OR rootpage = 0)
        OR name = 'words' AND (type <> 'table' OR sql NOT LIKE 'CREATE VIRTUAL TABLE words USING fts5 (%')
      """
    ) { "\($0.text(1) ?? "") is a \($0.text(0) ?? "")" }
    guard let impostor = impostors.first else { return }
    throw RouterError(
      .database, "cannot use \(path): the file is damaged or not a database (\(impostor.shortened), not Router's)")
  }
}
