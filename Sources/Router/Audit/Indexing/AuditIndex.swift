/// The tables that the log is queried by: texts and their words, numbers by app, user, surface and outcome, and counts.
///
/// They are written for many presentations together, in a transaction of their own that nobody waits for. Until then a
/// presentation is in the table `fresh`, and queries look at it as it is; Docs/Decisions/log-queries.md says why.
struct AuditIndex {
  /// So many that have ended are worth a transaction.
  static let batch = 256
  /// The presentations `p` that are fresh, as SQL; in their order.
  static let fresh = "fresh CROSS JOIN presentations AS p ON p.number = fresh.number"
  /// So much text is, however few they are.
  private static let batchBytes = 1 << 18

  /// What has ended and is fresh, unless ``isBehind``.
  private var ended: [AuditIndexEntry] = []
  private var bytes = 0
  /// Whether only the table `fresh` knows what has ended: at the start, and after something could not be written.
  private var isBehind = true
  /// How many have ended since the table was last read, where it is to be read.
  private var unread = Self.batch

  /// Begins with what is on record as fresh.
  init(_ connection: SQLiteConnection) throws {
    try load(from: connection)
  }

  /// Whether there are enough to be written.
  var isDue: Bool { isBehind ? unread >= Self.batch : ended.count >= Self.batch || bytes >= Self.batchBytes }
  var isEmpty: Bool { !isBehind && ended.isEmpty }

  /// Takes in what has ended and is on record.
  mutating func add(_ entries: [AuditIndexEntry]) {
    if isBehind {
      unread += entries.count
    } else {
      ended += entries
      bytes += entries.reduce(0) { $0 + $1.text.byteCount }
    }
  }

  /// Writes a batch, in one transaction. What cannot be written is tried again with the next batch.
  mutating func write(to connection: SQLiteConnection) throws {
    if isBehind { try load(from: connection) }
    // In the order of their numbers: FTS5 else writes out what it has gathered at each step back.
    let batch = ended.sorted { $0.number < $1.number }
    (ended, bytes) = ([], 0)
    do {
      try connection.transaction {
        var stats: [AuditStatsKey: AuditStatsTally] = [:]
        for entry in batch {
          try entry.insert(into: connection)
          entry.counted.add(to: &stats)
        }
        try Self.add(stats, connection)
      }
    } catch {
      (isBehind, unread) = (true, 0)
      throw error
    }
  }

  /// Reads a batch of what has ended. A damaged row stays fresh, for whoever reads it to say so.
  private mutating func load(from connection: SQLiteConnection) throws {
    var loaded: [AuditIndexEntry] = []
    try connection.forEachRow(
      """
      SELECT \(AuditIndexEntry.columns) FROM \(Self.fresh)
      WHERE p.state = 'resolved'
      """
    ) { row in
      if let entry = try? AuditIndexEntry(row: row) { loaded.append(entry) }
      return loaded.count < Self.batch
    }
    ended = loaded
    isBehind = loaded.count == Self.batch
    unread = Self.batch
  }

  /// Counts in `stats` and in `totals`.
  private static func add(_ stats: [AuditStatsKey: AuditStatsTally], _ connection: SQLiteConnection) throws {
    var totals: [AuditStatsKey: AuditStatsTally] = [:]
    for (key, tally) in stats {
      try add(tally, to: key, connection)
      totals[key.ofAllApps, default: AuditStatsTally()].add(tally)
    }
    for (key, tally) in totals { try add(tally, to: key, connection) }
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
  static func remove(number: Int64, from connection: SQLiteConnection) throws {
    let isFresh = try connection.integer("SELECT EXISTS (SELECT 1 FROM fresh WHERE number = ?)", [.integer(number)]) == 1
    guard !isFresh else { return try connection.run("DELETE FROM fresh WHERE number = ?", .integer(number)) }
    let found = try connection.rows(
      "SELECT \(AuditIndexEntry.columns) FROM presentations AS p WHERE p.number = ?", [.integer(number)],
      AuditIndexEntry.init(row:))
    guard let entry = found.first else { return }
    try entry.delete(from: connection)
    var tally = AuditStatsTally()
    let counted = entry.counted
    tally.add(
      requestedAt: counted.requestedAt, presentedAt: counted.presentedAt, resolvedAt: counted.resolvedAt, times: -1)
    for key in [counted.key, counted.key.ofAllApps] { try add(tally, to: key, connection) }
  }

  /// Fills the tables of the fourth version from what is on record.
  static func fill(_ connection: SQLiteConnection) throws {
    var stats: [AuditStatsKey: AuditStatsTally] = [:]
    try connection.forEachRow(
      """
      SELECT \(Row.columns), p.number, p.title, p.message, p.sheet, p.result
      FROM presentations AS p WHERE p.state = 'resolved' ORDER BY p.number
      """
    ) { row in
      try Row(row, from: 0).add(to: &stats)
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

    /// - Returns: `nil` for one that is open.
    init?(_ presentation: Presentation) {
      guard let key = AuditStatsKey(presentation), let resolvedAt = presentation.resolvedAt else { return nil }
      (self.key, requestedAt, presentedAt) = (key, presentation.requestedAt, presentation.presentedAt)
      self.resolvedAt = resolvedAt
    }

    /// The columns of `presentations AS p` that ``init(_:from:)`` reads, in its order.
    static let columns = "p.app, p.outcome, p.requested_at, p.presented_at, p.resolved_at"

    /// Reads ``columns``.
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

    func add(to stats: inout [AuditStatsKey: AuditStatsTally]) {
      stats[key, default: AuditStatsTally()].add(requestedAt: requestedAt, presentedAt: presentedAt, resolvedAt: resolvedAt)
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
