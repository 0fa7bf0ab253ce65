/// How a query for presentations is answered: from which index, and with which conditions.
///
/// Everything is in the order of `presentations.number`, every index has the number at its end, and times become numbers
/// first. So a page is read from the one place in one index where it stands, and nothing is sorted but the page.
struct AuditPlan {
  let query: AuditQuery
  let search: AuditSearch?
  /// The numbers that can be meant; `nil` where there are none.
  private(set) var numbers: SQLText?
  /// Whether some presentations that are to be searched are in the temporary table alone.
  private let hasFreshWords: Bool
  private let version: Int

  /// - Parameter connection: In a transaction, so that all is seen as it is at one moment.
  /// - Throws: ``RouterError`` with the code `invalid` for a search that cannot be understood.
  init(_ query: AuditQuery, _ connection: SQLiteConnection, version: Int) throws {
    self.query = query
    self.version = version
    let hasQueries = version >= AuditMigrations.versionWithQueries
    search = try query.search.map { text throws(RouterError) in try AuditSearch(text) }
    hasFreshWords = try search != nil && FreshWords.fill(connection, version: version)
    numbers = nil
    let range =
      hasQueries
      ? try ClockSteps(series: .presentations, connection: connection).numbers(since: query.since, until: query.until)
      : 0...Int64.max
    guard let range else { return }
    numbers = page(in: query.clamped(range))
  }

  private var hasQueries: Bool { version >= AuditMigrations.versionWithQueries }

  /// The numbers of the page, and of one more.
  private func page(in range: ClosedRange<Int64>) -> SQLText {
    let branches = search.map { self.branches(for: $0, in: range) } ?? self.branches(in: range)
    let end = SQLText(" ORDER BY 1 \(query.order.sql) LIMIT ?", [.int(query.limit + 1)])
    guard branches.count > 1 else { return branches[0] + end }
    let each = branches.map { SQLText("SELECT * FROM (") + $0 + end + ")" }
    return SQLText(each, separator: " UNION ALL ") + end
  }

  /// Without a search: one for each value of the column that is gone by, so that each is read in order, and one for what is fresh.
  private func branches(in range: ClosedRange<Int64>) -> [SQLText] {
    guard let driver else { return [branch("presentations AS p", number: "p.number", range, filters(drivenBy: nil))] }
    let rest = filters(drivenBy: driver.column)
    // Before, and for ids, there are indexes of the table itself.
    guard version >= AuditMigrations.versionWithFresh, driver.column != "id" else {
      return driver.values.map { value in
        branch("presentations AS p", number: "p.number", range, [SQLText("p.\(driver.column) = ?", [value])] + rest)
      }
    }
    let table = "presentations_by_\(driver.column) AS i"
    let joined = rest.isEmpty ? table : "\(table) CROSS JOIN presentations AS p ON p.number = i.number"
    let indexed = driver.values.map { value in
      branch(joined, number: "i.number", range, [SQLText("i.\(driver.column) = ?", [value])] + rest)
    }
    let fresh = branch(
      AuditIndex.fresh, number: "fresh.number", range, filters(drivenBy: nil))
    return indexed + [fresh]
  }

  /// With a search: by the words' index, or by the texts where there are only parts; and what is fresh.
  private func branches(for search: AuditSearch, in range: ClosedRange<Int64>) -> [SQLText] {
    var branches: [SQLText] = []
    let filters = filters(drivenBy: nil)
    if hasQueries {
      let parts = search.parts.map { SQLText("has_part(?, t.title, t.message, t.sheet, t.answer)", [.text($0)]) }
      if let words = search.words {
        let texts = parts.isEmpty ? "" : " CROSS JOIN texts AS t ON t.number = words.rowid"
        branches.append(
          branch(
            "words\(texts) CROSS JOIN presentations AS p ON p.number = words.rowid", number: "words.rowid", range,
            [SQLText("words MATCH ?", [.text(words)])] + parts + filters))
      } else {
        branches.append(
          branch("texts AS t CROSS JOIN presentations AS p ON p.number = t.number", number: "t.number", range, parts + filters))
      }
    }
    if hasFreshWords || branches.isEmpty {
      branches.append(
        branch(
          "temp.fresh_words CROSS JOIN presentations AS p ON p.number = fresh_words.rowid", number: "fresh_words.rowid",
          range, freshFilters(for: search) + filters))
    }
    return branches
  }

  private func freshFilters(for search: AuditSearch) -> [SQLText] {
    let parts = search.parts.map { part in
      SQLText("has_part(?, \(FreshWords.columns))", [.text(part)])
    }
    return (search.words.map { [SQLText("fresh_words MATCH ?", [.text($0)])] } ?? []) + parts
  }

