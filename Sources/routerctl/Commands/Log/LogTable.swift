import Router

/// The table: one presentation a line, its columns as wide as what is in them. The last one takes what is left of the
/// terminal's width; on a narrow terminal some columns are left out. Where there is no terminal the columns are at least as
/// wide as they usually need, nothing is left out and nothing is cut.
struct LogTable {
  /// A column, in the order of the table.
  enum Column: Int, CaseIterable {
    case asked, id, app, user, outcome, waited, shown, by, what

    var title: String {
      switch self {
      case .asked: "ASKED"
      case .id: "ID"
      case .app: "APP"
      case .user: "USER"
      case .outcome: "OUTCOME"
      case .waited: "WAITED"
      case .shown: "SHOWN"
      case .by: "BY"
      case .what: "WHAT"
      }
    }

    /// How wide it is without a terminal, where it is not known what comes.
    fileprivate var usualWidth: Int {
      switch self {
      case .asked: 19
      case .id: 8
      case .app: 12
      case .user: 8
      case .outcome: 23
      case .waited, .shown: 6
      case .by: 16
      case .what: 0
      }
    }

    /// How wide it may be on a terminal.
    fileprivate var maximumWidth: Int {
      switch self {
      case .app, .user: 16
      case .outcome: 24
      case .by: 20
      case .asked, .id, .waited, .shown, .what: .max
      }
    }

    fileprivate var isNumber: Bool { self == .waited || self == .shown }
  }

  /// The columns that are left out first on a narrow terminal, in this order.
  private static let dispensable: [Column] = [.by, .waited, .user, .shown, .id]
  /// What the last column should have at least.
  private static let leastForWhat = 20

  let style: OutputStyle
  private(set) var widths: [(column: Column, width: Int)]

  /// Makes the columns fit the rows that come first. Later ones that are wider are cut on a terminal, and stand out of line
  /// elsewhere.
  ///
  /// - Parameter expectsMore: Whether rows come later that are not known now, and need their usual width.
  init(fitting rows: [LogCells], style: OutputStyle, expectsMore: Bool = false) {
    self.style = style
    guard style.isTerminal else {
      widths = Column.allCases.map { ($0, $0.usualWidth) }
      return
    }
    var columns = Column.allCases.map { column -> (column: Column, width: Int) in
      let least = rows.isEmpty || expectsMore ? column.usualWidth : 0
      let widest = rows.reduce(least) { max($0, $1[column].columns) }
      return (column, min(column.maximumWidth, max(column.title.columns, widest)))
    }
    func left() -> Int { style.width - columns.dropLast().reduce(0) { $0 + $1.width + 1 } }
    for column in Self.dispensable where left() < Self.leastForWhat { columns.removeAll { $0.column == column } }
    columns[columns.count - 1].width = max(1, left())
    widths = columns
  }

  var header: String {
    style.text(line { ($0.title, nil) }, .bold)
  }

  func row(_ cells: LogCells) -> String {
    line { column in (cells[column], column == .outcome ? cells.face : column == .id ? .dim : nil) }
  }

  private func line(_ cell: (Column) -> (text: String, face: OutputStyle.Face?)) -> String {
    var line = ""
    for (column, width) in widths {
      let (text, face) = cell(column)
      let cut = !style.isTerminal ? text : text.cut(to: width)
      if !line.isEmpty { line += " " }
      // The spaces stand outside of the colour, for the sake of those that underline or invert.
      let spaces = column == .what ? 0 : max(0, width - cut.columns)
      if column.isNumber { line += String(repeating: " ", count: spaces) }
      line += style.text(cut, face: face)
      if !column.isNumber { line += String(repeating: " ", count: spaces) }
    }
    return line
  }
}

extension LogCells {
  subscript(column: LogTable.Column) -> String {
    switch column {
    case .asked: asked
    case .id: id
    case .app: app
    case .user: user
    case .outcome: outcome
    case .waited: waited
    case .shown: shown
    case .by: by
    case .what: what
    }
  }
}
