import Foundation
import Testing

@testable import Router

@Suite(.timeLimit(.minutes(20)))
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

  /// Presentations that are asked for one after the other, a second apart, and end two seconds later.
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

  @Test func `what is old goes, and the rest still verifies`() async throws {
    let presentations = try await append(0..<100)
    let head = try await reader.head()
    let pruning = try await log.prune(before: samples.start.advanced(by: .seconds(60)), at: now)
    // Fifty-eight ended before.
    let anchor = try #require(pruning.anchor)
    #expect(anchor.seq == 58 * 3)
    #expect(pruning.events == 58 * 3)
    #expect(try await reader.verify(expecting: head).fault == nil)
    try await log.sweep()
    let gone = Int(anchor.seq / 3)
    #expect(try await reader.presentations(AuditQuery()).page.map(\.id) == presentations.dropFirst(gone).map(\.id).reversed())
    #expect(try await reader.events(after: 0).first?.seq == anchor.seq + 1)
    #expect(try await reader.statistics().total.count == 100 - gone)
    #expect(try await reader.statistics(by: [.day]).total.count == 100 - gone)
    var query = AuditQuery()
    (query.search, query.limit) = ("deploy", 1000)
    #expect(try await reader.presentations(query).page.count == 100 - gone)
    let found = try await reader.verify(expecting: head)
    #expect(found.fault == nil, "\(found.fault?.what ?? "")")
    #expect(found.anchor == anchor)
    #expect(try await reader.verify(expecting: anchor).fault == nil)
    #expect(try await reader.events(after: 300).map(\.kind) == [.pruned])
    // A second time there is nothing to prune, and later there is more.
    #expect(try await log.prune(before: samples.start.advanced(by: .seconds(60)), at: now).anchor == nil)
    #expect(try await log.prune(before: samples.start.advanced(by: .seconds(90)), at: now).events > 0)
    try await log.sweep()
    #expect(try await reader.verify().fault == nil)
  }

  @Test func `the log goes on after pruning and a restart`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("routerd.db")
    do {
      let log = try AuditLog(path: path)
      for number in 0..<20 {
        let presentation = samples.presentation(number)
        try await log.append([samples.requested(presentation, rank: number), samples.resolved(presentation, .dismissed)])
      }
      _ = try await log.prune(before: now, at: now)
      // It is not swept: the next one does.
    }
    let log = try AuditLog(path: path)
    try await log.sweep()
    try await log.append([samples.requested(samples.presentation(200), rank: 200)])
    let reader = try AuditReader(path: path)
    #expect(try await reader.verify().fault == nil)
    #expect(try await reader.presentations(AuditQuery()).page.count == 2)
  }

  @Test func `an open presentation keeps what comes after it, and is named`() async throws {
    _ = try await append(0..<10)
    let open = samples.presentation(10)
    try await log.append([samples.requested(open, rank: 10)])
    _ = try await append(11..<20)
    let pruning = try await log.prune(before: now, at: now)
    #expect(pruning.anchor?.seq == 30)
    #expect(pruning.keeper?.id == open.id)
    try await log.sweep()
    #expect(try await reader.presentation(open.id)?.state == .queued)
    #expect(try await reader.presentations(AuditQuery()).page.count == 10)
    #expect(try await reader.verify().fault == nil)
  }

  @Test func `one that began before the anchor and ended after it stays until all of it goes`() async throws {
    let (long, open) = (samples.presentation(0), samples.presentation(1))
    try await log.append([
      samples.requested(long, rank: 0), samples.requested(open, rank: 1), samples.resolved(long, .dismissed),
    ])
    _ = try await append(5..<10)
    #expect(try await log.prune(before: now, at: now).anchor?.seq == 1)
    try await log.sweep()
    #expect(try await reader.presentation(long.id) != nil)
    #expect(try await reader.verify().fault == nil)
    try await log.append([samples.resolved(open, .dismissed)])
    _ = try await log.prune(before: now, at: now)
    try await log.sweep()
    #expect(try await reader.presentation(long.id) == nil)
    let fault = try await reader.verify().fault
    #expect(fault == nil, "\(fault?.what ?? "")")
  }

  @Test func `nothing but pruning gets past the triggers`() async throws {
    _ = try await append(0..<20)
    _ = try await log.prune(before: samples.start.advanced(by: .seconds(15)), at: now)
    for sql in [
      "DELETE FROM events WHERE seq = 60", "DELETE FROM presentations WHERE number = 19", "DELETE FROM anchors",
      "UPDATE anchors SET seq = 55", "INSERT INTO anchors (seq, hash, number) VALUES (55, zeroblob(32), 10)",
      "INSERT INTO anchors (seq, hash, number) SELECT seq, hash, 1 FROM events WHERE seq = 2",
    ] {
      await #expect(throws: SQLiteError.self, "\(sql)") { try await log.writer.perform { try $0.execute(sql) } }
    }
  }

  @Test func `an anchor that no event tells of is found out`() async throws {
    _ = try await append(0..<20)
    try await log.writer.perform { connection in
      try connection.execute(
        "INSERT INTO anchors (seq, hash, number) SELECT seq, hash, 5 FROM events WHERE seq = 12; DELETE FROM events WHERE seq <= 12"
      )
    }
    let fault = try await reader.verify().fault
    #expect(fault?.seq == 12)
    #expect(fault?.what.contains("no event says") == true)
  }

  @Test func `the file gives its space back`() async throws {
    _ = try await append(0..<400, title: String(repeating: "long ", count: 400))
    func bytes() throws -> Int64 {
      let connection = try SQLiteConnection(path: path, mode: .readOnly)
      return try connection.integer("PRAGMA page_count")
    }
    let before = try bytes()
    _ = try await log.prune(before: now, at: now)
    try await log.sweep()
    #expect(try bytes() * 4 < before)
    let connection = try SQLiteConnection(path: path, mode: .readOnly)
    #expect(try connection.rows("PRAGMA integrity_check", [], { $0.text(0) }) == ["ok"])
  }

  @Test func `others write between the steps of a sweep`() async throws {
    _ = try await append(0..<600)
    _ = try await log.prune(before: now, at: now)
    let steps = Steps()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await log.sweep { _, _ in steps.add() } }
      for number in 700..<720 {
        try await log.append([samples.requested(samples.presentation(number), rank: number)])
      }
      try await group.waitForAll()
    }
    #expect(steps.count > 2)
    let fault = try await reader.verify().fault
    #expect(fault == nil, "\(fault?.what ?? "")")
  }

  @Test func `a copy is of one moment and stands alone`() async throws {
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
    let found = try await copied.verify()
    #expect(found.fault == nil && found.events >= 150)
    let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.contains("partial") } == [])
    let again = await #expect(throws: RouterError.self) { try await reader.backUp(to: copy) }
    #expect(again?.message.contains("something already") == true)
    let nowhere = await #expect(throws: RouterError.self) { try await reader.backUp(to: directory.file("no/copy.db")) }
    #expect(nowhere?.message.hasPrefix("cannot back up to ") == true)
  }
}

/// How many steps were taken.
private final class Steps: Sendable {
  private let number = Mutex(0)

  var count: Int { number.withLock(\.self) }
  func add() { number.withLock { $0 += 1 } }
}
