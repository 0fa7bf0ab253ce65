public import RouterCore

/// Queries that follow the log from an event number, which is stable across restarts.
extension AuditReader {
  /// The events that match a query, the newest first, like ``presentations(_:)`` for presentations.
  ///
  /// Filters apply to the current state of an event's presentation, and exclude events without one.
  public func events(_ query: AuditQuery = AuditQuery()) -> AsyncThrowingStream<AuditEvent, any Error> {
    query.rows { try await self.eventPage($0) }
  }

  /// Returns a page of events, the newest first, and the cursor of the next page, an event number; `nil` after the last page.
  /// Throws the same errors as ``presentations(_:)``.
  package func eventPage(_ query: AuditQuery) async throws -> (page: [AuditEvent], next: Int64?) {
    let (page, next) = try await chainedEvents(query)
    return (page.map(\.event), next)
  }

  /// Like ``eventPage(_:)``, with the events' hashes.
  package func chainedEvents(_ query: AuditQuery) async throws -> (page: [ChainedEvent], next: Int64?) {
    try await page(query, rows: query.filtersPresentations ? .within(AuditLog.projectionDelay) : .unused) {
      try AuditEventPlan(query, $0).sql
    } row: {
      try ChainedEvent(row: $0)
    }
  }

  /// Passes the events after a number that match a query, in pages, oldest first. Leaves concurrently committed events for the
  /// next call.
  ///
  /// - Returns: The number of the last event, after which the next call continues.
  package func passEvents(
    after seq: Int64, _ query: AuditQuery = AuditQuery(), to body: ([ChainedEvent]) async throws -> Void
  ) async throws -> Int64 {
    let last = try await lastSeq()
    guard last > seq else { return seq }
    var query = query
    (query.cursor, query.through, query.order, query.limit) = (seq, min(last, query.through ?? last), .oldestFirst, 1000)
    repeat {
      let (page, next) = try await chainedEvents(query)
      if !page.isEmpty { try await body(page) }
      query.cursor = next
    } while query.cursor != nil
    return last
  }

  /// Returns a page of ended presentations in the order in which they ended, the last first, and the cursor of the next page,
  /// an event number. Throws the same errors as ``presentations(_:)``.
  package func resolved(_ query: AuditQuery) async throws -> (page: [Presentation], next: Int64?) {
    try await page(query) { connection in
      let endings = PresentationOutcome.Name.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      var terms = try AuditPlan(query, connection).conditions
      if let cursor = query.cursor {
        terms.append(SQLText(query.order == .newestFirst ? "e.seq < ?" : "e.seq > ?", [.integer(cursor)]))
      }
      if let through = query.through { terms.append(SQLText("e.seq <= ?", [.integer(through)])) }
      // A flow can be answered several times before it ends; the last of these events is its end.
      return SQLText(
        """
        SELECT e.seq, \(PresentationRow.readColumns) FROM events AS e JOIN presentations AS p ON p.id = e.presentation
        WHERE e.type IN (\(endings)) AND p.state = 'resolved' AND e.seq = (
          SELECT max(last.seq) FROM events AS last
          WHERE last.presentation = e.presentation AND last.type IN (\(endings))) AND\u{20}
        """) + SQLText(conjunction: terms)
        + SQLText(" ORDER BY e.seq \(query.order.sql) LIMIT ?", [.int(query.limit + 1)])
    } row: {
      try Presentation(row: $0, from: 1)
    }
  }

  /// Returns the ids that begin or end with `text`, in order of request: at most `limit` of each, the oldest matches by
  /// beginning and the newest by end. An id begins with its time and ends with random digits.
  ///
  /// No index covers the ends of ids, so they are read in ranges, newest first, with other queries in between.
  package func ids(beginningOrEndingWith text: String, limit: Int = 10) async throws -> [PresentationID] {
    let part = IDPart(text)
    var found = try await read { try part.idsBeginning($0, limit: limit) }
    var (end, last) = (
      [PresentationID](), try await read { try $0.integer("SELECT coalesce(max(number), 0) FROM presentations") }
    )
    while last > 0, end.count < limit {
      let range = max(1, last - IDPart.rangeLength + 1)...last
      end += try await read { try part.idsEnding($0, in: range) }
      last = range.lowerBound - 1
      try Task.checkCancellation()
    }
    found += end.prefix(limit).filter { !found.contains($0) }
    return Array(found.sorted().prefix(limit))
  }
}
