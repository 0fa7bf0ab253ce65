import Router
import RouterClient

/// Follows the log through the daemon and across its restarts, by the number of the last event seen.
final class DaemonLogFollower: Sendable {
  private struct State {
    var position: Int64 = 0
    /// Presentations that had already ended at the start and are not reported again.
    var told: Set<PresentationID> = []
  }

  private let source: DaemonLog
  private let query: AuditQuery
  private let state = Mutex(State())

  init(source: DaemonLog, query: AuditQuery) {
    self.source = source
    self.query = query
  }

  /// Records the current position and returns the events up to it, or only the newest ones.
  func events(backlog: Int?) async throws -> [AuditEvent] {
    let position = try await mark()
    var found: [AuditEvent] = []
    try await source.forEachPage(query, newest: backlog, read: source.events) { found += $0 }
    return found.filter { $0.seq <= position }
  }

  /// Records the position after which everything is new, and returns the ended presentations in the order of their requests.
  func presentations(backlog: Int?) async throws -> [Presentation] {
    _ = try await mark()
    var query = query
    if query.outcomes.isEmpty { query.outcomes = PresentationOutcome.Name.allCases }
    var found: [Presentation] = []
    try await source.forEachPage(query, newest: backlog, read: source.presentations) { found += $0 }
    let ids = found.map(\.id)
    state.withLock { $0.told.formUnion(ids) }
    return found
  }

  /// Passes on each new event until the connection to the daemon is lost.
  func follow(_ receive: @Sendable @escaping (AuditEvent) async throws -> Void) async throws {
    let position = state.withLock(\.position)
    do {
      try await source.client.followLog(after: position, query) { event in
        try await receive(event)
        self.state.withLock { $0.position = event.seq }
      }
    } catch let error as RouterError where error.code == .unreachable || error.code == .shuttingDown {
      // Reconnects at the same position.
    }
  }

  /// Returns the presentation that an event ended, if any, unless it was already reported.
  func ended(by event: AuditEvent) async throws -> Presentation? {
    guard let id = event.presentation, PresentationOutcome.Name(rawValue: event.kind.rawValue) != nil,
      event.detail["stays"]?.bool != true, !state.withLock({ $0.told.contains(id) })
    else { return nil }
    var query = AuditQuery()
    query.ids = [id]
    let presentation = try await source.presentations(query).page.first
    guard let presentation, presentation.state == .resolved else { return nil }
    state.withLock { state in _ = state.told.insert(id) }
    return presentation
  }

  private func mark() async throws -> Int64 {
    var newest = AuditQuery()
    newest.limit = 1
    let position = try await source.events(newest).page.first?.seq ?? 0
    state.withLock { $0.position = position }
    return position
  }
}
