import RouterCore

/// Checks the table `hours` itself. The walk checks that each row of the other tables lies in a run of its hour.
extension AuditVerifier {
  /// Finds invalid runs: of another series, with the same hour as the previous run, or without a first row. Only pruning may
  /// remove the first row; the run is then empty or contains only rows of its hour.
  static func hourFaults(_ connection: SQLiteConnection, _ span: Span) throws -> [Fault] {
    let known = AuditHours.Series.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    guard try connection.integer("SELECT count(*) FROM hours WHERE series NOT IN (\(known))") == 0 else {
      return [Fault(what: "the table hours has a series that is not part of Router's schema")]
    }
    let prunedNumber = Int64(span.prunings.last?.detail.lastNumber ?? 0)
    let events = try superfluousRun(.events, in: "events", "seq", pruned: span.first &- 1, connection)
    let presentations = try superfluousRun(.presentations, in: "presentations", "number", pruned: prunedNumber, connection)
    return [events, presentations].compactMap(\.self)
  }

  /// - Parameter pruned: The last number that may have been pruned.
  private static func superfluousRun(
    _ series: AuditHours.Series, in table: String, _ number: String, pruned: Int64, _ connection: SQLiteConnection
  ) throws -> Fault? {
    let first = try connection.rows(
      """
      SELECT first FROM (
        SELECT first, hour, lag(hour) OVER (ORDER BY first) AS before FROM hours WHERE series = ?1) AS run
      WHERE hour IS before OR first < 1
        OR first > ?2 AND NOT EXISTS (SELECT 1 FROM \(table) WHERE \(number) = run.first)
      LIMIT 1
      """, [.text(series.rawValue), .integer(pruned)]
    ) { $0.integer(0) }.first
    return first.map { first in
      Fault(
        seq: series == .events ? first : nil, column: "hours.first", found: String(first),
        what: "the table hours has a run of \(series.rawValue) that no row explains")
    }
  }
}
