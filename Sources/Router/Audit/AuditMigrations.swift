/// The schema, as numbered steps. A step that was released is never changed; the next change is a next step.
enum AuditMigrations {
  /// `Rtrd`, which tells Router's databases from others (sqlite.org/pragma.html#pragma_application_id).
  static let applicationID: Int64 = 0x5274_7264

  /// A change of the schema, and of what is on record where SQL alone cannot make it.
  struct Step: Sendable {
    let sql: String
    var backfill: @Sendable (SQLiteConnection) throws -> Void = { _ in }
  }

  /// Each step in the order in which it is taken; `user_version` is how many were.
  static let steps = [
    Step(sql: recordAndRows), Step(sql: callbacksAndKeys), Step(sql: units),
    Step(sql: queries, backfill: AuditIndex.fill), Step(sql: cheaperWrites, backfill: AuditIndex.fillTotals),
    Step(sql: indexesInCompany),
  ]

  /// The first version with what ``units`` makes.
  static let versionWithUnits = 3
  /// The first version with what ``queries`` makes.
  static let versionWithQueries = 4
  /// The first version with what ``cheaperWrites`` makes.
  static let versionWithTotals = 5
  /// The first version with what ``indexesInCompany`` makes.
  static let versionWithFresh = 6

  /// Brings a database up to date, in one transaction: whatever happens meanwhile, it is of the old version or of the new.
  ///
  /// - Parameter report: Called before an existing database is changed, which may take a while if it is large.
  /// - Throws: ``RouterError`` for a database of another program, or of a newer Router.
  static func migrate(_ connection: SQLiteConnection, path: String, report: (AuditMigration) -> Void) throws {
    try connection.transaction("BEGIN EXCLUSIVE") {
      let version = try check(connection, path: path)
      if version > 0, version < steps.count {
        let events = try connection.integer("SELECT coalesce(max(seq), 0) FROM events")
        report(AuditMigration(path: path, from: version, to: steps.count, events: Int(events)))
      }
      for (index, step) in steps.enumerated().dropFirst(version) {
        try connection.execute(step.sql)
        try step.backfill(connection)
        try connection.execute("PRAGMA user_version = \(index + 1)")
      }
      if version == 0 { try connection.execute("PRAGMA application_id = \(applicationID)") }
    }
  }

  /// The version of a database, which is Router's and not newer than this program; 0 for an empty one.
  @discardableResult
  static func check(_ connection: SQLiteConnection, path: String) throws -> Int {
    let id = try connection.integer("PRAGMA application_id")
    let version = Int(try connection.integer("PRAGMA user_version"))
    if id != applicationID {
      let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
      guard isEmpty, id == 0, version == 0 else {
        throw RouterError(.database, "cannot use \(path): it is the database of another program")
      }
    }
    guard version <= steps.count else {
      throw RouterError(
        .database,
        "cannot use \(path): its schema is version \(version), newer than this program's \(steps.count); update the program")
    }
    return version
  }

  /// Lets a database be read that no newer daemon has opened yet: what a schema before
  /// ``versionWithUnits`` lacks is absent.
  static func supplement(_ connection: SQLiteConnection) throws {
    // The connection's own view goes before the table of the same name.
    try connection.execute("CREATE TEMP VIEW presentations AS SELECT *, NULL AS unit FROM main.presentations")
  }
}

/// A database of an earlier version is being brought up to date.
public struct AuditMigration: Sendable, Hashable {
  public let path: String
  /// The version of its schema, and the one that it is to have.
  public let from: Int, to: Int
  /// How many events are on record.
  public let events: Int
}
