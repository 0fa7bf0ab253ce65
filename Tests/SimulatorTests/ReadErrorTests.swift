import TestSupport
import Testing

@testable import Router
@testable import RouterCore
@testable import RouterLog

/// A log whose reads fail while it derives its rows.
/// Promise P18.
struct ReadErrorTests {
  private let disk = SimulatedDisk()
  private let ids = PresentationIDGenerator()
  private let now = Timestamp("2026-11-21T07:00:00.000Z")!

  private func requested(_ number: Int) -> Event {
    let asked = Asked(
      requester: Presentation.Requester(app: "tests", process: ProcessIdentity(uid: 1000, gid: 1000, pid: 42)),
      request: PresentationRequest(kind: .alert, title: "Deploy \(number)?"), at: now, number: number, key: nil)
    let place = PresentationPlace(lane: 3, rank: number)
    return Event(
      at: now, presentation: ids.next(at: now),
      .requested(Event.Requested(asked: asked, attached: true, place: place, level: 0, hasCallback: false)))
  }

  @Test func `derives the same from the events after any read error`() throws {
    let directory = "/simulated/\(UInt64.random(in: 0...UInt64.max))"
    SimulatedVFS.add(directory, on: disk)
    defer { SimulatedVFS.remove(directory) }
    let path = directory + "/log.db"
    let first = requested(1)
    let snoozed = try #require(first.presentation)
    do {
      var writer = try AuditWriter(path: path, durability: .full)
      let until = now.advanced(by: .seconds(60))
      let deferred = Event(at: now, presentation: snoozed, .deferred(Event.Deferred(until: until, by: nil)))
      try writer.commit([first, deferred] + (2...60).map(requested))
      try writer.project()
    }
    var count = 0
    for number in 0..<60 {
      // Its cache is empty.
      var writer = try AuditWriter(path: path, durability: .full)
      disk.fault = SimulatedDisk.Fault(operations: [.read], after: number, count: 1)
      if let presentation = try? writer.presentation(snoozed) { #expect(presentation.snoozedUntil != nil, "read \(number)") }
      disk.fault = nil
      try writer.commit([requested(61 + number)])
      // SQLite reads the changed pages again after a failed write.
      disk.fault = SimulatedDisk.Fault(operations: [.write], after: 0, count: 1)
      #expect(throws: SQLiteError.self) { try writer.project() }
      disk.fault = SimulatedDisk.Fault(operations: [.read], after: number, count: 1)
      if (try? writer.project()) == nil { count += 1 }
      disk.fault = nil
      try writer.project()
      #expect(try writer.presentation(snoozed)?.snoozedUntil != nil)
      #expect(throws: Never.self, "read \(number)") {
        try writer.connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
      }
    }
    #expect(count > 5, "the reads that failed")
  }

  @Test func `reads no snapshot of a log that this process writes, after any read error`() async throws {
    let directory = try TemporaryDirectory()
    // A reader looks for the file itself.
    let path = try directory.write("", to: "log.db")
    SimulatedVFS.add(directory.path, on: disk)
    defer { SimulatedVFS.remove(directory.path) }
    let log = try AuditLog(path: path)
    var failures = 0
    for number in 1...40 {
      disk.fault = SimulatedDisk.Fault(operations: [.read], after: number, count: 1)
      let reader = try? AuditReader(log)
      disk.fault = nil
      try await log.append([requested(number)])
      if let reader { #expect(try await reader.lastSeq() == Int64(number), "read \(number)") } else { failures += 1 }
    }
    #expect(failures > 0, "the reads that failed")
    await log.close()
  }
}
