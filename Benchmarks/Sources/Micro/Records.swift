import Router

/// The log in memory, so that no disk is measured; AppendCost has one.
enum Records {
  static func subjects() async throws -> [Micro.Subject] {
    let ids = PresentationIDGenerator()
    let log = try AuditLog.inMemory()
    func asked() -> AuditEntry {
      let presentation = Sample.presentation(ids.next(at: PresentationClock.system.wall()))
      let json = presentation.json
      return AuditEntry(
        at: presentation.requestedAt, kind: .requested, presentation: presentation.id,
        detail: ["requester": json["requester"] ?? .null, "request": json["request"] ?? .null, "attached": true],
        row: AuditRow(presentation: presentation, place: PresentationPlace(lane: 3, rank: 0), level: 0))
    }
    // What the queries look through does not grow with the rounds.
    let filled = try AuditLog.inMemory()
    for _ in 0..<100 { try await filled.append((0..<100).map { _ in asked() }) }
    let reader = try AuditReader(filled)
    let written = try AuditReader(log)
    return [
      Micro.Subject(name: "a request recorded, 64 in a commit", count: 640) { count in
        for _ in 0..<count / 64 {
          try await log.append((0..<64).map { _ in asked() })
          // A log in memory writes before it is read, and not at once.
          blackHole(try await written.lastSeq())
        }
      },
      Micro.Subject(name: "the newest hundred of 10,000 read", count: 20) { count in
        for _ in 0..<count { blackHole(try await reader.presentations(AuditQuery())) }
      },
    ]
  }
}
