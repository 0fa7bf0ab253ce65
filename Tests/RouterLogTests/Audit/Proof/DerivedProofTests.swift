import Foundation
import TestSupport
import Testing

@testable import Router
@testable import RouterLog

/// Tampering with rows, indexes and counts to hide a presentation or falsify statistics.
@Suite(.timeLimit(.minutes(10)))
struct DerivedProofTests {
  let directory: TemporaryDirectory
  let path: String

  init() async throws {
    directory = try TemporaryDirectory()
    path = directory.file("routerd.db")
    let log = try AuditLog(path: path)
    try await log.append(try RecordedStory.entries(seed: 99, steps: 200))
    await log.close()
  }

  private func faults() async throws -> [AuditVerification.Fault] { try await AuditReader(path: path).verify().faults }

  /// Each case has part of the expected message, and whether a presentation must be named.
  @Test(
    arguments: [
      ("a removed row", "DELETE FROM presentations WHERE number = 7", "its row is missing", true),
      (
        "two swapped rows",
        """
        UPDATE presentations SET number = -1 WHERE number = 7; UPDATE presentations SET number = 7 WHERE number = 8;
        UPDATE presentations SET number = 8 WHERE number = -1
        """, "differs from its events", true
      ),
      (
        "a moved row", "UPDATE presentations SET number = 9223372036854775807 WHERE number = 7", "differs from its events", true
      ),
      ("words removed", "DELETE FROM words WHERE rowid = 7", "its search text is missing", true),
      ("words added", "INSERT INTO words (rowid, title) VALUES (-5, 'quokka')", "not on record", false),
      ("other words", "UPDATE words SET title = 'quokka' WHERE rowid = 7", "search text differs", true),
      (
        "other words in the index only",
        """
        UPDATE words SET title = 'quokka' WHERE rowid = 7;
        UPDATE words_content SET c0 = (SELECT title FROM presentations WHERE number = 7) WHERE id = 7
        """, "the search index", false
      ),
      ("an index without words", "DELETE FROM words_data WHERE id > 10", "the search index", false),
      ("fewer counted", "UPDATE counts SET n = n - 1 WHERE outcome = 'dismissed'", "the count of", false),
      ("none counted", "DELETE FROM counts", "the count of", false),
      ("more counted", "INSERT INTO counts VALUES ('', 496000, 'answered', 'waited', 3, 5)", "no prompt explains", false),
      (
        "counted as something else",
        "UPDATE OR REPLACE counts SET outcome = 'answered' WHERE outcome = 'dismissed'", "the count of", false
      ),
      ("presentations in no hour", "DELETE FROM hours WHERE series = 'presentations'", "another hour", true),
      ("events in another hour", "UPDATE hours SET hour = hour + 1 WHERE series = 'events'", "another hour", false),
      (
        "hours of another series", "INSERT INTO hours VALUES ('answers', 1, 496000)", "series that is not part of", false
      ),
      (
        "an hour beyond the end", "INSERT INTO hours VALUES ('events', 9000000, 1)", "a run of events that no row explains",
        false
      ),
      (
        "an hour beyond the last request", "INSERT INTO hours VALUES ('presentations', 9000000, 1)",
        "a run of presentations that no row explains", false
      ),
      (
        "an hour twice",
        "INSERT INTO hours SELECT series, first + 1, hour FROM hours WHERE series = 'events' ORDER BY first LIMIT 1",
        "a run of events that no row explains", false
      ),
      ("an hour before the first event", "INSERT INTO hours VALUES ('events', -3, 1)", "a run of events", false),
      (
        "another rank function of searches", "INSERT INTO words_config VALUES ('rank', 'bm25(0)')",
        "the search index has settings",
        false
      ),
      ("another merging", "UPDATE words_config SET v = 2 WHERE k = 'automerge'", "the search index has settings", false),
      ("an hour that is none", "UPDATE hours SET hour = 9223372036854775807", "another hour", false),
    ] as [(String, String, String, Bool)])
  func `finds a change of rows, words, counts or hours`(name: String, sql: String, what: String, isNamed: Bool) async throws {
    try TamperedLog.change(path) { try $0.execute(sql) }
    let fault = try await faults().first
    #expect(fault?.what.contains(what) == true, "\(name): \(String(describing: fault))")
    #expect(!isNamed || fault?.presentation != nil, "\(name)")
  }

  @Test func `finds a duplicate row`() async throws {
    // Without constraints, a second row can have the same id.
    let names = PresentationRow.columns.map(\.name)
    let values = names.map { $0 == "number" ? "1000" : $0 }.joined(separator: ", ")
    try TamperedLog.change(path) { connection in
      try connection.execute(
        """
        PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL UNIQUE', 'NOT NULL');
        DELETE FROM sqlite_schema WHERE name = 'sqlite_autoindex_presentations_1'
        """)
    }
    try TamperedLog.change(path) { connection in
      try connection.execute(
        "INSERT INTO presentations (\(names.joined(separator: ", "))) SELECT \(values) FROM presentations WHERE number = 7")
    }
    #expect(try await !faults().isEmpty)
  }

