import RouterCore

/// The table `hours`: the first row of each run of rows in the same hour. It maps time ranges to ranges of row numbers,
/// even if the clock was set back.
struct AuditHours {
  enum Series: String, Sendable, CaseIterable {
    case events, presentations
  }

  let series: Series

  /// SQL that adds the runs of all recorded events.
  static let insertEvents = """
    INSERT INTO hours (series, first, hour)
    SELECT 'events', seq, hour FROM (
      SELECT seq, hour, lag(hour) OVER (ORDER BY seq) AS last
      FROM (
        SELECT seq, (second - (second % 3600 + 3600) % 3600) / 3600 AS hour
        FROM (SELECT seq, CAST(strftime('%s', at) AS INTEGER) AS second FROM events)))
    WHERE last IS NULL OR last <> hour
    """

  func last(_ connection: SQLiteConnection) throws -> Int64? {
    try connection.rows(
      "SELECT hour FROM hours WHERE series = ? ORDER BY first DESC LIMIT 1", [.text(series.rawValue)]
    ) { $0.integer(0) }.first
  }

  /// Starts a run at this row, unless it has the same hour as the previous row.
  func add(_ number: Int64, at time: Timestamp, after hour: inout Int64?, to connection: SQLiteConnection) throws {
    guard hour != time.hour else { return }
    hour = time.hour
    try connection.run(
      "INSERT INTO hours (series, first, hour) VALUES (?, ?, ?)", .text(series.rawValue), .integer(number),
      .integer(time.hour))
  }

  /// Returns a range of row numbers that contains all rows from `since` to before `until`, and possibly others; `nil`
  /// if there are none.
  func numbers(since: Timestamp?, until: Timestamp?, _ connection: SQLiteConnection) throws -> ClosedRange<Int64>? {
    guard since != nil || until != nil else { return 0...Int64.max }
    let span = try connection.rows(
      """
      WITH runs AS (SELECT first, lead(first) OVER (ORDER BY first) AS next, hour FROM hours WHERE series = ?)
      SELECT min(first), max(coalesce(next - 1, \(Int64.max))) FROM runs WHERE hour >= ? AND hour <= ?
      """, [.text(series.rawValue), .integer(since?.hour ?? .min), .integer(until?.hour ?? .max)]
    ) { $0.isNull(0) ? nil : max(0, $0.integer(0))...max(0, $0.integer(1)) }
    return span.first ?? nil
  }

  func removeRuns(before number: Int64, from connection: SQLiteConnection) throws {
    try connection.run(
      """
      DELETE FROM hours WHERE series = ?1 AND first < (SELECT max(first) FROM hours WHERE series = ?1 AND first <= ?2)
      """, .text(series.rawValue), .integer(number))
  }
}
