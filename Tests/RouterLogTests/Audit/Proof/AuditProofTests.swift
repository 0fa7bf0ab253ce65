import FoundationEssentials
import OrderedCollections
import RouterTesting
import TestSupport
import Testing

@testable import Router
@testable import RouterLog

/// What the tamper check detects and what it cannot.
@Suite(.timeLimit(.minutes(10)))
struct AuditProofTests {
  let directory: TemporaryDirectory
  let path: String
  static let seed: UInt64 = 4711

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("routerd.db")
  }

  /// Creates a closed log of a few dozen presentations.
  private func makeLog(steps: Int = 400) async throws {
    let log = try AuditLog(path: path)
    try await log.append(try RecordedStory.entries(seed: Self.seed, steps: steps))
    await log.close()
  }

  private func tamper(_ body: (SQLiteConnection) throws -> Void) throws { try TamperedLog.change(path, body) }

  private func tamper(_ sql: String) throws { try tamper { try $0.execute(sql) } }

  private func verify(expecting head: AuditHead? = nil) async throws -> AuditVerification {
    try await AuditReader(path: path).verify(expecting: head)
  }

  @Test func `passes a log with every kind of event and reports its counts`() async throws {
    let entries = try RecordedStory.entries(seed: Self.seed, steps: 3000)
    #expect(Set(entries.map(\.kind)) == Set(AuditEvent.Kind.allCases).subtracting([.pruned]))
    let log = try AuditLog(path: path)
    try await log.append(entries)
    await log.finishWriting()
    let shares = Mutex<[Double]>([])
    let found = try await AuditReader(path: path).verify { share in shares.withLock { $0.append(share) } }
    #expect(found.faults == [])
    #expect(found.events == entries.count)
    #expect(found.presentations == entries.count { $0.kind == .requested })
    #expect(found.head == (try await AuditReader(path: path).head()))
    #expect(shares.withLock { $0.allSatisfy { (0...1).contains($0) } })
  }

  @Test(arguments: 0..<20)
  func `passes generated logs`(seed: UInt64) async throws {
    let log = try AuditLog(path: path)
    try await log.append(try RecordedStory.entries(seed: seed, steps: 200))
    #expect(try await verify().faults == [], "seed \(seed)")
  }

  @Test func `passes an empty log and an in-memory log`() async throws {
    let log = try AuditLog(path: path)
    #expect(try await AuditReader(log).verify().faults == [])
    let memory = try AuditLog.inMemory()
    try await memory.append(try RecordedStory.entries(seed: Self.seed, steps: 100))
    #expect(try await AuditReader(memory).verify().faults == [])
    try await memory.append([Event(at: Timestamp(milliseconds: 0), .daemonStopped(Event.Daemon(RecordedStory.person)))])
    #expect(try await AuditReader(memory).verify().faults == [])
  }

  @Test func `passes while the log grows`() async throws {
    let log = try AuditLog(path: path)
    let reader = try AuditReader(path: path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        var story = RecordedStory(seed: Self.seed)
        for _ in 0..<300 { try await log.append(try story.next(3)) }
      }
      for _ in 0..<10 {
        let found = try await reader.verify()
        #expect(found.faults == [])
      }
      try await group.waitForAll()
    }
    #expect(try await reader.verify().faults == [])
  }

  // MARK: Three attacks that an earlier tamper check missed

  @Test func `finds an invented row`() async throws {
    try await makeLog()
    let invented = PresentationIDGenerator().next(at: Timestamp(milliseconds: 1_800_000_000_000))
    try tamper { connection in
      let names = PresentationRow.columns.map(\.name)
      let values = names.map { $0 == "number" ? "(SELECT max(number) + 1 FROM presentations)" : $0 == "id" ? "?" : $0 }
      try connection.run(
        """
        INSERT INTO presentations (\(names.joined(separator: ", ")))
        SELECT \(values.joined(separator: ", ")) FROM presentations WHERE state = 'resolved' LIMIT 1
        """, .text(invented.description))
    }
    let fault = try await verify().fault
    #expect(fault?.presentation == invented)
    #expect(fault?.what.contains("has no event") == true)
  }

  @Test func `finds a request replaced by an object from its payload`() async throws {
    try await makeLog()
    try tamper("UPDATE presentations SET request = json_extract(request, '$.payload.request') WHERE number = 5")
    let fault = try await verify().fault
    #expect(fault?.column == "request")
    #expect(fault?.found?.contains("Harmless?") == true)
    #expect(fault?.presentation != nil)
  }

  @Test func `finds that all requests were emptied`() async throws {
    try await makeLog()
    try tamper("UPDATE presentations SET request = ''")
    let faults = try await verify().faults
    #expect(faults.first?.column == "request")
    #expect(faults.count { $0.column == "request" } > 10)
  }

  @Test func `compares JSON by value, ignoring member order and white space`() async throws {
    try await makeLog()
    try tamper { connection in
      let rows = try connection.rows("SELECT number, request FROM presentations") { ($0.integer(0), $0.text(1) ?? "") }
      for (number, request) in rows {
        let members = try #require(try JSONValue(parsing: request).object)
        let turned = JSONValue.object(.init(uniqueKeysWithValues: members.reversed().map { ($0.key, $0.value) }))
        try connection.run(
          "UPDATE presentations SET request = ? WHERE number = ?",
          .text(turned.description.replacing(",\"", with: " , \"")), .integer(number))
      }
    }
    #expect(try await verify().faults == [])
  }

  @Test func `distinguishes canonically equivalent texts`() async throws {
    try await makeLog()
    // Composed instead of decomposed: equal to Swift, but different bytes.
    try tamper("UPDATE presentations SET message = replace(message, 'e\u{301}t', '\u{E9}t') WHERE message IS NOT NULL")
    #expect(try await verify().fault?.column == "message")
  }

  // MARK: Events

  @Test(
    arguments: [
      ("a removed event", "DELETE FROM events WHERE seq = 31", 31), ("a removed start", "DELETE FROM events WHERE seq < 10", 1),
      (
        "two swapped events",
        """
        UPDATE events SET seq = -seq WHERE seq IN (30, 31); UPDATE events SET seq = 30 WHERE seq = -31;
        UPDATE events SET seq = 31 WHERE seq = -30
        """, 30
      ),
      (
        "a duplicated event",
        """
        INSERT INTO events SELECT (SELECT max(seq) + 1 FROM events), at, type, presentation, detail, hash FROM events
        WHERE seq = 40
        """, -1
      ),
      (
        "an added event with an extreme number",
        "INSERT INTO events SELECT 9223372036854775807, at, type, presentation, detail, hash FROM events WHERE seq = 40", -1
      ),
      (
        "the only event left at the highest number",
        "DELETE FROM events WHERE seq > 1; UPDATE events SET seq = 9223372036854775807", 1
      ),
      ("an event with a negative number", "UPDATE events SET seq = -9223372036854775808 WHERE seq = 1", 1),
      ("an empty time", "UPDATE events SET at = '' WHERE seq = 12", 12),
    ] as [(String, String, Int64)])
  func `reports the first event that breaks the chain`(name: String, sql: String, seq: Int64) async throws {
    try await makeLog()
    let last = try await AuditReader(path: path).lastSeq()
    try tamper(sql)
    let fault = try await verify().fault
    #expect(fault?.seq == (seq > 0 ? seq : last + 1), "\(name): \(fault?.what ?? "nothing")")
  }

  /// Rehashed changes match the chain. They must still form a valid sequence of events.
  @Test(
    arguments: [
      "UPDATE events SET presentation = NULL WHERE seq = (SELECT max(seq) FROM events WHERE type = 'presented')",
      "UPDATE events SET presentation = '' WHERE type = 'daemonStarted'", "UPDATE events SET type = 'invented' WHERE seq = 3",
      """
      UPDATE events SET seq = seq + 1000000 WHERE seq > 100; INSERT INTO events
      SELECT 1000000, at, type, presentation, detail, hash FROM events WHERE seq = (
        SELECT max(seq) FROM events WHERE type = 'dismissed')
      """,
      """
      INSERT INTO events SELECT (SELECT max(seq) + 1 FROM events), at, type, presentation, detail, hash FROM events
      WHERE seq = (SELECT min(seq) FROM events WHERE type = 'requested')
      """,
      "UPDATE events SET detail = json_set(detail, '$.number', 9223372036854775807) WHERE seq = 2",
      "UPDATE events SET detail = json_set(detail, '$.generation', 9223372036854775807) WHERE type = 'presented'",
      "UPDATE events SET detail = json_set(detail, '$.shownFor', 1e300) WHERE type = 'withdrawn'",
      "UPDATE events SET detail = json_set(detail, '$.shownFor', 9e11) WHERE type = 'withdrawn'",
      "UPDATE events SET detail = '' WHERE seq = 50", "UPDATE events SET at = '0000-00-00' WHERE seq = 50",
    ])
  func `finds rehashed events out of sequence`(sql: String) async throws {
    try await makeLog()
    try tamper { connection in
      try connection.execute(sql)
      try TamperedLog.rehash(connection)
    }
    let fault = try await verify().fault
    if sql.contains("9e11") {
      // The value is plausible and not in any row. Only a head kept elsewhere reveals it.
      #expect(fault == nil)
    } else {
      #expect(fault != nil)
    }
  }

  @Test func `finds a rewritten suffix only with a head kept elsewhere`() async throws {
    try await makeLog()
    let head = try await AuditReader(path: path).head()
    #expect(AuditHead(head.description) == head)
    #expect(try await verify(expecting: head).faults == [])
    try tamper { connection in
      try connection.execute(
        """
        UPDATE events SET detail = json_set(detail, '$.by.pid', 99)
        WHERE seq >= 50 AND type IN ('presenterAttached', 'presenterDetached')
        """)
      #expect(try connection.integer("SELECT changes()") > 0)
      try TamperedLog.rehash(connection, from: 50)
    }
    #expect(try await verify().faults == [])
    #expect(try await verify(expecting: head).fault?.what.contains("rewritten") == true)
  }

  @Test func `finds a truncated log only with a head kept elsewhere`() async throws {
    var story = RecordedStory(seed: Self.seed)
    func append(_ entries: [Event]) async throws {
      let log = try AuditLog(path: path)
      try await log.append(entries)
      await log.close()
    }
    try await append(try story.next(100) + story.finish())
    try FileManager.default.copyItem(atPath: path, toPath: path + ".earlier")
    try await append(try story.next(50))
    let head = try await AuditReader(path: path).head()
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: path + ".earlier", toPath: path)
    #expect(try await verify().faults == [])
    #expect(try await verify(expecting: head).fault?.what.contains("cut off") == true)
  }

  @Test(arguments: [
    "", "abc", "@1", String(repeating: "0", count: 64), String(repeating: "g", count: 64) + "@1",
    String(repeating: "0", count: 64) + "@-1",
  ])
  func `rejects an invalid head`(text: String) {
    #expect(AuditHead(text) == nil)
  }
}
