import RouterCore

/// The table `hours`, which queries use to find times. Checks that each row lies in a run of its hour, since queries would miss
/// it otherwise.
struct HourRuns {
  private let runs: [(first: Int64, hour: [UInt8])]

  init(_ series: AuditHours.Series, _ connection: SQLiteConnection) throws {
    runs = try connection.rows(
      "SELECT first, hour FROM hours WHERE series = ? ORDER BY first", [.text(series.rawValue)]
    ) { row in
      // The timestamp up to the minutes. An out-of-range hour matches no row.
      let hour = row.integer(1)
      let isTime = (-20_000_000...80_000_000).contains(hour)
      return (row.integer(0), isTime ? Array(Timestamp(hour: hour).description.utf8.prefix(14)) : [0])
    }
  }

  /// Whether a row lies in a run of the hour stored in `column`.
  func match(_ number: Int64, _ row: SQLiteStatement, _ column: Int32) -> Bool {
    let next = runs.partitioningIndex { $0.first > number }
    return next > 0 && row.withBytes(column) { $0.starts(with: runs[next - 1].hour) }
  }
}
