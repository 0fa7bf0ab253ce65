import RouterCore

/// The SQL of a query for events.
struct AuditEventPlan {
  /// The maximum number of presentations whose events are looked up individually; above it, all events are scanned.
  private static let fewPresentations = 2000
  /// The maximum size of a range that is always scanned.
  private static let fewEvents: Int64 = 5000

  /// Selects one event more than the page; `nil` if no event can match.
  let sql: SQLText?

  init(_ query: AuditQuery, _ connection: SQLiteConnection) throws {
    let span = try AuditHours(series: .events).numbers(since: query.since, until: query.until, connection)
    guard let range = span.map(query.clamped) else {
      sql = nil
      return
    }
    var terms: [SQLText] = []
    if range.lowerBound > 0 { terms.append(SQLText("e.seq >= ?", [.integer(range.lowerBound)])) }
    if range.upperBound < .max { terms.append(SQLText("e.seq <= ?", [.integer(range.upperBound)])) }
    if let since = query.since { terms.append(SQLText("e.at >= ?", [.text(since.description)])) }
    if let until = query.until { terms.append(SQLText("e.at < ?", [.text(until.description)])) }
    var source = "events AS e"
    if query.filtersPresentations {
      // The times apply to the events here.
      var presentations = query
      (presentations.since, presentations.until, presentations.cursor, presentations.through) = (nil, nil, nil, nil)
      presentations.limit = Self.fewPresentations
      let plan = try AuditPlan(presentations, connection)
      if let few = try Self.few(plan, range, connection) {
        let numbers = few.map(String.init).joined(separator: ", ")
        terms.append(SQLText("e.presentation IN (SELECT id FROM presentations WHERE number IN (\(numbers)))"))
      } else {
        source += " CROSS JOIN presentations AS p ON p.id = e.presentation"
        terms += plan.conditions
      }
    }
    let columns = AuditRecord.columns.split(separator: ", ").map { "e.\($0)" }.joined(separator: ", ")
    sql =
      SQLText("SELECT \(columns) FROM \(source) WHERE ") + SQLText(conjunction: terms)
      + SQLText(" ORDER BY e.seq \(query.order.sql) LIMIT ?", [.int(query.limit + 1)])
  }

  /// The numbers of the matching presentations, if there are few and an index finds them.
  private static func few(
    _ plan: AuditPlan, _ range: ClosedRange<Int64>, _ connection: SQLiteConnection
  ) throws -> [Int64]? {
    guard plan.isSelective, let numbers = plan.numbers else { return nil }
    let last = try connection.integer("SELECT coalesce(max(seq), 0) FROM events")
    guard min(range.upperBound, max(0, last)) - range.lowerBound > fewEvents else { return nil }
    let found = try connection.rows(numbers) { $0.integer(0) }
    return found.count <= fewPresentations ? found : nil
  }
}
