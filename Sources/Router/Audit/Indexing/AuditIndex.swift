/// What a transaction adds to the tables that the log is queried by: texts and their words, counts, steps of the clock.
///
/// It is gathered while the transaction's events are written, and written with them before the commit: words go into FTS5
/// in the order of their numbers, which else would write out what it has gathered at each step back.
struct AuditIndex {
  private struct Ended {
    let number: Int64
    let text: SearchableText
  }

  private var ended: [Ended] = []
  private var stats: [AuditStatsKey: AuditStatsTally] = [:]

  init() {}

  /// Takes in a presentation that has ended now.
  mutating func add(_ presentation: Presentation, number: Int64) {
    ended.append(Ended(number: number, text: SearchableText(presentation)))
    guard let key = AuditStatsKey(presentation), let resolvedAt = presentation.resolvedAt else { return }
    stats[key, default: AuditStatsTally()].add(
      requestedAt: presentation.requestedAt, presentedAt: presentation.presentedAt, resolvedAt: resolvedAt)
  }

  /// Writes what was gathered.
  mutating func write(to connection: SQLiteConnection) throws {
    ended.sort { $0.number < $1.number }
    for ended in ended {
      let values = [SQLiteValue.integer(ended.number)] + ended.text.values
      try connection.run("INSERT INTO texts (number, title, message, sheet, answer) VALUES (?, ?, ?, ?, ?)", values)
      try connection.run("INSERT INTO words (rowid, title, message, sheet, answer) VALUES (?, ?, ?, ?, ?)", values)
    }
    var totals: [AuditStatsKey: AuditStatsTally] = [:]
    for (key, tally) in stats {
      try Self.add(tally, to: key, connection)
      totals[key.ofAllApps, default: AuditStatsTally()].add(tally)
    }
    for (key, tally) in totals { try Self.add(tally, to: key, connection) }
    self = AuditIndex()
  }

  /// Adds to what is counted already; a row that then counts none goes.
  private static func add(_ tally: AuditStatsTally, to key: AuditStatsKey, _ connection: SQLiteConnection) throws {
    var sum = tally
    let before = try connection.rows(
      "SELECT number, waited, shown FROM \(key.table) WHERE \(key.condition)", key.values
    ) { row in
      var tally = AuditStatsTally()
      try tally.add(row, from: 0)
      return tally
    }
    guard let before = before.first else {
      let places = key.values.map { _ in "?, " }.joined()
      return try connection.run(
        "INSERT INTO \(key.table) (\(key.columns), number, waited, shown) VALUES (\(places)?, ?, ?)", key.values + sum.values)
    }
    sum.add(before)
    if sum.number == 0 {
      try connection.run("DELETE FROM \(key.table) WHERE \(key.condition)", key.values)
    } else {
      try connection.run(
        "UPDATE \(key.table) SET number = ?, waited = ?, shown = ? WHERE \(key.condition)", sum.values + key.values)
    }
  }

  /// Takes a presentation that is pruned out again.
  ///
  /// - Returns: Whether it was there.
  static func remove(number: Int64, from connection: SQLiteConnection) throws -> Bool {
    let found = try connection.rows(
      """
      SELECT app, outcome, requested_at, presented_at, resolved_at, texts.title, texts.message, texts.sheet, texts.answer
      FROM presentations JOIN texts USING (number) WHERE number = ?
      """, [.integer(number)]
    ) { row in
      (try Row(row, from: 0), [.integer(number)] + (5..<9).map { SQLiteValue.optional(row.text($0)) })
    }
    guard let (row, texts) = found.first else { return false }
    // FTS5 takes the words out again that it is told; it has none of the texts itself.
    try connection.run(
      "INSERT INTO words (words, rowid, title, message, sheet, answer) VALUES ('delete', ?, ?, ?, ?, ?)", texts)
    try connection.run("DELETE FROM texts WHERE number = ?", .integer(number))
    var tally = AuditStatsTally()
    tally.add(requestedAt: row.requestedAt, presentedAt: row.presentedAt, resolvedAt: row.resolvedAt, times: -1)
    for key in [row.key, row.key.ofAllApps] { try add(tally, to: key, connection) }
    return true
  }

