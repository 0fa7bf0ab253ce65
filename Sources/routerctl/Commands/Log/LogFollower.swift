import Router

/// Follows a log, and passes on each entry exactly once and in order, across restarts of the daemon and replaced files.
actor LogFollower {
  private var log: any FollowedLog
  private let query: AuditQuery
  /// The number of existing entries to include; `nil` for all.
  private let backlog: Int?
  /// Whether an event is an entry.
  private let isEntry: @Sendable (AuditEvent) -> Bool
  /// The number of the last event seen; `nil` before the first.
  private(set) var position: Int64?

  init(_ log: any FollowedLog, query: AuditQuery, backlog: Int?, isEntry: @escaping @Sendable (AuditEvent) -> Bool) {
    self.log = log
    self.query = query
    self.backlog = backlog
    self.isEntry = isEntry
  }

  /// Passes on the entries added since the last call, in pages, and returns whether the log exists. From the daemon, continues
  /// until the connection is lost.
  func poll(body: @Sendable @escaping (any LogSource, [AuditEvent]) async throws -> Void) async throws -> Bool {
    guard let (source, isNew) = try log.open() else {
      // In a log that appears later, all entries are new.
      position = 0
      return false
    }
    if isNew { position = 0 }
    guard let position else {
      try await passBacklog(of: source) { try await body(source, $0) }
      return true
    }
    let last = try await source.follow(after: position, query) { page in
      try await body(source, page.map(\.event).filter(self.isEntry))
      if let last = page.last { await self.pass(last.event.seq) }
    }
    if let last { self.position = last }
    return last != nil
  }

  private func pass(_ seq: Int64) { position = seq }

  private func passBacklog(
    of source: any LogSource, body: @Sendable @escaping ([AuditEvent]) async throws -> Void
  ) async throws {
    let last = try await source.lastSeq()
    if backlog == 0 { try await body([]) }
    let read: @Sendable (AuditQuery) async throws -> (page: [AuditEvent], next: Int64?) = { [isEntry] query in
      var page = query
      page.limit = 1000
      let found = try await source.eventPage(page)
      return (Array(found.page.filter { $0.seq <= last && isEntry($0) }.prefix(query.limit)), found.next)
    }
    try await source.forEachPage(query, newest: backlog, read: read, body: body)
    position = last
  }
}
