import RouterCore

/// The query plan for presentations: the driving index and the conditions. See Docs/Decisions/log-queries.md.
struct AuditPlan {
  private let query: AuditQuery
  private let search: AuditSearch?
  /// Selects the numbers of the page and one more; `nil` if no row can match.
  private(set) var numbers: SQLText?

  /// - Throws: ``RouterError`` with the code `invalid` for an invalid search.
  init(_ query: AuditQuery, _ connection: SQLiteConnection) throws {
    self.query = query
    search = try query.search.map { text throws(RouterError) in try AuditSearch(text) }
    numbers = nil
    let span = try AuditHours(series: .presentations).numbers(since: query.since, until: query.until, connection)
    guard let range = span.map(query.clamped) else { return }
    numbers = page(in: range)
  }

  var isSelective: Bool { driver != nil || search != nil }

  /// One branch per value of the driving column, so that SQLite reads each in index order.
  private func page(in range: ClosedRange<Int64>) -> SQLText {
    let end = SQLText(" ORDER BY 1 \(query.order.sql) LIMIT ?", [.int(query.limit + 1)])
    if let search { return branch("words", number: "words.rowid", range, found(by: search)) + end }
    let (column, values) = driver ?? ("", [])
    let branches = values.map { value in
      branch("presentations", number: "number", range, filters(drivenBy: column) + [SQLText("\(column) = ?", [value])])
    }
    switch branches.count {
    case 0: return branch("presentations", number: "number", range, filters(drivenBy: nil)) + end
    case 1: return branches[0] + end
    default: return SQLText(branches.map { SQLText("SELECT * FROM (") + $0 + end + ")" }, separator: " UNION ALL ") + end
    }
  }

  private func branch(
    _ source: String, number: String, _ range: ClosedRange<Int64>, _ conditions: [SQLText]
  ) -> SQLText {
    var terms = conditions
    if range.lowerBound > 0 { terms.append(SQLText("\(number) >= ?", [.integer(range.lowerBound)])) }
    if range.upperBound < .max { terms.append(SQLText("\(number) <= ?", [.integer(range.upperBound)])) }
    return SQLText("SELECT \(number) FROM \(source) WHERE ") + SQLText(conjunction: terms)
  }

  /// A search uses the word index, or scans the texts if it has only substrings. Filters are then checked row by row.
  private func found(by search: AuditSearch) -> [SQLText] {
    let filters = filters(drivenBy: nil)
    guard !filters.isEmpty else { return search.conditions }
    let isMeant =
      SQLText("EXISTS (SELECT 1 FROM presentations AS p WHERE p.number = words.rowid AND ") + SQLText(conjunction: filters)
      + ")"
    return search.conditions + [isMeant]
  }
}

extension AuditPlan {
  private typealias Driver = (column: String, values: [SQLiteValue])

  /// The driving filter: the one that is usually most selective.
  private var driver: Driver? {
    // Most presentations are answered.
    let isOutcomeCommon = query.outcomes.contains(.answered)
    let order = ["id", "app"] + (isOutcomeCommon ? [] : ["outcome"]) + ["uid", "surface", "outcome"]
    return order.lazy.compactMap { column in query.filters.first { $0.column == column && !$0.values.isEmpty } }.first
  }

  /// The conditions on a presentation, except the search and the driving column.
  func filters(drivenBy driver: String?) -> [SQLText] {
    var terms: [SQLText] = []
    if let since = query.since { terms.append(SQLText("requested_at >= ?", [.text(since.description)])) }
    if let until = query.until { terms.append(SQLText("requested_at < ?", [.text(until.description)])) }
    for (column, values) in query.filters where column != driver && !values.isEmpty {
      // The unary plus keeps SQLite from choosing another index.
      terms.append(SQLText("+\(column) IN (\(values.map { _ in "?" }.joined(separator: ", ")))", values))
    }
    return terms
  }

  /// All conditions on a presentation `p`, for checking a few rows.
  var conditions: [SQLText] {
    guard let search else { return filters(drivenBy: nil) }
    let found =
      SQLText("EXISTS (SELECT 1 FROM words WHERE words.rowid = p.number AND ") + SQLText(conjunction: search.conditions) + ")"
    return filters(drivenBy: nil) + [found]
  }
}

extension AuditSearch {
  fileprivate var conditions: [SQLText] {
    let parts = parts.map { SQLText("has_part(?, title, message, sheet, answer)", [.text($0)]) }
    return (words.map { [SQLText("words MATCH ?", [.text($0)])] } ?? []) + parts
  }
}

extension AuditQuery {
  var filters: [(column: String, values: [SQLiteValue])] {
    [
      ("id", ids.map { .text($0.description) }), ("app", apps.map(SQLiteValue.text)), ("uid", uids.map { .int($0) }),
      ("surface", surfaces.map(SQLiteValue.text)), ("kind", kinds.map { .text($0.rawValue) }),
      ("sheet", sheets.map(SQLiteValue.text)), ("outcome", outcomes.map { .text($0.rawValue) }),
      ("reason", reasons.map(SQLiteValue.text)), ("reason", answers.map { .text($0.rawValue) }),
      // A person who answers several prompts with one answer has decided all of them.
      (
        "replace(coalesce(substr(settled_by, 1, instr(settled_by, ':') - 1), 'person'), 'with', 'person')",
        deciders.map { .text($0.rawValue) }
      ),
      (
        """
        (ran IS NULL AND outcome = 'answered' AND reason <> 'no' AND json_extract(result, '$.redacted') IS NULL \
        AND json_type(request, '$.act') = 'object')
        """, isUnreported ? [.int(1)] : []
      ),
    ]
  }

  /// Limits a range of numbers to the part after the cursor and up to `through`.
  func clamped(_ range: ClosedRange<Int64>) -> ClosedRange<Int64> {
    var (low, high) = (range.lowerBound, range.upperBound)
    if let through { high = min(high, through) }
    if let cursor {
      switch order {
      case .newestFirst: high = min(high, max(cursor, 0) - 1)
      case .oldestFirst: low = max(low, min(cursor, .max - 1) + 1)
      }
    }
    // No row has the number 0.
    return low <= high ? low...high : 0...0
  }
}

extension AuditQuery.Order {
  var sql: String { self == .newestFirst ? "DESC" : "ASC" }
}
