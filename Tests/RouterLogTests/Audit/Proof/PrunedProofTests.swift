import FoundationEssentials
import RouterTesting
import TestSupport
import Testing

@testable import Router
@testable import RouterCore
@testable import RouterLog
@testable import RouterSystem
@testable import RouterTerminal

/// Tamper checks of pruned logs. A real prune passes; a forged one is detected with a head kept elsewhere.
@Suite(.timeLimit(.minutes(10)))
struct PrunedProofTests {
  let directory: TemporaryDirectory
  let path: String
  static let seed: UInt64 = 815
  /// The length of the logs, since each check reads a whole log. `ROUTER_LONG` makes them longer.
  private static let isLong = ProcessInfo.processInfo.environment["ROUTER_LONG"] != nil
  private static let scale = isLong ? 2 : 1

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("routerd.db")
  }

  private func verify(expecting head: AuditHead? = nil) async throws -> AuditVerification {
    try await AuditReader(path: path).verify(expecting: head)
  }

  @Test(arguments: 1...UInt64(isLong ? 10 : 1))
  func `passes after a prune at every boundary, swept or not, and after the next prune`(seed: UInt64) async throws {
    var story = RecordedStory(seed: seed, setsClockBack: false)
    let entries = try story.next(Self.isLong ? 70 : 20)
    // Ends, late deliveries and callbacks after the boundary.
    let later = try story.next(Self.isLong ? 15 : 8)
    for boundary in Set(entries.map(\.at)).sorted() {
      let log = try AuditLog.inMemory()
      let reader = try AuditReader(log)
      try await log.append(entries)
      let now = entries.last?.at ?? boundary
      let pruned = try await log.prune(before: boundary, by: RecordedStory.person, at: now, keeping: nil)
      let place: Comment = "seed \(seed), pruned before \(boundary)"
      #expect(try await reader.verify().faults == [], place)
      try await log.append(later)
      #expect(try await reader.verify().faults == [], place)
      try await log.sweep()
      let found = try await reader.verify()
      #expect(found.faults == [], place)
      #expect(found.anchor == pruned.anchor, place)
      // Prune again later, which removes or again carries what was carried before.
      let next = now.advanced(by: .milliseconds(-1))
      _ = try await log.prune(before: next, at: later.last?.at ?? now, keeping: nil)
      #expect(try await reader.verify().faults == [], place)
      try await log.sweep()
      #expect(try await reader.verify().faults == [], place)
    }
  }

  @Test func `passes between any two steps of a sweep`() async throws {
    var story = RecordedStory(seed: Self.seed, setsClockBack: false)
    let entries = try story.next(Self.isLong ? 400 : 120)
    let boundary = entries[entries.count * 2 / 3].at
    let log = try AuditLog(path: path)
    try await log.append(entries)
    _ = try await log.prune(before: entries[entries.count / 3].at, at: boundary, keeping: nil)
    _ = try await log.prune(before: boundary, at: boundary, keeping: nil)
    await log.close()
    let anchor = try #require(try await verify().anchor).seq
    // The steps of a sweep, one row at a time.
    let connection = try SQLiteConnection(path: path, mode: .existing)
    let carried = Set(try #require(try AuditFold.lastPruned(connection)).carried.map { Int64($0.number) })
    let numbers = try connection.rows(
      """
      SELECT number FROM presentations AS p WHERE EXISTS (
        SELECT 1 FROM events WHERE presentation = p.id AND type = 'requested' AND seq <= ?) ORDER BY number
      """, [.integer(anchor)]
    ) { $0.integer(0) }
    for number in numbers where !carried.contains(number) {
      let ended = try connection.rows(
        "SELECT \(AuditCounts.Ended.columns) FROM presentations AS p WHERE number = ?", [.integer(number)]
      ) { try AuditCounts.Ended(row: $0, from: 0) }
      try connection.transaction {
        var counts = AuditCounts()
        for ended in ended { counts.add(ended, times: -1) }
        try counts.write(to: connection)
        try connection.run("DELETE FROM words WHERE rowid = ?", .integer(number))
        try connection.run("DELETE FROM presentations WHERE number = ?", .integer(number))
      }
      if number % 3 == 0 { #expect(try await verify().faults == [], "row \(number)") }
    }
    for seq in stride(from: 4, through: anchor, by: 4) {
      try connection.run("DELETE FROM events WHERE seq <= ?", .integer(seq))
      #expect(try await verify().faults == [], "event \(seq) of \(anchor)")
    }
    try connection.run("DELETE FROM events WHERE seq <= ?", .integer(anchor))
    #expect(try await verify().faults == [])
  }

  @Test func `passes while a daemon prunes and writes`() async throws {
    let log = try AuditLog(path: path)
    let reader = try AuditReader(path: path)
    try await log.append([Event(at: Timestamp(milliseconds: 0), .daemonStarted(Event.Daemon(RecordedStory.person)))])
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        var story = RecordedStory(seed: Self.seed, setsClockBack: false)
        for round in 0..<(30 * Self.scale) {
          let entries = try story.next(20)
          try await log.append(entries)
          guard round % 3 == 2, let first = entries.first?.at else { continue }
          _ = try await log.prune(before: first, at: first, keeping: nil)
          try await log.sweep()
        }
      }
      for _ in 0..<(8 * Self.scale) {
        let found = try await reader.verify()
        #expect(found.faults == [])
      }
      try await group.waitForAll()
    }
    #expect(try await reader.verify().faults == [])
  }

  /// Creates a pruned and swept log and returns heads from before and after the prune.
  private func makePrunedLog() async throws -> (old: AuditHead, middle: AuditHead, head: AuditHead) {
    var story = RecordedStory(seed: Self.seed, setsClockBack: false)
    let log = try AuditLog(path: path)
    let entries = try story.next(80 * Self.scale)
    try await log.append(Array(entries[..<(10 * Self.scale)]))
    let old = try await AuditReader(log).head()
    try await log.append(Array(entries[(10 * Self.scale)...]))
    let middle = try await AuditReader(log).head()
    let (before, at) = (entries[40 * Self.scale].at, entries[74 * Self.scale].at)
    _ = try await log.prune(before: before, by: RecordedStory.person, at: at, keeping: nil)
    try await log.sweep()
    try await log.append(try story.next(25 * Self.scale))
    let head = try await AuditReader(log).head()
    await log.close()
    return (old, middle, head)
  }

  @Test func `reports prunings since the expected head, and who pruned`() async throws {
    let (old, middle, head) = try await makePrunedLog()
    let found = try await verify(expecting: middle)
    #expect(found.faults == [])
    #expect(found.prunings.map(\.by) == [RecordedStory.person])
    #expect(found.prunings.first?.anchor == found.anchor)
    #expect(try await verify(expecting: head).prunings == [])
    // The anchor can be compared; pruned events before it cannot.
    let anchor = try #require(found.anchor)
    #expect(try await verify(expecting: anchor).faults == [])
    #expect(try await verify(expecting: AuditHead(seq: anchor.seq, hash: old.hash)).fault?.what.contains("rewritten") == true)
    let gone = try await verify(expecting: old)
    #expect(gone.fault?.seq == old.seq)
    #expect(gone.fault?.what.contains("cannot be compared") == true)
    #expect(gone.prunings.count == 1)
  }

  /// The log alone cannot show that pruned events are missing, so a forged `pruned` event passes without an expected head.
  @Test func `finds a forged prune only with a head kept elsewhere`() async throws {
    var story = RecordedStory(seed: Self.seed, setsClockBack: false)
    let entries = try story.next(100) + story.finish()
    let log = try AuditLog(path: path)
    try await log.append(entries)
    let old = try await AuditReader(log).head()
    try await log.append(try story.next(30) + story.finish())
    let head = try await AuditReader(log).head()
    await log.close()
    // An attacker removes all events up to the old head and disguises this as a prune.
    try TamperedLog.change(path) { connection in
      try connection.execute(
        "DELETE FROM presentations; DELETE FROM words; DELETE FROM counts; DELETE FROM hours; DELETE FROM events")
      var chain = AuditHead(seq: old.seq, hash: old.hash)
      let at = Timestamp("2026-12-01T00:00:00.000Z")!
      let pruned = Event(
        at: at,
        .pruned(
          Event.Pruned(anchor: old, before: at, events: Int(old.seq), lastNumber: 99, carried: [], by: RecordedStory.person)))
      let detail = pruned.detailText
      chain.append(at: at.description, type: "pruned", presentation: nil, detail: detail.bytes)
      try connection.run(
        "INSERT INTO events VALUES (?, ?, 'pruned', NULL, ?, ?)", .integer(chain.seq), .text(at.description), .json(detail),
        .blob(chain.hash))
      try connection.run("INSERT INTO hours VALUES ('events', ?, ?)", .integer(chain.seq), .integer(at.hour))
      try connection.run("UPDATE projected SET seq = ?", .integer(chain.seq))
    }
    #expect(try await verify().faults == [])
    // It matches the old head, but the report lists the forged prune.
    let found = try await verify(expecting: old)
    #expect(found.faults == [])
    #expect(found.prunings.map(\.anchor) == [old])
    // It does not match a newer head.
    #expect(try await verify(expecting: head).fault?.what.contains("cut off") == true)
  }

  @Test(
    arguments: [
      ("a moved anchor", "json_set(detail, '$.through', json_extract(detail, '$.through') - 1)", true),
      ("an anchor beyond the event", "json_set(detail, '$.through', 9223372036854775807)", true),
      ("another hash", "json_set(detail, '$.hash', '\(String(repeating: "0", count: 64))')", true),
      ("fewer carried", "json_remove(detail, '$.carried[0]')", true),
      ("another state carried", "json_set(detail, '$.carried[0].presentation.request.title', 'Harmless?')", true),
      ("more events than there were", "json_set(detail, '$.events', 1000000)", true),
      ("a number that was exceeded", "json_set(detail, '$.lastNumber', json_extract(detail, '$.lastNumber') - 1)", true),
      ("a number that was not reached", "json_set(detail, '$.lastNumber', json_extract(detail, '$.lastNumber') + 1)", true),
      // These have no other trace in the log.
      ("another person", "json_set(detail, '$.by.uid', 0)", false),
      ("fewer events", "json_set(detail, '$.events', 3)", false),
      ("another time", "json_set(detail, '$.before', '2020-01-01T00:00:00.000Z')", false),
    ] as [(String, String, Bool)])
  func `finds a changed and rehashed prune event`(name: String, sql: String, isFound: Bool) async throws {
    let (_, middle, head) = try await makePrunedLog()
    try TamperedLog.change(path) { connection in
      let before = try connection.rows("SELECT min(seq) FROM events") { $0.integer(0) }.first ?? 0
      try connection.execute("UPDATE events SET detail = \(sql) WHERE type = 'pruned'")
      #expect(try connection.integer("SELECT changes()") == 1)
      let pruned = try connection.integer("SELECT seq FROM events WHERE type = 'pruned'")
      #expect(before > 1)
      try TamperedLog.rehash(connection, from: pruned)
    }
    #expect(try await verify().faults.isEmpty != isFound, "\(name)")
    #expect(try await verify(expecting: head).fault != nil, "\(name)")
    // The head before the prune still matches if the log passes at all.
    #expect(try await verify(expecting: middle).faults.isEmpty != isFound, "\(name)")
  }

  @Test(arguments: [false, true])
  func `finds a changed row that was carried over a prune`(isSwept: Bool) async throws {
    var story = RecordedStory(seed: Self.seed, setsClockBack: false)
    let log = try AuditLog(path: path)
    let entries = try story.next(80 * Self.scale)
    try await log.append(entries)
    _ = try await log.prune(before: entries[50 * Self.scale].at, at: entries[74 * Self.scale].at, keeping: nil)
    if isSwept { try await log.sweep() }
    await log.close()
    let anchor = try #require(try await verify().anchor).seq
    var titles = 0
    let connection = try SQLiteConnection(path: path, mode: .readOnly)
    let numbers = try connection.rows("SELECT number FROM presentations WHERE title IS NOT NULL") { $0.integer(0) }
    connection.close()
    for number in numbers {
      try TamperedLog.change(path) {
        try $0.run("UPDATE presentations SET title = title || '!' WHERE number = ?", .integer(number))
      }
      let fault = try await verify().fault
      #expect(fault?.column == "title", "row \(number), pruned up to \(anchor)")
      titles += 1
      try TamperedLog.change(path) {
        try $0.run("UPDATE presentations SET title = substr(title, 1, length(title) - 1) WHERE number = ?", .integer(number))
      }
    }
    #expect(titles > 3)
    #expect(try await verify().faults == [])
  }
}
