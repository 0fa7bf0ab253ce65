package import RouterCore

extension AuditReader {
  /// Counts presentations by outcome, and measures their waiting and shown times. Reads every presentation if there are filters
  /// other than times, or if it groups by app within times; otherwise it reads the table `counts`.
  ///
  /// - Parameters:
  ///   - query: The filters. Its order, limit and cursor are ignored.
  ///   - day: Maps the start of an hour to its day, as sortable text (default: in UTC).
  /// - Throws: ``RouterError`` with the code `invalid` for an invalid search.
  package func statistics(
    _ query: AuditQuery = AuditQuery(), by dimensions: Set<AuditStatistics.Dimension> = Set(AuditStatistics.Dimension.allCases),
    day: @escaping @Sendable (Timestamp) -> String = { String($0.description.prefix(10)) }
  ) async throws -> AuditStatistics {
    try await read { connection in
      try connection.transaction("BEGIN") {
        var counter = StatisticsCounter(by: dimensions, day: day)
        let isByApp = dimensions.contains(.app)
        if query.filtersPresentations || (query.hasTimes && isByApp) {
          try Self.count(query, into: &counter, connection)
        } else {
          let hours = query.wholeHours
          if dimensions != [.app] { try Self.count("app = ''", hours, into: &counter, connection) }
          if isByApp { try Self.count("app <> ''", 0..<1, into: &counter, connection) }
          for edge in query.edges(of: hours) { try Self.count(edge, into: &counter, connection) }
        }
        return counter.statistics(open: try Self.openCount(query, connection))
      }
    }
  }

  /// Adds the rows of `counts` for one app or all, within a range of hours.
  private static func count(
    _ apps: String, _ periods: Range<Int64>, into counter: inout StatisticsCounter, _ connection: SQLiteConnection
  ) throws {
    guard !periods.isEmpty else { return }
    try connection.forEachRow(
      "SELECT app, period, outcome, measure, bucket, n FROM counts WHERE \(apps) AND period >= ? AND period < ?",
      [.integer(periods.lowerBound), .integer(periods.upperBound)]
    ) { row in
      try counter.add(row)
      return true
    }
  }

  private static func count(
    _ query: AuditQuery, into counter: inout StatisticsCounter, _ connection: SQLiteConnection
  ) throws {
    var query = query
    query.limit = .max - 1
    guard let numbers = try AuditPlan(query, connection).numbers else { return }
    let sql =
      SQLText("SELECT \(AuditCounts.Ended.columns) FROM presentations AS p WHERE p.state = 'resolved' AND p.number IN (")
      + numbers + ")"
    try connection.forEachRow(sql.text, sql.values) { row in
      counter.add(try AuditCounts.Ended(row: row, from: 0))
      return true
    }
  }

  private static func openCount(_ query: AuditQuery, _ connection: SQLiteConnection) throws -> Int {
    let terms = [SQLText("p.state <> 'resolved'")] + (try AuditPlan(query, connection).conditions)
    return Int(
      try connection.integer(
        SQLText("SELECT count(*) FROM presentations AS p INDEXED BY presentations_open WHERE ") + SQLText(conjunction: terms)))
  }
}

extension AuditQuery {
  fileprivate var hasTimes: Bool { since != nil || until != nil }

  fileprivate var wholeHours: Range<Int64> {
    let first = since.map { $0.advanced(by: .milliseconds(3_599_999)).hour } ?? Int64(Int32.min)
    let end = until?.hour ?? Int64(Int32.max)
    return first..<max(first, end)
  }

  /// Returns the parts of the query before and after the whole hours.
  fileprivate func edges(of hours: Range<Int64>) -> [AuditQuery] {
    let (start, end) = (Timestamp(hour: hours.lowerBound), Timestamp(hour: hours.upperBound))
    var (before, after) = (self, self)
    // Without a whole hour, `before` covers everything.
    before.until = hours.isEmpty ? until : start
    after.since = end
    return [
      since.map { $0 < start || hours.isEmpty } == true ? before : nil,
      until.map { $0 > end && !hours.isEmpty } == true ? after : nil,
    ]
    .compactMap(\.self)
  }
}
