import Router

/// A table with one presentation per line. On a terminal, columns fit their content and the width; values that all rows share
/// are printed above the table, and a narrow terminal omits columns. Otherwise, columns have their usual width, and nothing is
/// omitted or cut.
struct PresentationTable {
  struct Column: Equatable {
    let title: String
    /// The width without a terminal, when later rows are unknown.
    let usualWidth: Int
    var maximumWidth = Int.max
    var isNumber = false
    /// The order in which columns are omitted on a narrow terminal, lowest first; `nil` for never.
    var rank: Int?
    /// Whether to omit the column if all rows have the same value.
    var mayBeConstant = false
    let text: @Sendable (PresentationCells) -> String

    static func == (left: Column, right: Column) -> Bool { left.title == right.title }
  }

  static let columns = [
    Column(title: "ASKED", usualWidth: 19) { $0.asked },
    Column(title: "ID", usualWidth: 8, rank: 4) { $0.id },
    Column(title: "APP", usualWidth: 12, maximumWidth: 16, mayBeConstant: true) { $0.app },
    Column(title: "USER", usualWidth: 8, maximumWidth: 16, rank: 2, mayBeConstant: true) { $0.user },
    Column(title: "OUTCOME", usualWidth: 23, maximumWidth: 24) { $0.outcome },
    Column(title: "WAITED", usualWidth: 6, isNumber: true, rank: 1) { $0.waited },
    Column(title: "SHOWN", usualWidth: 6, isNumber: true, rank: 3) { $0.shown },
    Column(title: "BY", usualWidth: 16, maximumWidth: 20, rank: 0, mayBeConstant: true) { $0.by },
    Column(title: "WHAT", usualWidth: 0) { $0.what },
  ]

  private static let leastForWhat = 28

  let style: OutputStyle
  private(set) var widths: [(column: Column, width: Int)]
  /// The values that all rows share, in one line: `APP deploy, USER ada`.
  private(set) var shared = ""

  /// Fits the columns to the first rows, or to the usual widths if more rows are expected. Shared values are moved above the
  /// table only if these are all rows.
  init(fitting rows: [PresentationCells], style: OutputStyle, expectsMore: Bool = false, isAll: Bool = false) {
    self.style = style
    guard style.isTerminal else {
      widths = Self.columns.map { ($0, $0.usualWidth) }
      return
    }
    var columns = Self.columns.map { column -> (column: Column, width: Int) in
      let least = rows.isEmpty || expectsMore ? column.usualWidth : 0
      let widest = rows.reduce(least) { max($0, column.text($1).columns) }
      return (column, min(column.maximumWidth, max(column.title.columns, widest)))
    }
    if rows.count > 1, isAll {
      let constant = columns.map(\.column).filter { column in
        column.mayBeConstant && rows.allSatisfy { column.text($0) == column.text(rows[0]) }
      }
      columns.removeAll { constant.contains($0.column) }
      shared = constant.map { "\($0.title) \($0.text(rows[0]))" }.joined(separator: ", ").cut(to: style.width)
    }
    func left() -> Int { style.width - columns.dropLast().reduce(0) { $0 + $1.width + 1 } }
    for rank in 0...4 where left() < Self.leastForWhat { columns.removeAll { $0.column.rank == rank } }
    columns[columns.count - 1].width = max(1, left())
    widths = columns
  }

  /// The lines above the rows.
  var header: [String] {
    (shared.isEmpty ? [] : [style.text(shared, .dim)]) + [style.text(line { ($0.title, nil) }, .bold)]
  }

  func row(_ cells: PresentationCells) -> String {
    line { column in (column.text(cells), column.title == "OUTCOME" ? cells.face : column.title == "ID" ? .dim : nil) }
  }

  private func line(_ cell: (Column) -> (text: String, face: OutputStyle.Face?)) -> String {
    widths.map { column, width in
      let (text, face) = cell(column)
      let cut = !style.isTerminal ? text : text.cut(to: width)
      // Padding is not styled, because the style may underline or invert.
      let padding = String(repeating: " ", count: column == Self.columns.last ? 0 : max(0, width - cut.columns))
      return column.isNumber ? padding + style.text(cut, face: face) : style.text(cut, face: face) + padding
    }.joined(separator: " ")
  }
}
