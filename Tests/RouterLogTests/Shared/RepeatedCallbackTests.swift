import TestSupport
import Testing

@testable import Router
@testable import RouterCore
@testable import RouterLog

/// A record of an earlier version, whose leader recorded the results of a callback after the last one.
/// Promise P33.
@Suite(.timeLimit(.minutes(10)))
struct RepeatedCallbackTests {
  private let samples = AuditSamples()
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let delivered = Event.Detail.callbackDelivered(Event.CallbackDelivered(attempts: 1))
  private static let failed = Event.Detail.callbackFailed(Event.CallbackFailed(error: "no", attempts: 2))
  private static let retry = Event.Detail.callbackFailed(Event.CallbackFailed(error: "no", attempts: 2, nextIn: .seconds(2)))

  /// The events of a presentation, with what follows the last result of its callback.
  private func events(_ first: Event.Detail, then rest: [Event.Detail]) -> [Event] {
    let sample = samples.presentation(1)
    var events = [
      samples.started(), samples.requested(sample, hasCallback: true), samples.presented(sample),
      samples.resolved(sample, .dismissed), samples.entry(sample, at: samples.start.advanced(by: .seconds(5)), first),
    ]
    let other = samples.presentation(10)
    events += [samples.requested(other), samples.presented(other), samples.resolved(other, .dismissed)]
    for (number, detail) in rest.enumerated() {
      events.append(samples.entry(sample, at: samples.start.advanced(by: .seconds(20 + number)), detail))
    }
    return events
  }

  @Test(arguments: [
    (delivered, [delivered]), (delivered, [failed, retry, delivered]), (failed, [delivered]), (failed, [retry]),
  ])
  func `verifies, and can be copied, indexed, pruned and continued`(first: Event.Detail, rest: [Event.Detail]) async throws {
    let path = directory.file("log.db")
    var log = try AuditLog(path: path)
    let events = events(first, then: rest)
    try await log.append(events)
    let id = try #require(events[1].presentation)
    let state = try await AuditReader(log).presentation(id)?.callback?.state
    #expect(state == (first == Self.delivered ? .delivered : .failed))
    #expect(try await AuditReader(log).verify().faults == [])
    try await log.reindex()
    #expect(try await AuditReader(log).verify().faults == [])
    let records = try await AuditReader(log).read { connection in
      try connection.rows("SELECT \(AuditRecord.columns) FROM events ORDER BY seq", [], AuditRecord.init(row:))
    }
    for size in 1...records.count {
      let copy = try AuditLog.inMemory()
      for start in stride(from: 0, to: records.count, by: size) { _ = try copy.copy(Array(records[start...].prefix(size))) }
      #expect(copy.head == log.head)
      #expect(try await AuditReader(copy).verify().faults == [])
    }

    await log.close()
    log = try AuditLog(path: path)
    #expect(try await AuditReader(log).pendingCallbacks() == [])
    // Between the results, and after them.
    for second in [8, 60] {
      let boundary = samples.start.advanced(by: .seconds(second))
      _ = try await log.prune(before: boundary, at: samples.start.advanced(by: .seconds(100)), keeping: nil)
      #expect(try await AuditReader(log).verify().faults == [])
      try await log.sweep()
      #expect(try await AuditReader(log).verify().faults == [])
    }
    await log.close()
  }

  @Test func `finds a result of a callback that nobody asked for`() async throws {
    let (asked, plain) = (samples.presentation(1), samples.presentation(2))
    let forged = [
      Event(at: samples.start, presentation: plain.id, Self.delivered),
      Event(at: samples.start, presentation: asked.id, Self.delivered),
      Event(at: samples.start, presentation: PresentationID(number: 9), Self.delivered),
    ]
    for event in forged {
      let log = try AuditLog.inMemory()
      try await log.append([
        samples.requested(asked, hasCallback: true), samples.requested(plain), samples.resolved(plain, .dismissed), event,
      ])
      #expect(try await AuditReader(log).verify().faults.first?.seq == 4, "\(event)")
    }
  }
}