  private func branch(
    _ source: String, number: String, _ range: ClosedRange<Int64>, _ conditions: [SQLText]
  ) -> SQLText {
    var terms = conditions
    if range.lowerBound > 0 { terms.append(SQLText("\(number) >= ?", [.integer(range.lowerBound)])) }
    if range.upperBound < .max { terms.append(SQLText("\(number) <= ?", [.integer(range.upperBound)])) }
    return SQLText("SELECT \(number) FROM \(source) WHERE ")
      + SQLText(terms.isEmpty ? [SQLText("1")] : terms, separator: " AND ")
  }
}

extension AuditPlan {
  /// A column with an index, and the values that are wanted of it.
  typealias Driver = (column: String, values: [SQLiteValue])

  /// What to go by: the filter that usually leaves the least.
  var driver: Driver? {
    let query = query
    if !query.ids.isEmpty { return ("id", query.ids.map { .text($0.description) }) }
    if !query.apps.isEmpty { return ("app", query.apps.map(SQLiteValue.text)) }
    let outcomes: Driver = ("outcome", query.outcomes.map { .text($0.rawValue) })
    if !outcomes.values.isEmpty, !query.outcomes.contains(.answered) { return outcomes }
    if !query.uids.isEmpty { return ("uid", query.uids.map { .int($0) }) }
    if !query.surfaces.isEmpty { return ("surface", query.surfaces.map(SQLiteValue.text)) }
    return outcomes.values.isEmpty ? nil : outcomes
  }

  /// The conditions on a presentation `p`, but for the search and for the column that is gone by.
  func filters(drivenBy driver: String?) -> [SQLText] {
    var terms: [SQLText] = []
    if let since = query.since { terms.append(SQLText("p.requested_at >= ?", [.text(since.description)])) }
    if let until = query.until { terms.append(SQLText("p.requested_at < ?", [.text(until.description)])) }
    func add(_ column: String, _ values: [SQLiteValue]) {
      guard column != driver, !values.isEmpty else { return }
      // The plus keeps SQLite from going by another index than the one that was chosen.
      terms.append(SQLText("+p.\(column) IN (\(values.map { _ in "?" }.joined(separator: ", ")))", values))
    }
    add("id", query.ids.map { .text($0.description) })
    add("app", query.apps.map(SQLiteValue.text))
    add("uid", query.uids.map { .int($0) })
    add("surface", query.surfaces.map(SQLiteValue.text))
    add("kind", query.kinds.map { .text($0.rawValue) })
    add("sheet", query.sheets.map(SQLiteValue.text))
    add("outcome", query.outcomes.map { .text($0.rawValue) })
    add("reason", query.reasons.map(SQLiteValue.text))
    return terms
  }

  /// The search as a condition on a presentation `p`, for a few of which it is to be found out.
  var searchFilters: [SQLText] {
    guard let search else { return [] }
    var found: [SQLText] = []
    if hasQueries {
      let words = search.words.map {
        [SQLText("EXISTS (SELECT 1 FROM words WHERE words MATCH ? AND words.rowid = p.number)", [.text($0)])]
      }
      let parts = search.parts.map {
        SQLText(
          "EXISTS (SELECT 1 FROM texts AS t WHERE t.number = p.number AND has_part(?, t.title, t.message, t.sheet, t.answer))",
          [.text($0)])
      }
      found.append(SQLText((words ?? []) + parts, separator: " AND "))
    }
    if hasFreshWords || found.isEmpty {
      found.append(
        SQLText("p.number IN (SELECT fresh_words.rowid FROM temp.fresh_words WHERE ")
          + SQLText(freshFilters(for: search), separator: " AND ") + ")")
    }
    return [SQLText("((") + SQLText(found, separator: ") OR (") + "))"]
  }
}

extension AuditQuery {
  /// The numbers that are left by the page before, and by what is wanted at most.
  func clamped(_ range: ClosedRange<Int64>) -> ClosedRange<Int64> {
    var (low, high) = (range.lowerBound, range.upperBound)
    if let through { high = min(high, through) }
    if let cursor {
      switch order {
      case .newestFirst: high = min(high, cursor - 1)
      case .oldestFirst: low = max(low, cursor + 1)
      }
    }
    // Nothing has the number 0.
    return low <= high ? low...high : 0...0
  }
}

extension AuditQuery.Order {
  var sql: String { self == .newestFirst ? "DESC" : "ASC" }
}
