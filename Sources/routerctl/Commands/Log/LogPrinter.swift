import Router

/// Prints presentations and events in the requested format, page by page.
struct LogPrinter {
  /// The format; `nil` for a table.
  let format: LogList.Format?
  /// Whether the printer follows the log, so that later rows are unknown.
  let follows: Bool
  /// The search, for highlighting its words.
  let search: SearchWords?
  let zone: LocalTime
  let users: UserNames
  let style: OutputStyle
  let write: @Sendable (String) -> Void
  private var table: PresentationTable?
  private var hasHeader = false

  init(
    format: LogList.Format?, follows: Bool = false, search: String? = nil, zone: LocalTime = .system,
    users: UserNames = .system, style: OutputStyle = StandardStream.output.style,
    write: @escaping @Sendable (String) -> Void = StandardStream.output.text
  ) {
    self.format = format
    self.follows = follows
    self.search = search.flatMap { SearchWords($0) }
    self.zone = zone
    self.users = users
    self.style = style
    self.write = write
  }

  /// Prints presentations; the first page determines the widths of the table's columns.
  ///
  /// - Parameter isAll: Whether this is the only page.
  mutating func print(_ page: [Presentation], now: Timestamp, isAll: Bool = false) {
    switch format {
    case .json: write(page.map { $0.jsonText.escapedForTerminal + "\n" }.joined())
    case .csv: write(csv(LogCSV.header, page.map { LogCSV.row($0, users) }))
    case nil:
      let cells = rows(page).map { presentation, count in
        PresentationCells(
          presentation: presentation, zone: zone, users: users, now: now, style: style,
          search: search, count: count)
      }
      guard !cells.isEmpty else { return }
      let isFirst = table == nil
      let table =
        table
        ?? PresentationTable(
          PresentationTable.Column.log, fitting: cells, style: style, expectsMore: follows, isAll: isAll)
      self.table = table
      let legend = PresentationCells.legend(of: cells).map { style.text($0.cut(to: style.width), .dim) }
      let header = isFirst && style.isTerminal ? [legend].compactMap(\.self) + table.header : []
      write((header + cells.map(table.row)).map { $0 + "\n" }.joined())
    }
  }

  /// Returns the rows of a page, each with the number of presentations that it represents. On a terminal, prompts of one app
  /// that ended without a presenter share a row.
  private func rows(_ page: [Presentation]) -> [(Presentation, Int)] {
    var rows: [(Presentation, Int)] = []
    for presentation in page {
      if style.isTerminal, presentation.outcome == .cancelled(.noPresenter), let last = rows.last?.0,
        last.outcome == presentation.outcome, last.requester.app == presentation.requester.app
      {
        rows[rows.count - 1].1 += 1
      } else {
        rows.append((presentation, 1))
      }
    }
    return rows
  }

  mutating func print(_ page: [LogEvent]) {
    switch format {
    case .json: write(page.map { $0.event.json.escapedForTerminal + "\n" }.joined())
    case .csv: write(csv(LogCSV.eventHeader, page.map { LogCSV.row($0.event) }))
    case nil:
      let words = page.map { LogEventWords(event: $0.event, users: users, request: $0.request) }
      write(words.map { $0.line(zone: zone, style: style) + "\n" }.joined())
    }
  }

  private mutating func csv(_ header: String, _ lines: [String]) -> String {
    defer { hasHeader = true }
    let text = (hasHeader ? [] : [header]) + lines
    guard style.isTerminal else { return text.joined() }
    // Verbatim in a file; with control characters escaped on a terminal.
    return text.map { String($0.dropLast()).escapedForTerminal() + "\n" }.joined()
  }
}
