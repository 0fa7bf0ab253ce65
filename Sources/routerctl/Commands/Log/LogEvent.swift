import Router

/// An event to print, with its request if the event has an answer.
struct LogEvent: Sendable {
  let event: AuditEvent
  /// The request, for the answer's label; `nil` if it is not needed, or was pruned.
  var request: PresentationRequest?
}

extension LogSource {
  /// Returns a page of events.
  ///
  /// - Parameter hasRequests: Whether to look up the requests, which JSON and CSV do not show.
  func events(_ query: AuditQuery, hasRequests: Bool) async throws -> (page: [LogEvent], next: Int64?) {
    let (page, next) = try await eventPage(query)
    return (try await told(page, hasRequests: hasRequests), next)
  }

  func told(_ page: [AuditEvent], hasRequests: Bool) async throws -> [LogEvent] {
    guard hasRequests else { return page.map { LogEvent(event: $0) } }
    let answered = Set(page.lazy.filter(\.hasAnswer).compactMap(\.presentation))
    let asked = page.filter { $0.kind == .requested && $0.presentation.map(answered.contains) == true }
    var requests = Dictionary(asked.map { ($0.presentation, $0.request) }, uniquingKeysWith: { first, _ in first })
    let missing = answered.filter { requests[$0] == nil }.sorted { $0.description < $1.description }
    for (id, presentation) in try await presentations(missing) { requests[id] = presentation.request }
    return page.map { event in
      LogEvent(event: event, request: event.hasAnswer ? requests[event.presentation] ?? nil : nil)
    }
  }
}

extension AuditEvent {
  fileprivate var hasAnswer: Bool { detail["outcome"]?["button"] != nil || detail["outcome"]?["value"] != nil }
}
