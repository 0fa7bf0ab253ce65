import Router

/// The source of log data: the database, or the daemon if the database is not readable.
protocol LogSource: Sendable {
  var canBeginWithOldest: Bool { get }
  func presentationPage(_ query: AuditQuery) async throws -> (page: [Presentation], next: Int64?)
  func eventPage(_ query: AuditQuery) async throws -> (page: [AuditEvent], next: Int64?)
  /// The number of the newest event; 0 for an empty log.
  func lastSeq() async throws -> Int64
  /// Returns the relation of a head kept outside the log to the log.
  func relation(of head: AuditHead) async throws -> AuditHead.Relation
  /// Passes on the events after a number in pages. Returns the number of the last event; `nil` if the log has disappeared. From
  /// the daemon, continues until the connection is lost, or up to ``AuditQuery/through``.
  func follow(
    after seq: Int64, _ query: AuditQuery, body: @Sendable @escaping ([ChainedEvent]) async throws -> Void
  ) async throws -> Int64?
  /// Counts presentations. Days are in the reader's time zone, or in UTC from the daemon.
  func statistics(
    _ query: AuditQuery, by dimensions: Set<AuditStatistics.Dimension>, day: @escaping @Sendable (Timestamp) -> String
  ) async throws -> AuditStatistics
  /// Returns a presentation's events, oldest first; empty if it is not in the log.
  func events(of id: PresentationID) async throws -> [AuditEvent]
  /// Returns up to `limit` ids that begin or end with a text.
  func ids(beginningOrEndingWith text: String, limit: Int) async throws -> [PresentationID]
}

extension AuditReader: LogSource {
  var canBeginWithOldest: Bool { true }

  func follow(
    after seq: Int64, _ query: AuditQuery, body: @Sendable @escaping ([ChainedEvent]) async throws -> Void
  ) async throws -> Int64? {
    try await passEvents(after: seq, query, to: body)
  }
}

extension LogSource {
  /// Passes the results of a query in pages, oldest first or by `order`; with a limit, only the newest.
  func forEachPage<Element>(
    _ query: AuditQuery, newest: Int?, order: AuditQuery.Order = .oldestFirst,
    read: (AuditQuery) async throws -> (page: [Element], next: Int64?), body: ([Element]) async throws -> Void
  ) async throws {
    var query = query
    query.order = newest == nil && canBeginWithOldest ? order : .newestFirst
    var (pages, count) = ([[Element]](), 0)
    repeat {
      query.limit = min(1000, newest.map { $0 - count } ?? 1000)
      guard query.limit > 0 else { break }
      let found = try await read(query)
      query.cursor = found.next
      count += found.page.count
      if query.order == order { try await body(found.page) } else { pages.append(found.page) }
    } while query.cursor != nil
    for page in pages.reversed() { try await body(page.reversed()) }
  }

  /// Returns the given presentations that match a query.
  func presentations(
    _ ids: [PresentationID], matching query: AuditQuery = AuditQuery()
  ) async throws -> [PresentationID: Presentation] {
    var found: [PresentationID: Presentation] = [:]
    for start in stride(from: 0, to: ids.count, by: 100) {
      var query = query
      query.ids = Array(ids[start..<min(start + 100, ids.count)])
      try await forEachPage(query, newest: nil, read: presentationPage) { page in
        for presentation in page { found[presentation.id] = presentation }
      }
    }
    return found
  }

  /// Returns the presentations ended by the events, in that order.
  func presentations(endedBy events: [AuditEvent], matching query: AuditQuery) async throws -> [Presentation] {
    let ids = events.compactMap(\.presentation)
    let found = try await presentations(ids, matching: query)
    return ids.compactMap { found[$0] }.filter { $0.state == .resolved }
  }
}
