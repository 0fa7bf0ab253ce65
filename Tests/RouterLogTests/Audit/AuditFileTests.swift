import Foundation
import TestSupport
import Testing

@testable import Router
@testable import RouterCore
@testable import RouterLog
@testable import RouterSystem

/// Unusable databases and their error messages.
/// Promises P59, P61, P62.
@Suite(.timeLimit(.minutes(10)))
struct AuditFileTests {
  let directory: TemporaryDirectory
  let path: String
  let samples = AuditSamples()

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("routerd.db")
  }

  /// Creates a closed database with one event.
  private func makeLog() async throws {
    let log = try AuditLog(path: path)
    try await log.append([samples.requested(samples.presentation())])
    await log.close()
  }

  private func readingFails(_ code: RouterError.Code, _ words: String, at path: String? = nil) async {
    let path = path ?? self.path
    let error = await #expect(throws: RouterError.self) {
      let reader = try AuditReader(path: path)
      _ = try await reader.presentationPage(AuditQuery())
    }
    #expect(error?.code == code)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(error?.message.hasPrefix("cannot ") == true)
  }

  @Test func `creates the database for its owner only, without a lock file`() async throws {
    try await makeLog()
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o600)
    #expect(!FileManager.default.fileExists(atPath: path + ".lock"))
  }

  @Test func `rejects a second log on the same file until the first is closed`() throws {
    var log: AuditLog? = try AuditLog(path: path)
    let error = #expect(throws: RouterError.self) { try AuditLog(path: path) }
    #expect(error?.message.contains("is running and using it (pid \(getpid()))") == true)
    withExtendedLifetime(log) {}
    log = nil
    #expect(throws: Never.self) { try AuditLog(path: path) }
  }

  @Test func `reopens a log while a child process still holds the lock's descriptor`() throws {
    var log: AuditLog? = try AuditLog(path: path)
    let lock = try #require(try Self.locks(of: path, "FLOCK").first)
    // Like the copy in a child process between fork(2) and execve(2).
    let copy = dup(lock)
    defer { close(copy) }
    withExtendedLifetime(log) {}
    log = nil
    #expect(throws: Never.self) { try AuditLog(path: path) }
  }

  @Test func `a reader does not release the writer's lock`() async throws {
    let log = try AuditLog(path: path)
    try await log.append([samples.requested(samples.presentation())])
    for _ in 0..<3 { _ = try AuditReader(path: path) }
    #expect(throws: RouterError.self) { try AuditLog(path: path) }
    try await log.append([samples.stopped()])
    #expect(try await AuditReader(path: path).lastSeq() == 2)
  }

  @Test func `distinguishes a missing or empty database from an unreadable one`() async throws {
    await readingFails(.notFound, "there is no database")
    await readingFails(.notFound, "there is no database", at: directory.file("no/such/directory.db"))
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    await readingFails(.notFound, "it is empty")
    await readingFails(.database, "it is not a regular file", at: directory.path)
  }

  @Test func `rejects a file that is not a database`() async throws {
    #expect(FileManager.default.createFile(atPath: path, contents: Data("Not a database, but some text. ".utf8)))
    await readingFails(.database, "damaged or not a database")
    #expect(FileManager.default.createFile(atPath: path, contents: Data(repeating: 0x20, count: 10_000)))
    await readingFails(.database, "damaged or not a database")
    let error = #expect(throws: RouterError.self) { try AuditLog(path: path) }
    #expect(error?.message == "cannot open the database \(path): the file is damaged or not a database")
  }

  @Test func `rejects another program's database without changing it`() async throws {
    do {
      let connection = try SQLiteConnection(path: path, mode: .readWrite)
      try connection.execute("CREATE TABLE bookmarks (url TEXT)")
    }
    await readingFails(.database, "another program")
    let error = #expect(throws: RouterError.self) { try AuditLog(path: path) }
    #expect(error?.message.contains("another program") == true)
    let connection = try SQLiteConnection(path: path, mode: .readOnly)
    #expect(try connection.integer("SELECT count(*) FROM sqlite_schema") == 1)
  }

  @Test(
    arguments: [
      "events", "presentations", "counts", "hours", "words",
    ], [false, true])
  func `rejects a view or virtual table in place of a table`(name: String, isVirtual: Bool) async throws {
    try await makeLog()
    do {
      let connection = try SQLiteConnection(path: path, mode: .readWrite)
      for trigger in try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'trigger'", [], { $0.text(0) ?? "" }) {
        try connection.execute("DROP TRIGGER \(trigger)")
      }
      let endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
      try connection.execute("DROP TABLE \(name)")
      try connection.execute(
        isVirtual ? "CREATE VIRTUAL TABLE \(name) USING fts5vocab (words, row)" : "CREATE VIEW \(name) AS \(endless)")
    }
    await readingFails(.database, "the file is damaged or not a database (\(name) is a ")
    let error = #expect(throws: RouterError.self) { try AuditLog(path: path) }
    #expect(error?.message.contains("the file is damaged") == true)
  }

  @Test func `stops a query at its step limit`() throws {
    let connection = try SQLiteConnection(path: ":memory:", mode: .readWrite)
    let endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    let error = #expect(throws: SQLiteError.self) {
      try connection.limited(steps: 1_000_000) { try connection.integer(endless) }
    }
    #expect(error?.isInterruption == true)
    #expect(RouterError(readingLogAt: "log.db", error!).message.contains("more steps than any needs"))
    // The limit applies to one query only.
    #expect(try connection.limited(steps: 1_000_000) { try connection.integer("SELECT 7") } == 7)
    #expect(try connection.integer("SELECT 7") == 7)
  }

  @Test func `stops a query when its task is canceled`() async throws {
    let endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    try await makeLog()
    let reader = try AuditReader(path: path)
    let task = Task { try await reader.read { try $0.integer(endless) } }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await reader.lastSeq() == 1)
  }

  @Test func `rejects a second log on the same file by another name`() throws {
    let log = try AuditLog(path: path)
    let (symbolic, hard) = (directory.file("symbolic.db"), directory.file("hard.db"))
    try FileManager.default.createSymbolicLink(atPath: symbolic, withDestinationPath: path)
    let busy = #expect(throws: RouterError.self) { try AuditLog(path: symbolic) }
    #expect(busy?.message.contains("is running and using it (pid \(getpid()))") == true)
    #expect(AuditLog.isInUse(path: symbolic))
    try FileManager.default.linkItem(atPath: path, toPath: hard)
    for path in [hard, path] {
      let error = #expect(throws: RouterError.self) { try AuditLog(path: path) }
      #expect(error?.message.contains("it has 2 hard links") == true)
    }
    withExtendedLifetime(log) {}
  }

  @Test func `a rejected log leaves the open log's locks in place`() async throws {
    let log = try AuditLog(path: path)
    try await log.append([samples.note()])
    let before = try Self.locks(of: path, "POSIX")
    #expect(!before.isEmpty)
    #expect(throws: RouterError.self) { try AuditLog(path: path) }
    #expect(AuditLog.isInUse(path: path))
    #expect(try Self.locks(of: path, "POSIX") == before)
    withExtendedLifetime(log) {}
  }

  @Test func `closing a log leaves a reader's locks in place`() async throws {
    try await makeLog()
    let reader = try AuditReader(path: path)
    #expect(try await reader.lastSeq() == 1)
    try await makeSecondEvent()
    #expect(!AuditLog.isInUse(path: path))
    #expect(try !Self.locks(of: path, "POSIX").isEmpty)
    #expect(try await reader.lastSeq() == 2)
  }

  private func makeSecondEvent() async throws {
    let log = try AuditLog(path: path)
    try await log.append([samples.stopped()])
    await log.close()
  }

  /// The file descriptors through which this process holds locks on a file: POSIX for fcntl(2), FLOCK for flock(2).
  private static func locks(of path: String, _ kind: String) throws -> [CInt] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { CInt($0) }.filter { descriptor in
      let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
      return try file == path
        && String(contentsOfFile: "/proc/self/fdinfo/\(descriptor)", encoding: .utf8).contains(kind)
    }.sorted()
  }

  @Test func `rejects a newer database without changing it`() async throws {
    try await makeLog()
    do { try SQLiteConnection(path: path, mode: .readWrite).execute("PRAGMA user_version = 99") }
    await readingFails(.database, "another version of Router made it")
    let error = #expect(throws: RouterError.self) { try AuditLog(path: path) }
    #expect(error?.message.contains("version 99") == true)
  }

  @Test(arguments: [
    "ALTER TABLE presentations DROP COLUMN executable_doubt; DROP TABLE projected",
    "DROP INDEX events_standing; CREATE INDEX events_standing ON events (seq) WHERE type IN ('granted', 'revoked')",
    "DROP INDEX events_of_grant",
  ])
  func `makes the rows of another version again from the events`(change: String) async throws {
    var before: [Presentation] = []
    do {
      let log = try AuditLog(path: path)
      try await log.append(try RecordedStory.entries(seed: 5, steps: 80))
      // Closing writes all rows. A reader of an open log does not wait for them for long.
      await log.close()
      before = try await AuditReader(path: path).presentationPage(AuditQuery()).page
    }
    do {
      let connection = try SQLiteConnection(path: path, mode: .readWrite)
      for trigger in try connection.rows(
        "SELECT name FROM sqlite_schema WHERE tbl_name = 'presentations' AND type = 'trigger'", [], { $0.text(0) ?? "" })
      {
        try connection.execute("DROP TRIGGER \(trigger)")
      }
      try connection.execute(change)
    }
    await readingFails(.database, "another version of Router made its index. Start routerd")
    let id = try #require(before.first?.id)
    await #expect(throws: RouterError.self) { try await AuditReader(path: path).presentation(id) }
    let upgraded = try AuditLog(path: path)
    #expect(try await AuditReader(upgraded).presentationPage(AuditQuery()).page == before)
    #expect(try await AuditReader(upgraded).verify().faults == [])
    await upgraded.close()
  }

  @Test(arguments: 1...6)
  func `rejects the database of an older development build without changing it`(version: Int) async throws {
    try await makeLog()
    do {
      let connection = try SQLiteConnection(path: path, mode: .readWrite)
      try connection.execute("PRAGMA user_version = \(version)")
      if version == 1 { try connection.execute("DROP TABLE counts") }
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    await readingFails(.database, "another version of Router made it (schema version \(version))")
    let error = #expect(throws: RouterError.self) { try AuditLog(path: path) }
    #expect(error?.message.contains("Move the file away, or use the program that made it") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func `reports damage when it is read`() async throws {
    try await makeLog()
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    let size = try file.seekToEnd()
    // All pages but the first, which contains the schema.
    try file.seek(toOffset: 4096)
    try file.write(contentsOf: Data(repeating: 0xA5, count: Int(size) - 4096))
    try file.close()
    await readingFails(.database, "damaged")
  }

  @Test func `reports a truncated file as damaged`() async throws {
    try await makeLog()
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.truncate(atOffset: 5000)
    try file.close()
    await readingFails(.database, "damaged")
  }

  @Test func `reports an unreadable row as damaged`() async throws {
    try await makeLog()
    do {
      let connection = try SQLiteConnection(path: path, mode: .readWrite)
      try connection.execute("DROP TRIGGER presentations_are_asked_once; UPDATE presentations SET request = '{'")
    }
    await readingFails(.database, "a row is damaged")
  }

  @Test func `reads a copy of the database file alone`() async throws {
    try await makeLog()
    try FileManager.default.copyItem(atPath: path, toPath: directory.file("copy.db"))
    #expect(try await AuditReader(path: directory.file("copy.db")).lastSeq() == 1)
  }

  @Test func `a reader sees new commits`() async throws {
    let log = try AuditLog(path: path)
    let reader = try AuditReader(path: path)
    #expect(!reader.isSnapshot)
    for number in 1...20 {
      try await log.append([samples.note()])
      #expect(try await reader.lastSeq() == Int64(number))
    }
  }
}
