import RouterCore

/// Derives presentations from recorded events, starting with those carried over by the last pruning.
struct AuditFold {
  let connection: SQLiteConnection
  let pruned: Event.Pruned?
  private let carried: [PresentationID: Presentation]

  init(_ connection: SQLiteConnection) throws {
    self.connection = connection
    pruned = try Self.lastPruned(connection)
    carried = Dictionary((pruned?.carried ?? []).map { ($0.id, $0) }) { _, last in last }
  }

  /// The number of the last pruned event, whether or not it is still in the file; 0 if nothing was pruned.
  var anchor: Int64 { pruned?.anchor.seq ?? 0 }

  /// Folds a presentation's events up to and including `last`; `nil` if the presentation was requested later or was pruned.
  func presentation(_ id: PresentationID, through last: Int64 = .max) throws -> Presentation? {
    var presentation = carried[id]
    try connection.forEachRow(
      "SELECT \(AuditRecord.columns) FROM events WHERE presentation = ? AND seq > ? AND seq <= ? ORDER BY seq",
      [.text(id.description), .integer(anchor), .integer(last)]
    ) { row in
      let event = try AuditRecord(row: row).event()
      if presentation != nil {
        try presentation?.apply(event)
      } else if event.kind == .requested {
        presentation = try Presentation(event)
      }
      return true
    }
    return presentation
  }

  /// Returns the rules and pauses in force after an event, and the grants that were neither revoked nor replaced by then, in
  /// the order in which they were given. Some grants may have expired.
  func standing(through last: Int64 = .max) throws -> Standing {
    var standing = Standing(
      pruned?.grants ?? [], rules: pruned?.rules, pauses: pruned?.pauses ?? [], at: .zero)
    // Matches the condition of the index `events_standing`, so that SQLite uses it.
    try connection.forEachRow(
      """
      SELECT \(AuditRecord.columns) FROM events WHERE \(AuditSchema.isStanding) AND seq > ? AND seq <= ? ORDER BY seq
      """, [.integer(anchor), .integer(last)]
    ) { row in
      standing.apply(try AuditRecord(row: row).event(), at: nil)
      return true
    }
    return standing
  }

  static func lastPruned(_ connection: SQLiteConnection) throws -> Event.Pruned? {
    // Matches the expression of the index `events_pruned`, so that SQLite uses it.
    let events = try connection.rows(
      """
      SELECT \(AuditRecord.columns) FROM events
      WHERE type = 'pruned' ORDER BY \(AuditSchema.prunedThrough) DESC LIMIT 1
      """, [], AuditRecord.init(row:))
    guard case .pruned(let pruned)? = try events.first?.event().detail else { return nil }
    return pruned
  }

  /// The highest request number so far, including pruned requests.
  static func lastNumber(_ connection: SQLiteConnection) throws -> Int {
    let inRows = try connection.rows("SELECT coalesce(max(number), 0) FROM presentations") { try $0.checked(0, "number") }
    let later = try connection.rows(
      "SELECT \(AuditRecord.columns) FROM events WHERE seq > ? AND type = 'requested' ORDER BY seq DESC LIMIT 1",
      [.integer(try AuditProjector.cursor(connection))]
    ) { row in
      guard case .requested(let asked) = try AuditRecord(row: row).event().detail else { return 0 }
      return asked.number
    }
    return max(inRows.first ?? 0, later.first ?? 0, try lastPruned(connection)?.lastNumber ?? 0)
  }
}
