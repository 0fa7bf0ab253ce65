extension AuditReader {
  /// Counts presentations by what became of them, with the times that they waited and were shown.
  ///
  /// Over a span of time, and by apps and outcomes, it is read from counts that the log keeps by hour; with other filters each
  /// presentation is looked at.
  ///
  /// - Parameters:
  ///   - query: Which are counted; its order, limit and cursor say nothing here.
  ///   - day: The day that the beginning of an hour is in, as text that sorts; without it, the day in UTC.
  /// - Throws: ``RouterError``, `invalid` for a search that cannot be understood.
  public func statistics(
    _ query: AuditQuery = AuditQuery(), by dimensions: Set<AuditStatistics.Dimension> = Set(AuditStatistics.Dimension.allCases),
    day: @escaping @Sendable (Timestamp) -> String = { String($0.description.prefix(10)) }
  ) async throws -> AuditStatistics {
    try await read { [version] connection in
      try connection.transaction("BEGIN") {
        var counter = StatisticsCounter(by: dimensions, day: day)
        if version >= AuditMigrations.versionWithQueries, let span = query.wholeHours {
          try Self.count(hours: span, of: query, into: &counter, version, connection)
          for edge in query.edges(of: span) { try Self.count(edge, into: &counter, version, connection) }
          if version >= AuditMigrations.versionWithFresh {
            try Self.countFresh(in: span, of: query, into: &counter, connection)
          }
        } else {
          try Self.count(query, into: &counter, version, connection)
        }
        return counter.statistics(open: try Self.openCount(query, version, connection))
      }
    }
  }

  /// Counts by the table `stats`, or by `totals` where no app matters.
  private static func count(
    hours: Range<Int64>, of query: AuditQuery, into counter: inout StatisticsCounter, _ version: Int,
    _ connection: SQLiteConnection
  ) throws {
    guard !hours.isEmpty else { return }
    var terms = [SQLText("hour >= ? AND hour < ?", [.integer(hours.lowerBound), .integer(hours.upperBound)])]
    func add(_ column: String, _ values: [String]) {
      guard !values.isEmpty else { return }
      terms.append(SQLText("\(column) IN (\(values.map { _ in "?" }.joined(separator: ", ")))", values.map(SQLiteValue.text)))
    }
    add("+outcome", query.outcomes.map(\.rawValue))
    add("app", query.apps)
    let isOfAllApps = version >= AuditMigrations.versionWithTotals && query.apps.isEmpty && !counter.dimensions.contains(.app)
    let source = isOfAllApps ? "number, waited, shown, NULL FROM totals" : "number, waited, shown, app FROM stats"
    let sql = SQLText("SELECT hour, outcome, \(source) WHERE ") + SQLText(terms, separator: " AND ")
    try connection.forEachRow(sql.text, sql.values) { row in
      try counter.add(stats: row)
      return true
    }
  }

  /// Counts what has ended and is in no table yet.
  private static func countFresh(
    in hours: Range<Int64>, of query: AuditQuery, into counter: inout StatisticsCounter, _ connection: SQLiteConnection
  ) throws {
    try connection.forEachRow(
      "SELECT \(AuditIndex.Row.columns) FROM \(AuditIndex.fresh) WHERE p.state = 'resolved'"
    ) { row in
      let row = try AuditIndex.Row(row, from: 0)
      let isMeant =
        hours.contains(row.key.hour) && (query.apps.isEmpty || query.apps.contains(row.key.app ?? ""))
        && (query.outcomes.isEmpty || query.outcomes.contains(row.key.outcome))
      if isMeant { counter.add(row) }
      return true
    }
  }

  /// Counts presentation after presentation.
  private static func count(
    _ query: AuditQuery, into counter: inout StatisticsCounter, _ version: Int, _ connection: SQLiteConnection
  ) throws {
    var query = query
    query.limit = .max - 1
    guard let numbers = try AuditPlan(query, connection, version: version).numbers else { return }
    let sql =
      SQLText("SELECT \(AuditIndex.Row.columns) FROM presentations AS p WHERE p.state = 'resolved' AND p.number IN (")
      + numbers + ")"
    try connection.forEachRow(sql.text, sql.values) { row in
      counter.add(try AuditIndex.Row(row, from: 0))
      return true
    }
  }

  private static func openCount(_ query: AuditQuery, _ version: Int, _ connection: SQLiteConnection) throws -> Int {
    let plan = try AuditPlan(query, connection, version: version)
    let terms = [SQLText("p.state <> 'resolved'")] + plan.filters(drivenBy: nil) + plan.searchFilters
    let hasFresh = version >= AuditMigrations.versionWithFresh
    let source = hasFresh ? AuditIndex.fresh : "presentations AS p"
    return Int(try connection.integer(SQLText("SELECT count(*) FROM \(source) WHERE ") + SQLText(terms, separator: " AND ")))
  }
}

extension AuditQuery {
  /// The whole hours in which everything counts that is wanted; `nil` where counts by hour, outcome and app do not tell.
  fileprivate var wholeHours: Range<Int64>? {
    guard search == nil, ids.isEmpty, uids.isEmpty, surfaces.isEmpty, kinds.isEmpty, sheets.isEmpty, reasons.isEmpty else {
      return nil
    }
    let first = since.map { $0.advanced(by: .milliseconds(3_599_999)).hour } ?? Int64(Int32.min)
    let end = until?.hour ?? Int64(Int32.max)
    return first..<max(first, end)
  }

  /// What is wanted before and after whole hours.
  fileprivate func edges(of hours: Range<Int64>) -> [AuditQuery] {
    let start = Timestamp(milliseconds: hours.lowerBound * 3_600_000)
    let end = Timestamp(milliseconds: hours.upperBound * 3_600_000)
    var (before, after) = (self, self)
    // Within one hour, or over the end of one, there is no whole hour: all of it is before.
    before.until = hours.isEmpty ? until : start
    after.since = end
    return [
      since.map { $0 < start || hours.isEmpty } == true ? before : nil,
      until.map { $0 > end && !hours.isEmpty } == true ? after : nil,
    ]
    .compactMap(\.self)
  }
}
