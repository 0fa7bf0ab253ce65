import Foundation
import RouterTesting
import TestSupport
import Testing

@testable import Router
@testable import RouterCore
@testable import RouterLog
@testable import RouterSystem
@testable import RouterTerminal

/// Logs whose rows lag behind the events: on a full disk, during backups and prunings, and after a kill.
/// Promise P6.
@Suite(.timeLimit(.minutes(10)))
struct LaggingRowsTests {
  let directory: TemporaryDirectory
  let path: String
  let samples = AuditSamples()

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("routerd.db")
  }

  /// A log whose process was killed with rows up to an event.
  private func killedLog(seed: UInt64, cursor: Int) throws -> [Event] {
    let events = try RecordedStory.entries(seed: seed, steps: 100)
    var writer = try AuditWriter(path: path, durability: .relaxed)
    try writer.commit(Array(events[..<cursor]))
    try writer.project()
    try writer.commit(Array(events[cursor...]))
    writer.connection.close()
    return events
  }

  private func cursor() throws -> Int64 {
    try AuditProjector.cursor(SQLiteConnection(path: path, mode: .readOnly))
  }

  private func all() -> AuditQuery {
    var query = AuditQuery()
    query.limit = 10_000
    return query
  }

  @Test func `commits events while rows do not fit on a full disk`() async throws {
    var writer = try AuditWriter(path: path, durability: .relaxed)
    func ended(_ number: Int) -> [Event] {
      let sample = samples.presentation(number)
      return [samples.requested(sample, rank: number), samples.presented(sample), samples.resolved(sample, .dismissed)]
    }
    try writer.commit((0..<300).flatMap(ended))
    let pages = try writer.connection.integer("PRAGMA page_count")
    try writer.connection.execute("PRAGMA max_page_count = \(pages + 8)")
    for number in 300..<304 {
      let failure = #expect(throws: SQLiteError.self) { try writer.project() }
      #expect(failure?.message.contains("full") == true)
      #expect(try AuditProjector.cursor(writer.connection) == 0 && writer.projector.cursor == 0)
      try writer.commit(ended(number))
    }
    #expect(try AuditHead(writer.connection).seq == 304 * 3)
    try writer.connection.execute("PRAGMA max_page_count = 1000000")
    try writer.project()
    writer.connection.close()
    let reader = try AuditReader(path: path)
    #expect(try await reader.presentationPage(all()).page.count == 304)
    #expect(try await reader.verify().faults == [])
  }

  @Test func `ignores events of presentations that are not on record, and contradictory ones`() async throws {
    var writer = try AuditWriter(path: path, durability: .relaxed)
    let (known, unknown) = (samples.presentation(0), samples.presentation(1))
    let end = samples.start.advanced(by: .seconds(9))
    try writer.commit([samples.requested(known), samples.presented(known), samples.resolved(known, .dismissed)])
    // Once in memory, and once from the events.
    for isInMemory in [true, false] {
      try writer.commit([
        Event(at: end, presentation: unknown.id, .delivered), Event(at: end, presentation: unknown.id, .detached),
        Event(at: end, presentation: unknown.id, .resolved(Event.Resolved(outcome: .dismissed))),
        Event(at: end, presentation: known.id, .resolved(Event.Resolved(outcome: .answered(.button("yes"))))),
        Event(at: end, presentation: known.id, .delivered), samples.note(at: end),
      ])
      if !isInMemory {
        writer.connection.close()
        writer = try AuditWriter(path: path, durability: .relaxed)
      }
      try writer.project()
      #expect(try writer.projector.cursor == AuditHead(writer.connection).seq)
    }
    let rows = try writer.connection.rows("SELECT id, outcome FROM presentations") { "\($0.text(0) ?? "") \($0.text(1) ?? "")" }
    #expect(rows == ["\(known.id) dismissed"])
    #expect(try writer.connection.integer("SELECT sum(n) FROM counts WHERE measure = 'waited' AND app = ''") == 1)
    writer.connection.close()
  }

  @Test func `backs up consistent copies while rows are written`() async throws {
    let log = try AuditLog(path: path, durability: .relaxed)
    let reader = try AuditReader(path: path)
    for round in 0..<8 {
      for number in round * 100..<(round + 1) * 100 {
        let sample = samples.presentation(number)
        let events = [samples.requested(sample, rank: number), samples.presented(sample), samples.resolved(sample, .dismissed)]
        log.append(AuditLog.Append(events)) { _ in }
      }
      let (own, other) = (directory.file("own-\(round).db"), directory.file("other-\(round).db"))
      try await AuditReader(log).backUp(to: own)
      // Another process does not wait for what is not committed.
      try await reader.backUp(to: other)
      for copy in [own, other] {
        let found = try await AuditReader(path: copy).verify()
        #expect(found.faults == [], "\(copy)")
        #expect(found.events >= (copy == own ? (round + 1) * 300 : 0), "\(copy)")
        // Reading the copy completes its rows.
        let rows = try await AuditReader(path: copy).presentationPage(all()).page
        #expect(rows.count { $0.state == .resolved } == found.events / 3, "\(copy)")
      }
    }
    await log.close()
  }

  @Test func `backs up rows that lag behind, as the copy's reader completes`() async throws {
    let events = try killedLog(seed: 21, cursor: 70)
    let copy = directory.file("copy.db")
    // Held as by a daemon that cannot write rows.
    let lock = try DatabaseLock(database: path)
    try await AuditReader(path: path).backUp(to: copy)
    withExtendedLifetime(lock) {}
    #expect(try await AuditReader(path: copy).verify().faults == [])
    let requested = events.count { $0.kind == .requested }
    #expect(try await AuditReader(path: copy).presentationPage(all()).page.count == requested)
  }

  @Test func `prunes at the cursor`() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var story = RecordedStory(seed: seed, setsClockBack: false)
    let events = try story.next(120)
    let now = try #require(events.last).at
    for cursor in stride(from: 1, to: events.count, by: 9) {
      // A log in memory writes rows when they are read, or many have ended.
      let log = try AuditLog.inMemory()
      try await log.append(Array(events[..<cursor]))
      try log.withWriter { try $0.project() }
      try await log.append(Array(events[cursor...]))
      let pruning = try await log.prune(before: events[cursor].at, at: now, keeping: nil)
      #expect(pruning.anchor.map { $0.seq <= Int64(cursor) } ?? true, "seed \(seed), cursor \(cursor)")
      #expect(try await AuditReader(log).verify().faults == [], "seed \(seed), cursor \(cursor)")
      try await log.sweep()
      #expect(try await AuditReader(log).verify().faults == [], "seed \(seed), cursor \(cursor)")
    }
  }

  @Test func `does not prune events whose rows cannot be written`() async throws {
    let log = try AuditLog(path: path, durability: .relaxed)
    let end = samples.start.advanced(by: .seconds(100_000))
    try await log.append([samples.requested(samples.presentation(0)), samples.stopped()])
    log.project(within: .seconds(60))
    try log.execute("CREATE TEMP TRIGGER refuse BEFORE UPDATE ON main.projected BEGIN SELECT RAISE(ABORT, 'test'); END")
    try await log.append([samples.requested(samples.presentation(1)), samples.stopped()])
    let refusal = await #expect(throws: RouterError.self) { try await log.prune(before: end, at: end, keeping: nil) }
    #expect(refusal?.code == .logUnavailable)
    #expect(try await AuditReader(log).lastSeq() == 4)
    try log.withWriter { try $0.connection.execute("DROP TRIGGER refuse") }
    #expect(try await log.prune(before: end, at: end, keeping: nil).anchor?.seq == 4)
    try await log.sweep()
    #expect(try await AuditReader(log).verify().faults == [])
    await log.close()
  }

  @Test func `verifies rows as of the cursor`() async throws {
    let events = try killedLog(seed: 31, cursor: 60)
    func fold(through last: Int) throws -> [PresentationID: Presentation] {
      var folded: [PresentationID: Presentation] = [:]
      for event in events[..<last] {
        guard let id = event.presentation else { continue }
        if event.kind == .requested { folded[id] = try Presentation(event) } else { try folded[id]?.apply(event) }
      }
      return folded
    }
    let (atCursor, atHead) = (try fold(through: 60), try fold(through: events.count))
    #expect(try await AuditReader(path: path).verify().faults == [])
    let original = try Data(contentsOf: URL(fileURLWithPath: path))
    func restore() throws {
      for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
      try original.write(to: URL(fileURLWithPath: path))
    }
    var found = 0
    for (id, row) in atCursor {
      let generation = atHead[id]?.generation ?? 0
      guard generation != row.generation else { continue }
      // What will be right later is wrong now.
      try TamperedLog.withoutConstraints(path) {
        try $0.run("UPDATE presentations SET generation = ? WHERE id = ?", .int(generation), .text(id.description))
      }
      let faults = try await AuditReader(path: path).verify().faults
      #expect(faults.contains { $0.presentation == id && $0.column == "generation" }, "\(id): \(faults)")
      found += 1
      try restore()
    }
    #expect(found > 0)
    for wrong in [59, 61, events.count, events.count + 1] {
      try TamperedLog.withoutConstraints(path) { try $0.run("UPDATE projected SET seq = ?", .int(wrong)) }
      let faults = try await AuditReader(path: path).verify().faults
      // Rows that are the same there are right there.
      let isRight = try wrong <= events.count && fold(through: wrong) == atCursor
      #expect(faults.isEmpty == isRight, "cursor at \(wrong)")
      try restore()
    }
  }

  @Test func `a reader waits a tenth of a second for another process's rows, then says how many events it lacks`() async throws
  {
    let events = try killedLog(seed: 41, cursor: 60)
    let lock = try DatabaseLock(database: path)
    let reader = try AuditReader(path: path)
    let start = ContinuousClock.now
    _ = try await reader.presentationPage(all())
    #expect(ContinuousClock.now - start >= .milliseconds(100))
    #expect(await reader.unindexedEvents() == events.count - 60)
    #expect(try cursor() == 60)
    withExtendedLifetime(lock) {}
  }

  @Test func `a canceled task does not wait for rows`() async throws {
    _ = try killedLog(seed: 41, cursor: 60)
    let lock = try DatabaseLock(database: path)
    let reader = try AuditReader(path: path)
    let reading = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await reader.presentationPage(all())
    }
    await #expect(throws: CancellationError.self) { try await reading.value }
    withExtendedLifetime(lock) {}
  }
}