  /// Fills the tables from what is on record: for a database of an earlier version.
  static func fill(_ connection: SQLiteConnection) throws {
    var stats: [AuditStatsKey: AuditStatsTally] = [:]
    try connection.forEachRow(
      """
      SELECT app, outcome, requested_at, presented_at, resolved_at, number, title, message, sheet, result
      FROM presentations WHERE state = 'resolved' ORDER BY number
      """
    ) { row in
      let counted = try Row(row, from: 0)
      stats[counted.key, default: AuditStatsTally()].add(
        requestedAt: counted.requestedAt, presentedAt: counted.presentedAt, resolvedAt: counted.resolvedAt)
      let text = try SearchableText(row: row, from: 6)
      try connection.run(
        "INSERT INTO texts (number, title, message, sheet, answer) VALUES (?, ?, ?, ?, ?)",
        [.integer(row.integer(5))] + text.values)
      return true
    }
    try connection.execute("INSERT INTO words (words) VALUES ('rebuild')")
    for (key, tally) in stats { try add(tally, to: key, connection) }
    for series in [ClockSteps.Series.events, .presentations] {
      var detector = ClockSteps.Detector()
      try connection.forEachRow("SELECT \(series.number), \(series.time) FROM \(series.rawValue) ORDER BY 1") { row in
        guard let at = row.text(1).flatMap({ Timestamp($0) }), detector.isStep(to: at) else { return true }
        try ClockSteps.record(row.integer(0), of: series, connection)
        return true
      }
    }
  }

  /// Fills `totals` from `stats`.
  static func fillTotals(_ connection: SQLiteConnection) throws {
    var totals: [AuditStatsKey: AuditStatsTally] = [:]
    try connection.forEachRow("SELECT hour, outcome, number, waited, shown FROM stats") { row in
      guard let outcome = row.text(1).flatMap(PresentationOutcome.Name.init) else {
        throw JSONError("an outcome cannot be read")
      }
      try totals[AuditStatsKey(hour: row.integer(0), outcome: outcome, app: nil), default: AuditStatsTally()].add(row, from: 2)
      return true
    }
    for (key, tally) in totals { try add(tally, to: key, connection) }
  }

  /// The columns of `presentations` that are counted by.
  struct Row {
    let key: AuditStatsKey
    let requestedAt: Timestamp
    let presentedAt: Timestamp?
    let resolvedAt: Timestamp

    /// Reads the app, the outcome, and the three times.
    init(_ row: SQLiteStatement, from first: Int32) throws {
      guard let outcome = row.text(first + 1).flatMap(PresentationOutcome.Name.init),
        let requestedAt = row.text(first + 2).flatMap(Timestamp.init),
        let resolvedAt = row.text(first + 4).flatMap(Timestamp.init)
      else { throw JSONError("a presentation's outcome or time cannot be read") }
      key = AuditStatsKey(hour: requestedAt.hour, outcome: outcome, app: row.text(first) ?? "")
      self.requestedAt = requestedAt
      self.resolvedAt = resolvedAt
      presentedAt = row.text(first + 3).flatMap(Timestamp.init)
    }
  }
}

extension SearchableText {
  /// Reads the title, the message, the sheet's name, and the outcome as JSON.
  init(row: SQLiteStatement, from first: Int32) throws {
    let outcome = try row.text(first + 3).map { text in
      try PresentationOutcome(json: JSONValue(parsing: text, maximumDepth: JSONValue.maximumWrappedDepth))
    }
    self.init(title: row.text(first), message: row.text(first + 1), sheet: row.text(first + 2), outcome: outcome)
  }
}
