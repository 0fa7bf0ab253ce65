import Foundation
import TestSupport
import Testing

@testable import Router
@testable import RouterCore
@testable import RouterLog
@testable import RouterSystem

@Suite(.timeLimit(.minutes(10)))
struct AuditPruningTests {
  let directory: TemporaryDirectory
  let path: String
  let log: AuditLog
  let reader: AuditReader
  let samples = AuditSamples()
  let now: Timestamp

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("routerd.db")
    log = try AuditLog(path: path)
    reader = try AuditReader(path: path)
    now = samples.start.advanced(by: .seconds(100_000))
  }

  /// Appends presentations requested one second apart, each ending two seconds later.
  private func append(_ numbers: Range<Int>, title: String = "Deploy it?") async throws -> [Presentation] {
    var presentations: [Presentation] = []
    for number in numbers {
      let presentation = samples.presentation(number, PresentationRequest(kind: .alert, title: title))
      presentations.append(presentation)
      try await log.append([
        samples.requested(presentation, rank: number), samples.presented(presentation),
        samples.resolved(presentation, .answered(.button("yes"))),
      ])
    }
    return presentations
  }

  /// The presentations in the log, oldest first.
  private func shown() async throws -> [PresentationID] {
    var query = AuditQuery()
    (query.order, query.limit) = (.oldestFirst, 1000)
    return try await reader.presentationPage(query).page.map(\.id)
  }

  /// Checks that each row equals the fold of its events, and that there are no other events.
  private func checkFold() async throws {
    let rows = try await shown()
    for id in rows {
      let row = try #require(try await reader.presentation(id))
      let folded = try await reader.read { try AuditFold($0).presentation(id) }
      for column in PresentationRow.columns { #expect(folded.map(column.value) == column.value(row), "\(column.name)") }
    }
    let events = try await reader.events(after: 0, limit: 10_000)
    #expect(Set(events.compactMap(\.presentation)).isSubset(of: rows))
    #expect(try await reader.statistics().open == (try await reader.open().count))
  }

  @Test func `refuses to prune the last day`() async throws {
    _ = try await append(0..<2)
    let dayAgo = now.advanced(by: .seconds(-86_400))
    let error = await #expect(throws: RouterError.self) {
      try await log.prune(before: dayAgo.advanced(by: .milliseconds(1)), at: now)
    }
    #expect(error?.code == .impossible && error?.field == "/before")
    #expect(try await reader.events(after: 0).count == 6)
    #expect(try await log.prune(before: dayAgo, at: now).events > 0)
  }

  @Test func `removes events before a time`() async throws {
    let presentations = try await append(0..<100)
    let pruning = try await log.prune(before: samples.start.advanced(by: .seconds(60)), at: now, keeping: nil)
    // Each presentation is appended whole: the first event at or after the time is the end of the 59th, at 60 seconds.
    let anchor = try #require(pruning.anchor)
    #expect(anchor.seq == 58 * 3 + 2)
    #expect(pruning.events == 58 * 3 + 2)
    try await log.sweep()
    #expect(try await shown() == presentations.dropFirst(58).map(\.id))
    #expect(try await reader.events(after: 0).first?.seq == anchor.seq + 1)
    #expect(try await reader.statistics().total.count == 42)
    #expect(try await reader.statistics(by: [.day]).total.count == 42)
    var query = AuditQuery()
    (query.search, query.limit) = ("deploy", 1000)
    #expect(try await reader.presentationPage(query).page.count == 42)
    #expect(try await reader.events(after: 300).map(\.kind) == [.pruned])
    try await checkFold()
    // Pruning again finds nothing; a later time finds more.
    #expect(try await log.prune(before: samples.start.advanced(by: .seconds(60)), at: now, keeping: nil).anchor == nil)
    #expect(try await log.prune(before: samples.start.advanced(by: .seconds(90)), at: now, keeping: nil).events > 0)
    try await log.sweep()
    try await checkFold()
  }

  @Test func `continues the log after pruning and a restart`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("routerd.db")
    do {
      let log = try AuditLog(path: path)
      for number in 0..<20 {
        let presentation = samples.presentation(number)
        try await log.append([samples.requested(presentation, rank: number), samples.resolved(presentation, .dismissed)])
      }
      _ = try await log.prune(before: now, at: now, keeping: nil)
      // Not swept: the next log does that.
      await log.close()
    }
    let log = try AuditLog(path: path)
    try await log.sweep()
    let reader = try AuditReader(path: path)
    #expect(try await reader.presentationPage(AuditQuery()).page.isEmpty)
    // Numbers are not reused, even after all presentations are pruned.
    #expect(try await reader.lastNumber() == 20)
    try await log.append([samples.requested(samples.presentation(200), rank: 200)])
    #expect(try await reader.presentationPage(AuditQuery()).page.count == 1)
    #expect(try await reader.open().map(\.number) == [21])
  }

  @Test func `keeps an open presentation without blocking pruning`() async throws {
    _ = try await append(0..<10)
    let open = samples.presentation(10)
    try await log.append([samples.requested(open, rank: 10), samples.presented(open)])
    _ = try await append(11..<20)
    #expect(try await log.prune(before: now, at: now, keeping: nil).anchor?.seq == 59)
    try await log.sweep()
    #expect(try await shown() == [open.id])
    #expect(try await reader.open() == [try #require(samples.folded(open))])
    try await checkFold()
    // It is carried over again, and ends later.
    _ = try await append(100..<110)
    let later = now.advanced(by: .seconds(1))
    #expect(try await log.prune(before: later, at: later, keeping: nil).anchor?.seq == 90)
    try await log.append([samples.resolved(open, .dismissed, after: 200_000)])
    try await log.sweep()
    #expect(try await shown() == [open.id])
    try await checkFold()
    _ = try await log.prune(before: now.advanced(by: .seconds(1_000_000)), at: now, keeping: nil)
    try await log.sweep()
    #expect(try await shown() == [])
    try await checkFold()
  }

  @Test func `carries a presentation over any cut between its events`() async throws {
    // Ends, deliveries and callbacks are late and overlap.
    let presentations = (0..<12).map { samples.presentation($0, PresentationRequest(kind: .alert, title: "Late \($0)")) }
    var entries: [Event] = []
    for presentation in presentations { entries.append(samples.requested(presentation, hasCallback: true)) }
    for presentation in presentations { entries.append(samples.presented(presentation, after: .seconds(20))) }
    for presentation in presentations.dropLast(2) { entries.append(samples.resolved(presentation, .dismissed, after: 40)) }
    for presentation in presentations.dropLast(3) { entries.append(samples.delivered(presentation, after: 60)) }
    for presentation in presentations.dropLast(4) {
      entries.append(
        samples.entry(
          presentation, at: presentation.requestedAt.advanced(by: .seconds(80)),
          .callbackDelivered(Event.CallbackDelivered(attempts: 1))))
    }
    try await log.append(entries)
    for second in stride(from: 1, through: 100, by: 3) {
      let pruning = try await log.prune(before: samples.start.advanced(by: .seconds(second)), at: now, keeping: nil)
      if second.isMultiple(of: 2) { try await log.sweep() }
      guard pruning.anchor != nil else { continue }
      #expect(try await reader.open().count == 2, "after \(second) seconds")
      #expect(try await reader.pendingCallbacks().count == 2 || second <= 90, "after \(second) seconds")
    }
    try await log.sweep()
    #expect(try await shown() == presentations.suffix(4).map(\.id))
    try await checkFold()
  }

  @Test func `the triggers allow deleting pruned rows only`() async throws {
    _ = try await append(0..<20)
    _ = try await log.prune(before: samples.start.advanced(by: .seconds(15)), at: now, keeping: nil)
    for sql in [
      "DELETE FROM events WHERE seq = 60", "DELETE FROM events WHERE seq = 61", "DELETE FROM presentations WHERE number = 19",
      "UPDATE events SET detail = '{\"through\":60}' WHERE seq = 61",
    ] {
      #expect(throws: SQLiteError.self, "\(sql)") { try log.execute(sql) }
    }
    try log.execute("DELETE FROM presentations WHERE number = 1; DELETE FROM events WHERE seq <= 3")
  }

  @Test func `does not prune a log that contains only prunings`() async throws {
    try await log.append([samples.note()])
    #expect(try await log.prune(before: now, at: now, keeping: nil).events == 1)
    try await log.sweep()
    let later = now.advanced(by: .seconds(86_400))
    #expect(try await log.prune(before: later, at: later, keeping: nil).anchor == nil)
    #expect(try await reader.events(after: 0).map(\.kind) == [.pruned])
  }

  @Test func `tells those who follow the log of a pruning`() async throws {
    let commits: AsyncStream<Void>
    do {
      let log = try AuditLog(path: directory.file("followed.db"))
      try await log.append([samples.note()])
      // The signal of the append comes before this returns.
      await log.finishWriting()
      commits = log.commits()
      #expect(try await log.prune(before: now, at: now, keeping: nil).events == 1)
    }
    // The stream ends with the log.
    #expect(await commits.contains { _ in true })
  }

  @Test func `moves the cut to the first late enough event if the clock was set back`() async throws {
    for second in [0, 7200, 3600, 10_800, 60, 14_400] {
      try await log.append([samples.note(at: samples.start.advanced(by: .seconds(second)))])
    }
    #expect(try await log.prune(before: samples.start.advanced(by: .seconds(7300)), at: now, keeping: nil).anchor?.seq == 3)
    #expect(try await log.prune(before: samples.start.advanced(by: .seconds(11_000)), at: now, keeping: nil).anchor?.seq == 5)
  }

  @Test func `shrinks the file`() async throws {
    _ = try await append(0..<400, title: String(repeating: "long ", count: 400))
    func bytes() throws -> Int64 {
      let connection = try SQLiteConnection(path: path, mode: .readOnly)
      return try connection.integer("PRAGMA page_count")
    }
    let before = try bytes()
    _ = try await log.prune(before: now, at: now, keeping: nil)
    try await log.sweep()
    #expect(try bytes() * 4 < before)
    let connection = try SQLiteConnection(path: path, mode: .readOnly)
    #expect(try connection.rows("PRAGMA integrity_check", [], { $0.text(0) }) == ["ok"])
  }

  @Test func `allows writes between the steps of a sweep`() async throws {
    _ = try await append(0..<600)
    _ = try await log.prune(before: now, at: now, keeping: nil)
    let steps = Steps()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await log.sweep { _, _ in steps.add() } }
      for number in 700..<720 {
        try await log.append([samples.requested(samples.presentation(number), rank: number)])
      }
      try await group.waitForAll()
    }
    #expect(steps.count > 2)
    try await checkFold()
  }

  @Test func `backs up one consistent state to a standalone file`() async throws {
    _ = try await append(0..<50)
    let copy = directory.file("copy.db")
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 100..<160 { try await log.append([samples.requested(samples.presentation(number), rank: number)]) }
      }
      try await reader.backUp(to: copy)
      try await group.waitForAll()
    }
    let copied = try AuditReader(path: copy)
    #expect(try await copied.lastSeq() >= 150)
    let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.contains("partial") } == [])
    let again = await #expect(throws: RouterError.self) { try await reader.backUp(to: copy) }
    #expect(again?.message.contains("exists already") == true)
    let nowhere = await #expect(throws: RouterError.self) { try await reader.backUp(to: directory.file("no/copy.db")) }
    #expect(nowhere?.message.hasPrefix("cannot back up to ") == true)
  }
}

/// Counts steps.
private final class Steps: Sendable {
  private let number = Mutex(0)

  var count: Int { number.withLock(\.self) }
  func add() { number.withLock { $0 += 1 } }
}
