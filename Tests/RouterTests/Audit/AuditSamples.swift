@testable import Router

/// Writes presentations as a coordinator does, with the time and the ids that a test wants.
struct AuditSamples {
  let ids = PresentationIDGenerator()
  let process = ProcessIdentity(uid: 1000, gid: 1000, pid: 42, executable: "/usr/bin/tests")
  /// The time of the first; each next one is a second later.
  let start = Timestamp("2026-11-21T07:00:00.000Z")!

  /// A presentation that has been asked for.
  func presentation(
    _ number: Int = 0, _ request: PresentationRequest = PresentationRequest(kind: .alert, title: "?"), app: String = "tests",
    uid: UInt32 = 1000
  ) -> Presentation {
    let at = start.advanced(by: .seconds(number))
    var process = process
    process.uid = uid
    return Presentation(
      id: ids.next(at: at), requester: Requester(app: app, process: process), request: request, requestedAt: at)
  }

  func requested(_ presentation: Presentation, lane: Int = 3, rank: Int = 0) -> AuditEntry {
    entry(.requested, presentation, lane: lane, rank: rank)
  }

  func presented(_ presentation: Presentation, level: Int = 0, after seconds: Int = 1) -> AuditEntry {
    var presentation = presentation
    presentation.state = .presented
    presentation.generation += 1
    presentation.presentedAt = presentation.requestedAt.advanced(by: .seconds(seconds))
    return entry(.presented, presentation, level: level)
  }

  func resolved(_ presentation: Presentation, _ outcome: PresentationOutcome, after seconds: Int = 2) -> AuditEntry {
    var presentation = presentation
    presentation.state = .resolved
    presentation.outcome = outcome
    presentation.resolvedAt = presentation.requestedAt.advanced(by: .seconds(seconds))
    return entry(AuditEvent.Kind(rawValue: outcome.name.rawValue)!, presentation)
  }

  func entry(
    _ kind: AuditEvent.Kind, _ presentation: Presentation, lane: Int = 3, rank: Int = 0, level: Int = 0
  ) -> AuditEntry {
    let detail: JSONValue =
      if kind == .requested {
        ["requester": presentation.requester.json, "request": presentation.request.json, "attached": true]
      } else if let outcome = presentation.outcome {
        ["outcome": outcome.json]
      } else {
        [:]
      }
    return AuditEntry(
      at: presentation.resolvedAt ?? presentation.presentedAt ?? presentation.requestedAt, kind: kind,
      presentation: presentation.id, detail: detail,
      row: AuditRow(presentation: presentation, place: PresentationPlace(lane: lane, rank: rank), level: level))
  }
}
