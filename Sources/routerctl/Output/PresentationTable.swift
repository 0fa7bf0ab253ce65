import Router

/// A list with one presentation per line. On a terminal, columns fit their content and the width; values shared by all rows are
/// shown above the table, and a narrow terminal omits columns. Otherwise, columns have their usual width, and nothing is
/// omitted or truncated.
struct PresentationTable {
  struct Column {
    let title: String
    /// The width without a terminal, when later rows are unknown.
    var usualWidth = 0
    var maximumWidth = Int.max
    /// The divisor for the column's maximum share of a narrow terminal: 4 for a quarter, 6 for a sixth.
    var share = 4
    var isNumber = false
    /// The order in which columns are omitted on a narrow terminal, lowest first; `nil` for never.
    var rank: Int?
    /// Whether to omit the column if all rows have the same value.
    var mayBeConstant = false
    /// The value to omit if all rows have it.
    var usualValue = "-"
    /// Returns the cell's text in at most the given columns, with custom truncation.
    let text: @Sendable (PresentationCells, Int) -> CellText
  }

  /// The minimum width of titles, before other columns are omitted.
  private static let leastForWhat = 32

  let style: OutputStyle
  private(set) var widths: [(column: Column, width: Int)]
  /// The values shared by all rows, in one line: `all rows: app deploy, user ada`.
  private(set) var shared = ""

  /// Fits the columns to the first rows, or to the usual widths if more rows are expected. Omits columns with shared values
  /// only if no more rows are expected.
  init(
    _ columns: [Column], fitting rows: [PresentationCells], style: OutputStyle, expectsMore: Bool = false, isAll: Bool = false
  ) {
    self.style = style
    guard style.isTerminal else {
      widths = columns.map { ($0, $0.usualWidth) }
      return
    }
    var kept: [(column: Column, width: Int, wanted: Int)] = []
    var constants: [String] = []
    for column in columns {
      let texts = rows.map { column.text($0, .max).text }
      if column.mayBeConstant, isAll, let first = texts.first, texts.allSatisfy({ $0 == first }),
        rows.count > 1 || first == column.usualValue
      {
        if first != column.usualValue { constants.append("\(column.title.lowercased()) \(first)") }
      } else {
        let least = rows.isEmpty || expectsMore ? column.usualWidth : 0
        let wanted = min(column.maximumWidth, max(column.title.columns, texts.reduce(least) { max($0, $1.columns) }))
        let most = min(column.maximumWidth, max(10, style.width / column.share))
        kept.append((column, min(column.maximumWidth == .max ? .max : most, wanted), wanted))
      }
    }
    if !constants.isEmpty { shared = "all rows: \(constants.joined(separator: ", "))".cut(to: style.width) }
    func left() -> Int { style.width - kept.dropLast().reduce(0) { $0 + $1.width + 1 } }
    for rank in 0...3 where left() < Self.leastForWhat { kept.removeAll { $0.column.rank == rank } }
    for rank in 4...5 where left() < style.width / 4 { kept.removeAll { $0.column.rank == rank } }
    // Columns that were limited to their share get the space that the last column does not need.
    let last = max(expectsMore ? Self.leastForWhat : 0, kept[kept.count - 1].wanted)
    for index in kept.indices.dropLast() {
      kept[index].width += max(0, min(kept[index].wanted - kept[index].width, left() - last))
    }
    kept[kept.count - 1].width = max(1, left())
    widths = kept.map { ($0.column, $0.width) }
  }

  /// The lines above the rows.
  var header: [String] { (shared.isEmpty ? [] : [style.text(shared, .dim)]) + [heading] }

  var heading: String { style.text(line { column, _ in CellText(column.title) }, .bold) }

  func row(_ cells: PresentationCells) -> String { line { $0.text(cells, $1) } }

  /// Returns a row without styles, for a line with a single style.
  func plain(_ cells: PresentationCells) -> String { line { CellText($0.text(cells, $1).text) } }

  private func line(_ cell: (Column, Int) -> CellText) -> String {
    widths.enumerated().map { index, column in
      let (column, width) = column
      let text = cell(column, style.isTerminal ? width : .max)
      let isLast = index == widths.count - 1
      // Padding is not styled, because the style may underline or invert.
      let padding = String(repeating: " ", count: isLast ? 0 : max(0, width - text.columns))
      return column.isNumber ? padding + text.styled(style) : text.styled(style) + padding
    }.joined(separator: " ")
  }
}
