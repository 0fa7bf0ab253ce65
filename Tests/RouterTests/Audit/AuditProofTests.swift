import Testing

@testable import Router

/// What a walk over the log finds.
@Suite(.timeLimit(.minutes(20)))
struct AuditProofTests {
  let directory: TemporaryDirectory
  let path: String
  let samples = AuditSamples()

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("routerd.db")
  }

  /// A log of twenty presentations, each asked for, shown and answered, which nobody has open.
  private func makeLog() async throws {
    let log = try AuditLog(path: path)
    try await log.append([AuditEntry(at: samples.start, kind: .daemonStarted)])
    for number in 0..<20 {
      let presentation = samples.presentation(number)
      try await log.append([
        samples.requested(presentation, rank: number), samples.presented(presentation),
        samples.resolved(presentation, .answered(.button("yes"))),
      ])
    }
  }

  /// Changes the file as somebody does who may write it.
  private func tamper(_ sql: String) throws {
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    for trigger in try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'trigger'", [], { $0.text(0) ?? "" }) {
      try connection.execute("DROP TRIGGER \(trigger)")
    }
    try connection.execute(sql)
  }

  private func fault(expecting head: AuditHead? = nil) async throws -> AuditVerification.Fault? {
    try await AuditReader(path: path).verify(expecting: head).fault
  }

  @Test func `a log that nobody changed verifies, and says how much it was`() async throws {
    try await makeLog()
    let shares = Mutex<[Double]>([])
    let found = try await AuditReader(path: path).verify { share in shares.withLock { $0.append(share) } }
    #expect(found.fault == nil)
    #expect((found.events, found.presentations) == (61, 20))
    #expect(found.head.seq == 61)
    #expect(try await AuditReader(path: path).head() == found.head)
    #expect(shares.withLock { $0.allSatisfy { (0...1).contains($0) } })
  }

  @Test func `an empty log, and one in memory, verify`() async throws {
    let log = try AuditLog(path: path)
    #expect(try await AuditReader(log).verify().fault == nil)
    let memory = try AuditLog.inMemory()
    try await memory.append([samples.requested(samples.presentation())])
    #expect(try await AuditReader(memory).verify().fault == nil)
  }

  @Test(
    arguments: [
      ("UPDATE events SET at = replace(at, '2026', '2025') WHERE seq = 30", 30),
      ("UPDATE events SET type = 'dismissed' WHERE seq = 40", 40), ("UPDATE events SET detail = '{}' WHERE seq = 5", 5),
      ("UPDATE events SET presentation = NULL WHERE seq = 33", 33), ("DELETE FROM events WHERE seq = 31", 31),
      ("DELETE FROM events WHERE seq = 1", 1), ("DELETE FROM events WHERE seq < 10", 1),
      ("UPDATE events SET hash = zeroblob(32) WHERE seq = 12", 12),
      ("UPDATE events SET detail = detail || ' ' WHERE seq IN (50, 20)", 20),
    ] as [(String, Int64)])
  func `the first event that is not as it was written is named`(sql: String, seq: Int64) async throws {
    try await makeLog()
    try tamper(sql)
    let fault = try await fault()
    #expect(fault?.seq == seq, "\(fault?.what ?? "nothing")")
  }

  @Test(
    arguments: [
      "UPDATE presentations SET result = '{\"type\":\"answered\",\"button\":\"no\"}' WHERE number = 7",
      "UPDATE presentations SET outcome = 'dismissed' WHERE number = 7",
      "UPDATE presentations SET resolved_at = '2020-01-01T00:00:00.000Z' WHERE number = 7",
      "UPDATE presentations SET request = replace(request, '?', '!') WHERE number = 7",
      "UPDATE presentations SET app = 'other' WHERE number = 7", "UPDATE presentations SET uid = 0 WHERE number = 7",
      "UPDATE presentations SET state = 'queued', outcome = NULL, resolved_at = NULL, result = NULL WHERE number = 7",
    ])
  func `a presentation that does not follow from its events is named`(sql: String) async throws {
    try await makeLog()
    let id = try await AuditReader(path: path).presentations(AuditQuery()).page[13].id
    try tamper(sql)
    let fault = try await fault()
    #expect(fault?.presentation == id, "\(fault?.what ?? "nothing")")
  }

  @Test func `a presentation that was taken out is missed`() async throws {
    try await makeLog()
    try tamper("DELETE FROM presentations WHERE number = 7")
    #expect(try await fault()?.what.contains("missing") == true)
  }

  @Test func `a chain that was written anew shows against a head that was kept`() async throws {
    try await makeLog()
    let head = try await AuditReader(path: path).head()
    #expect(AuditHead(head.description) == head)
    #expect(try await fault(expecting: head) == nil)
    // Somebody changes an event in the middle and writes the chain anew from there on.
    try tamper("UPDATE events SET detail = '{}' WHERE type = 'presented' AND seq > 30")
    do {
      let connection = try SQLiteConnection(path: path, mode: .readWrite)
      let rows = try connection.rows("SELECT at, type, presentation, detail FROM events ORDER BY seq") {
        ($0.text(0) ?? "", $0.text(1) ?? "", $0.text(2), $0.text(3) ?? "")
      }
      var chain = AuditChain()
      for (at, type, presentation, detail) in rows {
        chain.append(at: at, type: type, presentation: presentation, detail: (detail + (chain.seq == 40 ? " " : "")).utf8)
        try connection.run(
          "UPDATE events SET hash = ?, detail = ? WHERE seq = ?", .blob(chain.hash),
          .text(detail + (chain.seq == 41 ? " " : "")), .integer(chain.seq))
      }
    }
    #expect(try await fault() == nil)
    #expect(try await fault(expecting: head)?.what.contains("written anew") == true)
  }

  @Test func `an end that was cut off shows against a head that was kept`() async throws {
    try await makeLog()
    let head = try await AuditReader(path: path).head()
    try tamper("DELETE FROM events WHERE seq > 58; DELETE FROM presentations WHERE number = 20")
    #expect(try await fault() == nil)
    #expect(try await fault(expecting: head)?.what.contains("cut off") == true)
  }

  @Test(arguments: [
    "", "abc", "@1", String(repeating: "0", count: 64), String(repeating: "g", count: 64) + "@1",
    String(repeating: "0", count: 64) + "@-1",
  ])
  func `what is no head is not read`(text: String) {
    #expect(AuditHead(text) == nil)
  }

  @Test func `it verifies while the log grows`() async throws {
    let log = try AuditLog(path: path)
    let reader = try AuditReader(path: path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 0..<300 {
          let presentation = samples.presentation(number)
          try await log.append([samples.requested(presentation, rank: number), samples.resolved(presentation, .dismissed)])
        }
      }
      for _ in 0..<10 {
        let found = try await reader.verify()
        #expect(found.fault == nil, "\(found.fault?.what ?? "")")
      }
      try await group.waitForAll()
    }
    #expect(try await reader.verify().events == 600)
  }
}
