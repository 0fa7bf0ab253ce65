import Foundation
import TestSupport
import Testing

@testable import Router
@testable import RouterCore
@testable import RouterLog

@Suite(.timeLimit(.minutes(10)))
struct AuditLogTests {
  let directory: TemporaryDirectory
  let path: String
  let samples = AuditSamples()

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("routerd.db")
  }

  @Test func `prevents changing and deleting events`() async throws {
    let log = try AuditLog(path: path)
    try await log.append([samples.requested(samples.presentation())])
    for statement in ["UPDATE events SET at = 'x'", "DELETE FROM events", "REPLACE INTO events SELECT * FROM events"] {
      #expect(throws: SQLiteError.self, "\(statement)") {
        try log.execute("PRAGMA recursive_triggers = ON; " + statement)
      }
    }
    #expect(try await AuditReader(log).events(after: 0).count == 1)
  }

  @Test func `prevents changing a request, and changing an outcome once set`() async throws {
    let log = try AuditLog(path: path)
    let presentation = samples.presentation()
    try await log.append([samples.requested(presentation), samples.resolved(presentation, .dismissed)])
    for statement in [
      "UPDATE presentations SET request = '{}'", "UPDATE presentations SET uid = 0", "UPDATE presentations SET app = 'x'",
      "UPDATE presentations SET outcome = 'answered'", "UPDATE presentations SET result = '{}'",
      "UPDATE presentations SET state = 'queued', outcome = NULL, resolved_at = NULL",
    ] {
      #expect(throws: SQLiteError.self, "\(statement)") { try log.execute(statement) }
    }
  }

  @Test func `computes the hash chain as the decision page specifies`() async throws {
    let log = try AuditLog(path: path)
    let presentation = samples.presentation(0, PresentationRequest(kind: .alert, title: "日本 \"?\"\u{7F}"))
    try await log.append([
      samples.started(), samples.requested(presentation),
      samples.resolved(presentation, .answered(.button("ok"))),
    ])
    let connection = try SQLiteConnection(path: path, mode: .readOnly)
    let rows = try connection.rows("SELECT seq, at, type, presentation, detail, hash FROM events ORDER BY seq") {
      (
        fields: [String($0.integer(0)), $0.text(1)!, $0.text(2)!, $0.text(3).map { "=" + $0 } ?? "", $0.text(4)!],
        hash: $0.blob(5)
      )
    }
    var hash = [UInt8](repeating: 0, count: 32)
    for row in rows {
      hash = Cryptography.sha256(hash + Array(row.fields.joined(separator: "\n").utf8))
      #expect(row.hash == hash)
    }
    #expect(rows.count == 3)
  }

  @Test func `continues the chain after a restart`() async throws {
    do {
      let log = try AuditLog(path: path)
      try await log.append([samples.started()])
      await log.close()
    }
    let log = try AuditLog(path: path)
    try await log.append([samples.stopped()])
    let connection = try SQLiteConnection(path: path, mode: .readOnly)
    let hashes = try connection.rows("SELECT hash FROM events ORDER BY seq") { $0.blob(0) }
    var chain = AuditHead(seq: 1, hash: hashes[0])
    chain.append(
      at: samples.start.description, type: "daemonStopped", presentation: nil, detail: samples.stopped().detailText.bytes)
    #expect(hashes == [hashes[0], chain.hash])
  }

  @Test func `a closed log leaves its file alone even if references remain`() async throws {
    let log = try AuditLog(path: path)
    let readers = try (0..<3).map { _ in try AuditReader(log) }
    // Enough for a checkpoint to run on its own thread.
    for number in 0..<300 { log.append(AuditLog.Append([samples.requested(samples.presentation(number))])) { _ in } }
    await log.close()
    let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(left.filter { $0.hasPrefix("routerd.db-") }.isEmpty)

    await #expect(throws: RouterError.self) { try await log.append([samples.requested(samples.presentation(300))]) }
    for reader in readers { await #expect(throws: (any Error).self) { try await reader.lastSeq() } }
    await log.close()
    #expect(try await AuditReader(path: path).events(after: 0).count == 300)
  }

  @Test func `records concurrent appends, each caller's in order`() async throws {
    let log = try AuditLog(path: path)
    let (callers, count) = (16, 50)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for caller in 0..<callers {
        group.addTask {
          for index in 0..<count {
            try await log.append([samples.note("\(caller) \(index)")])
          }
        }
      }
      try await group.waitForAll()
    }
    let events = try await AuditReader(log).events(after: 0)
    #expect(events.map(\.seq) == Array(1...Int64(callers * count)))
    for caller in 0..<callers {
      let notes = events.compactMap { $0.detail["what"]?.string }.filter { $0.hasPrefix("\(caller) ") }
      #expect(notes == (0..<count).map { "\(caller) \($0)" })
    }
  }

  @Test func `completes batched appends in order`() async throws {
    let log = try AuditLog(path: path)
    let order = Mutex<[Int]>([])
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      for index in 0..<200 {
        log.append(AuditLog.Append([samples.note()])) { result in
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

  /// SQL that makes the log refuse events of one kind.
  private static let refusal = """
    CREATE TEMP TRIGGER refuse BEFORE INSERT ON main.events WHEN new.type = 'presented'
      BEGIN SELECT RAISE(ABORT, 'test'); END
    """

  @Test func `writes nothing after a failure until retried`() async throws {
    let log = try AuditLog(path: path)
    let presentation = samples.presentation()
    try await log.append([samples.requested(presentation)])
    try log.execute(Self.refusal)
    let failure = await #expect(throws: RouterError.self) { try await log.append([samples.presented(presentation)]) }
    #expect(failure?.code == .logUnavailable)
    await #expect(throws: RouterError.self) { try await log.append([samples.presented(presentation)]) }
    #expect(try await AuditReader(log).lastSeq() == 1)
    log.retry()
    try log.execute("DROP TRIGGER refuse")
    try await log.append([samples.presented(presentation)])
    #expect(try await AuditReader(log).events(after: 0).map(\.seq) == [1, 2])
  }

  @Test func `rolls back a failed batch`() async throws {
    let log = try AuditLog(path: path)
    let (old, new) = (samples.presentation(0), samples.presentation(1))
    try await log.append([samples.requested(old)])
    try log.execute(Self.refusal)
    await #expect(throws: RouterError.self) {
      try await log.append([samples.requested(new), samples.presented(old)])
    }
    #expect(try await AuditReader(log).lastSeq() == 1)
    #expect(try await AuditReader(log).presentation(new.id) == nil)
  }

  @Test func `restores open presentations in queue order`() async throws {
    let presentations = (0..<5).map { samples.presentation($0) }
    do {
      let log = try AuditLog(path: path)
      // The lanes are low, high, normal and normal. The last presentation has ended.
      let places = [(4, 0), (2, 7), (3, 9), (3, 4), (1, 0)]
      try await log.append(zip(presentations, places).map { samples.requested($0, lane: $1.0, rank: $1.1) })
      try await log.append([samples.resolved(presentations[4], .cancelled(.requester))])
      await log.close()
    }
    let log = try AuditLog(path: path)
    let open = try await AuditReader(log).open()
    #expect(open.map(\.id) == [1, 3, 2, 0].map { presentations[$0].id })
    #expect(open.map(\.place.lane) == [2, 3, 3, 4])
  }

  @Test func `writes the last of a presentation's rows in one transaction`() async throws {
    let log = try AuditLog(path: path)
    let samples = samples
    let whole = samples.presentation(0)
    let entries = [samples.requested(whole), samples.presented(whole), samples.resolved(whole, .dismissed)]
    try await log.append(entries)
    let row = try #require(try await AuditReader(log).presentation(whole.id))
    #expect(row == samples.folded(whole))
    #expect(try await AuditReader(log).events(of: whole.id).map { try $0.event() } == entries)
  }

  @Test func `writes every column as folded from the events`() async throws {
    let (log, samples) = (try AuditLog(path: path), samples)
    let request = PresentationRequest(
      kind: .sheet, title: "日本", message: "\"?\"\u{7F}", sheet: "form", payload: ["a": [1, 2]], surface: "desk")
    let sample = samples.presentation(0, request)
    let key = try IdempotencyKey("key", of: request)
    for next in [
      { samples.requested(sample, lane: 2, rank: 7, key: key, hasCallback: true) }, { samples.presented(sample, level: 1) },
      { samples.resolved(sample, .answered(.value(["a": "b"]))) },
    ] {
      try await log.append([next()])
      log.project(within: .seconds(60))
      let row = try #require(samples.folded(sample))
      let names = PresentationRow.columns.map(\.name)
      let stored = try SQLiteConnection(path: path, mode: .readOnly).rows(
        "SELECT \(names.joined(separator: ", ")) FROM presentations"
      ) { statement in
        names.indices.map { statement.isNull(Int32($0)) ? nil : statement.text(Int32($0)) }
      }
      let texts = PresentationRow.columns.map { column -> String? in
        switch column.value(row) {
        case .null: nil
        case .integer(let number): String(number)
        case .text(let text): text
        case .json(let text): text.description
        case .blob(let bytes): String(decoding: bytes, as: UTF8.self)
        }
      }
      #expect(stored == [texts])
    }
    let read = try #require(try await AuditReader(log).presentation(sample.id))
    let folded = try #require(samples.folded(sample))
    #expect(read == folded || read.json == folded.json)
    #expect(read.number == folded.number && read.key == key && read.place == folded.place && read.level == 1)
    #expect(try await AuditReader(log).ended(key.scope(of: sample.requester))?.id == sample.id)
    #expect(try await AuditReader(log).pendingCallbacks().map(\.id) == [sample.id])
  }

  @Test func `restores open presentations from their events, whatever their rows contain`() async throws {
    let log = try AuditLog(path: path)
    let sample = samples.presentation(0)
    try await log.append([samples.requested(sample, rank: 5), samples.presented(sample)])
    try log.execute("UPDATE presentations SET state = 'queued', rank = 99, generation = 0")
    let open = try await AuditReader(log).open()
    #expect(open == [try #require(samples.folded(sample))])
    #expect(open.first?.shownSince == sample.requestedAt.advanced(by: .seconds(1)))
    #expect(try await AuditReader(log).lastNumber() == 1)
    #expect(try await AuditReader(log).lastTime() == sample.requestedAt.advanced(by: .seconds(1)))
  }
}
