import Foundation
import Testing

@testable import Router

@Suite(.timeLimit(.minutes(20)))
struct AuditLogTests {
  let directory: TemporaryDirectory
  let path: String
  let samples = AuditSamples()

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("routerd.db")
  }

  @Test func `an event is not changed and not deleted`() async throws {
    let log = try AuditLog(path: path)
    try await log.append([samples.requested(samples.presentation())])
    for statement in ["UPDATE events SET at = 'x'", "DELETE FROM events", "REPLACE INTO events SELECT * FROM events"] {
      await #expect(throws: SQLiteError.self, "\(statement)") {
        try await log.writer.perform { try $0.execute("PRAGMA recursive_triggers = ON; " + statement) }
      }
    }
    #expect(try await AuditReader(log).events(after: 0).count == 1)
  }

  @Test func `what was asked does not change, and how it ended is said once`() async throws {
    let log = try AuditLog(path: path)
    let presentation = samples.presentation()
    try await log.append([samples.requested(presentation), samples.resolved(presentation, .dismissed)])
    for statement in [
      "UPDATE presentations SET request = '{}'", "UPDATE presentations SET uid = 0", "UPDATE presentations SET app = 'x'",
      "UPDATE presentations SET outcome = 'answered'", "UPDATE presentations SET result = '{}'",
      "UPDATE presentations SET state = 'queued', outcome = NULL, resolved_at = NULL",
    ] {
      await #expect(throws: SQLiteError.self, "\(statement)") { try await log.writer.perform { try $0.execute(statement) } }
    }
  }

  @Test func `a second one cannot be on record as shown on a surface and level`() async throws {
    let log = try AuditLog(path: path)
    let (first, second) = (samples.presentation(0), samples.presentation(1))
    try await log.append([samples.requested(first), samples.presented(first), samples.requested(second)])
    await #expect(throws: RouterError.self) { try await log.append([samples.presented(second)]) }
    log.retry()
    // Another level of the stack and another surface are places of their own.
    try await log.append([samples.presented(second, level: 1)])
    let elsewhere = samples.presentation(2, PresentationRequest(kind: .sheet, surface: "desk"))
    try await log.append([samples.requested(elsewhere), samples.presented(elsewhere)])
    #expect(try await AuditReader(log).events(after: 0).map(\.kind).filter { $0 == .presented }.count == 3)
  }

  @Test func `the hash chain is what the decision page says`() async throws {
    let log = try AuditLog(path: path)
    let presentation = samples.presentation(0, PresentationRequest(kind: .alert, title: "日本 \"?\"\u{7F}"))
    try await log.append([
      AuditEntry(at: samples.start, kind: .daemonStarted), samples.requested(presentation),
      samples.resolved(presentation, .answered(.button("ok"))),
    ])
    let connection = try SQLiteConnection(path: path, mode: .readOnly)
    let rows = try connection.rows("SELECT seq, at, type, presentation, detail, hash FROM events ORDER BY seq") {
      (
        fields: [String($0.integer(0)), $0.text(1)!, $0.text(2)!, $0.text(3) ?? "", $0.text(4)!], hash: $0.blob(5)
      )
    }
    var hash = [UInt8](repeating: 0, count: 32)
    for row in rows {
      var sha = SHA256()
      sha.update(hash + Array(row.fields.joined(separator: "\n").utf8))
      hash = sha.finalize()
      #expect(row.hash == hash)
    }
    #expect(rows.count == 3)
  }

  @Test func `the chain goes on where it was after a restart`() async throws {
    do {
      let log = try AuditLog(path: path)
      try await log.append([AuditEntry(at: samples.start, kind: .daemonStarted)])
    }
    let log = try AuditLog(path: path)
    try await log.append([AuditEntry(at: samples.start, kind: .daemonStopped)])
    let connection = try SQLiteConnection(path: path, mode: .readOnly)
    let hashes = try connection.rows("SELECT hash FROM events ORDER BY seq") { $0.blob(0) }
    var chain = AuditChain(seq: 1, hash: hashes[0])
    chain.append(at: samples.start.description, type: "daemonStopped", presentation: nil, detail: "{}".utf8)
    #expect(hashes == [hashes[0], chain.hash])
  }

  @Test func `a log that was closed leaves its file alone, whoever still holds it`() async throws {
    let log = try AuditLog(path: path)
    let readers = try (0..<3).map { _ in try AuditReader(log) }
    // So many that a checkpoint is under way on a thread of its own.
    for number in 0..<300 { log.append([samples.requested(samples.presentation(number))]) { _ in } }
    await log.close()
    let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(left.filter { $0.hasPrefix("routerd.db-") }.isEmpty)

    await #expect(throws: RouterError.self) { try await log.append([samples.requested(samples.presentation(300))]) }
    for reader in readers { await #expect(throws: (any Error).self) { try await reader.lastSeq() } }
    await log.close()
    #expect(try await AuditReader(path: path).events(after: 0).count == 300)
  }

  @Test func `many appends at once are all on record, each caller's in its order`() async throws {
    let log = try AuditLog(path: path)
    let (callers, count) = (16, 50)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for caller in 0..<callers {
        group.addTask {
          for index in 0..<count {
            try await log.append([
              AuditEntry(
                at: samples.start, kind: .accessDenied, detail: ["caller": .integer(caller), "index": .integer(index)])
            ])
          }
        }
      }
      try await group.waitForAll()
    }
    let events = try await AuditReader(log).events(after: 0)
    #expect(events.map(\.seq) == Array(1...Int64(callers * count)))
    for caller in 0..<callers {
      let indices = events.filter { $0.detail["caller"] == .integer(caller) }.map { $0.detail["index"] }
      #expect(indices == (0..<count).map { .integer($0) })
    }
  }

  @Test func `appends that wait together complete in their order`() async throws {
    let log = try AuditLog(path: path)
    let order = Mutex<[Int]>([])
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      for index in 0..<200 {
        log.append([AuditEntry(at: samples.start, kind: .accessDenied)]) { result in
          #expect(throws: Never.self) { try result.get() }
          let isLast = order.withLock { order in
            order.append(index)
            return order.count == 200
          }
          if isLast { continuation.resume() }
        }
      }
    }
    #expect(order.withLock(\.self) == Array(0..<200))
  }

  @Test func `after a failure nothing is written until it is tried again`() async throws {
    let log = try AuditLog(path: path)
    let presentation = samples.presentation()
    try await log.append([samples.requested(presentation)])
    // The same id a second time breaks the table's own rule.
    let failure = await #expect(throws: RouterError.self) { try await log.append([samples.requested(presentation)]) }
    #expect(failure?.code == .logUnavailable)
    await #expect(throws: RouterError.self) { try await log.append([samples.presented(presentation)]) }
    #expect(try await AuditReader(log).lastSeq() == 1)
    log.retry()
    try await log.append([samples.presented(presentation)])
    #expect(try await AuditReader(log).events(after: 0).map(\.seq) == [1, 2])
  }

  @Test func `a batch that fails leaves nothing of itself behind`() async throws {
    let log = try AuditLog(path: path)
    let presentation = samples.presentation()
    await #expect(throws: RouterError.self) {
      try await log.append([samples.requested(presentation), samples.requested(presentation)])
    }
    #expect(try await AuditReader(log).lastSeq() == 0)
    #expect(try await AuditReader(log).presentation(presentation.id) == nil)
  }

  @Test func `what was open is there again in the order of the line`() async throws {
    let presentations = (0..<5).map { samples.presentation($0) }
    do {
      let log = try AuditLog(path: path)
      // Lanes are low, high, and twice normal; the last has ended.
      let places = [(4, 0), (2, 7), (3, 9), (3, 4), (1, 0)]
      try await log.append(zip(presentations, places).map { samples.requested($0, lane: $1.0, rank: $1.1) })
      try await log.append([samples.resolved(presentations[4], .cancelled(.requester))])
    }
    let log = try AuditLog(path: path)
    let open = try await AuditReader(log).open()
    #expect(open.map(\.presentation.id) == [1, 3, 2, 0].map { presentations[$0].id })
    #expect(open.map(\.place.lane) == [2, 3, 3, 4])
  }
}
