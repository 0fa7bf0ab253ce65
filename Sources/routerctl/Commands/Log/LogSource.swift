import Router

/// Where the log is read: the database, or the daemon where the database is not the caller's to read.
protocol LogSource: Sendable {
  /// Whether a query can begin with the oldest.
  var canBeginWithOldest: Bool { get }
  func presentations(_ query: AuditQuery) async throws -> (page: [Presentation], next: Int64?)
  /// As ``presentations(_:)``, where only what a table shows is needed.
  func listing(_ query: AuditQuery) async throws -> (page: [Presentation], next: Int64?)
  func events(_ query: AuditQuery) async throws -> (page: [AuditEvent], next: Int64?)
  /// Counts; a day is one of the reader's zone where the source can tell, else one in UTC.
  func statistics(
    _ query: AuditQuery, by dimensions: Set<AuditStatistics.Dimension>, day: @escaping @Sendable (Timestamp) -> String
  ) async throws -> AuditStatistics
  /// A presentation's events, the oldest first; none if it is not on record.
  func events(of id: PresentationID) async throws -> [AuditEvent]
  /// Up to `limit` ids that begin or end with a text.
  func ids(beginningOrEndingWith text: String, limit: Int) async throws -> [PresentationID]
}

extension AuditReader: LogSource {
  var canBeginWithOldest: Bool { true }
}

extension LogSource {
  /// Gives the presentations that match in the order of asking, in pages.
  ///
  /// - Parameters:
  ///   - newest: How many of the newest; all where it is left out.
  ///   - isTable: Whether only what a table shows is needed.
  func forEachPage(
    _ query: AuditQuery, newest: Int?, isTable: Bool = false, body: ([Presentation]) throws -> Void
  ) async throws {
    let page = { (source: Self) in
      { (query: AuditQuery) in try await isTable ? source.listing(query) : source.presentations(query) }
    }
    try await forEachPage(query, newest: newest, page: page, body: body)
  }

  /// Gives the events that match in their order, in pages.
  func forEachEventPage(_ query: AuditQuery, newest: Int?, body: ([AuditEvent]) throws -> Void) async throws {
    try await forEachPage(query, newest: newest, page: { source in { try await source.events($0) } }, body: body)
  }

  /// Gives what a query finds with the oldest first, in pages.
  ///
  /// - Parameters:
  ///   - newest: How many of the newest; all where it is left out.
  ///   - page: How a page is read.
  func forEachPage<Element>(
    _ query: AuditQuery, newest: Int?,
    page: (Self) -> (AuditQuery) async throws -> (page: [Element], next: Int64?), body: ([Element]) throws -> Void
  ) async throws {
    var query = query
    query.order = newest == nil && canBeginWithOldest ? .oldestFirst : .newestFirst
    var (pages, count) = ([[Element]](), 0)
    repeat {
      query.limit = min(1000, newest.map { $0 - count } ?? 1000)
      guard query.limit > 0 else { break }
      let found = try await page(self)(query)
      query.cursor = found.next
      if query.order == .oldestFirst {
        try body(found.page)
      } else {
        pages.append(found.page)
        count += found.page.count
      }
    } while query.cursor != nil
    for page in pages.reversed() { try body(page.reversed()) }
  }
}