  @Test(
    arguments: [
      ("DROP TRIGGER events_are_not_changed", "lacks the trigger"),
      ("DROP INDEX presentations_by_app", "lacks the index"),
      (
        "CREATE TRIGGER hide AFTER INSERT ON presentations BEGIN DELETE FROM words WHERE rowid = new.number; END",
        "trigger hide"
      ),
      ("CREATE TABLE more (a)", "table more"), ("ANALYZE", "table sqlite_stat1"), ("CREATE VIEW less AS SELECT 1", "view less"),
      ("ALTER TABLE presentations ADD COLUMN note TEXT", "column that is not part of Router's schema"),
      ("ALTER TABLE presentations RENAME COLUMN title TO heading", "lacks a column"),
      ("DROP TABLE hours", "lacks the table hours"), ("DROP TABLE words", "lacks the table words"),
      ("DROP TABLE presentations", "lacks the table presentations"), ("DROP TABLE events", "lacks the table events"),
    ])
  func `finds a changed schema`(sql: String, what: String) async throws {
    let connection = try SQLiteConnection(path: path, mode: .existing)
    if sql.contains("ALTER TABLE") {
      for trigger in try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'trigger'", [], { $0.text(0) ?? "" }) {
        try connection.execute("DROP TRIGGER \(trigger)")
      }
    }
    try connection.execute(sql)
    connection.close()
    let faults = try await faults()
    #expect(faults.contains { $0.what.contains(what) }, "\(faults.map(\.what))")
  }

  /// An index can be rebuilt from different values by briefly changing its SQL. A query would then miss the row.
  @Test(arguments: [
    "CREATE INDEX presentations_by_app ON presentations (CASE number WHEN 7 THEN 'zzz' ELSE app END)",
    "CREATE INDEX presentations_by_app ON presentations (app) WHERE number <> 7",
  ])
  func `finds an index that hides a row`(sql: String) async throws {
    let honest = "CREATE INDEX presentations_by_app ON presentations (app)"
    for (text, then) in [(sql, "REINDEX presentations_by_app"), (honest, "")] {
      let connection = try SQLiteConnection(path: path, mode: .existing)
      try connection.execute("PRAGMA writable_schema = ON")
      try connection.run("UPDATE sqlite_schema SET sql = ? WHERE name = 'presentations_by_app'", .text(text))
      connection.close()
      let again = try SQLiteConnection(path: path, mode: .existing)
      try again.execute(then)
      again.close()
    }
    #expect(try await faults().first?.what.contains("presentations_by_app") == true)
  }

  /// FTS5 looks up a word's page first. If that lookup is wrong, searches fail although every page is intact.
  @Test(arguments: [
    "DELETE FROM words_idx WHERE pgno > 2 * (SELECT min(pgno / 2) FROM words_idx) + 1",
    "UPDATE words_idx SET term = x'30' || substr(term, 2) WHERE term = (SELECT max(term) FROM words_idx)",
  ])
  func `finds a search index with a wrong page lookup`(sql: String) async throws {
    let path = directory.file("large.db")
    let log = try AuditLog(path: path)
    try await log.append(try RecordedStory.entries(seed: 5, steps: 6000))
    await log.close()
    #expect(try await AuditReader(path: path).verify().faults == [])
    try TamperedLog.change(path) { connection in
      try connection.execute(sql)
      #expect(try connection.integer("SELECT changes()") > 0)
    }
    let fault = try await AuditReader(path: path).verify().fault
    #expect(fault?.what.contains("search") == true)
  }

  @Test func `reports a damaged file without crashing`() async throws {
    let size = try FileHandle(forReadingFrom: URL(filePath: path)).seekToEnd()
    for place in stride(from: UInt64(4096), to: size, by: 20_011) {
      let file = try FileHandle(forUpdating: URL(filePath: path))
      try file.seek(toOffset: place)
      let before = try #require(try file.read(upToCount: 64))
      try file.seek(toOffset: place)
      try file.write(contentsOf: Data(repeating: 0xA5, count: before.count))
      try file.close()
      do {
        // Damage to free space within a page has no effect.
        _ = try await faults()
      } catch let error as RouterError {
        #expect(error.code == .database || error.code == .logUnavailable)
      }
      let again = try FileHandle(forUpdating: URL(filePath: path))
      try again.seek(toOffset: place)
      try again.write(contentsOf: before)
      try again.close()
    }
    #expect(try await faults() == [])
  }
}
