import Foundation
import TestSupport
import Testing

@testable import Router
@testable import RouterCore
@testable import RouterLog

/// Logs of versions that recorded the act of a remembered answer instead of its digest.
/// Promise P55.
@Suite(.timeLimit(.minutes(10)))
struct EarlierGrantTests {
  private let directory: TemporaryDirectory
  private let path: String
  private let samples = AuditSamples()

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("routerd.db")
  }

  private func grant(_ number: Int, of presentation: Presentation, act: Act) throws -> Grant {
    try Grant(
      json: [
        "grant": .string(samples.ids.next(at: presentation.requestedAt).description), "surface": "main", "button": "yes",
        "label": "Yes", "act": act.json, "match": "exact", "uid": .integer(number), "app": "tests", "anchor": "bash",
        "session": ["pid": 7, "started": 70, "boot": "b"], "grantedAt": .string(presentation.requestedAt.description),
        "presentation": .string(presentation.id.description), "by": Presentation.Responder.user(1000).json,
      ])
  }

  @Test func `opens, verifies, prunes and continues`() async throws {
    var (grants, acts) = ([Grant](), [Act]())
    let log = try AuditLog(path: path)
    for number in 0..<3 {
      let presentation = samples.presentation(number)
      let act = Act("run", object: "\(number) cafe\u{301}", environment: ["B": "1", "A": "2"])
      let grant = try grant(number, of: presentation, act: act)
      try await log.append([
        samples.requested(presentation, rank: number), samples.presented(presentation),
        samples.entry(presentation, at: presentation.requestedAt, .granted(grant)),
        samples.resolved(presentation, .answered(.button("yes"))),
      ])
      grants.append(grant)
      acts.append(act)
    }
    await log.close()
    try TamperedLog.change(path) { connection in
      for (grant, act) in zip(grants, acts) {
        var json = try #require(JSONText(grant).value.object)
        (json["verb"], json["sha256"], json["coverage"]) = (nil, nil, nil)
        json["act"] = act.json
        // The first member of the detail stays the first.
        try connection.run(
          "UPDATE events SET detail = ? WHERE type = 'granted' AND instr(detail, ?) > 0",
          .text(JSONText(.object(json)).description),
          .text(grant.id.description))
      }
      try TamperedLog.rehash(connection)
      try connection.execute("DROP INDEX events_of_grant")
    }

    let now = samples.start.advanced(by: .seconds(200_000))
    let next = try AuditLog(path: path)
    let reader = try AuditReader(next)
    #expect(try await reader.standing().grants() == grants)
    let faults = try await reader.verify().faults
    #expect(faults == [], "\(faults)")
    for grant in grants { #expect(try await reader.grantRecord(grant.id, inForce: nil, at: now)?.grant == grant) }
    #expect(try await reader.grantRecord(grants[0].presentation, inForce: nil, at: now) == nil)
    try await next.append([
      Event(at: samples.start.advanced(by: .seconds(60)), .revoked(Event.Revoked(grant: grants[1].id, by: samples.resolver)))
    ])
    let left = [grants[0], grants[2]]
    #expect(try await reader.standing().grants() == left)
    let ended = try await reader.grantRecords(inForce: left, includesEnded: true, at: now).filter { $0.end != nil }
    #expect(ended.map(\.grant) == [grants[1]] && ended.map(\.end) == [.revoked])
    try await next.append([samples.stopped(at: now)])
    #expect(try await next.prune(before: now, at: now, keeping: nil).events > 0)
    try await next.sweep()
    #expect(try await reader.standing().grants() == left)
    #expect(try await reader.grantRecord(grants[2].id, inForce: nil, at: now)?.grant == grants[2])
    #expect(try await reader.grantRecord(grants[1].id, inForce: nil, at: now) == nil)
    #expect(try await reader.verify().faults == [])
    await next.close()
  }

  @Test func `a replaced answer does not come back after a restart`() async throws {
    let presentation = samples.presentation(1)
    let first = try grant(1, of: presentation, act: Act("run", object: "x"))
    var json = try #require(JSONText(first).value.object)
    json["grant"] = .string(PresentationID(number: 2).description)
    json["button"] = "no"
    let second = try Grant(json: .object(json))
    let log = try AuditLog.inMemory()
    let details: [Event.Detail] = [.granted(first), .granted(second), .revoked(Event.Revoked(grant: second.id, by: nil))]
    try await log.append(details.prefix(2).map { Event(at: first.grantedAt, presentation: first.presentation, $0) })
    #expect(try await AuditReader(log).standing().grants() == [second])
    try await log.append([Event(at: first.grantedAt, details[2])])
    #expect(try await AuditReader(log).standing().grants() == [])
  }
}
