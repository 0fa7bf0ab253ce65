package import Router

/// Rows with a heading: aligned columns for a person, tab-separated values for a pipe.
package struct Table {
  var heading: [String]
  package var rows: [[String]] = []
  /// The column to shrink if the terminal is too narrow.
  var flexible: Int?

  package init(heading: [String], rows: [[String]] = [], flexible: Int? = nil) {
    (self.heading, self.rows, self.flexible) = (heading, rows, flexible)
  }

  package func lines(_ style: OutputStyle) -> [String] {
    let rows = rows.map { $0.map { $0.escapedForTerminal() } }
    guard style.isTerminal else { return rows.map { $0.joined(separator: "\t") } }
    var widths = heading.indices.map { column in ([heading] + rows).map { $0[column].columns }.max() ?? 0 }
    let total = widths.reduce(0, +) + 2 * (widths.count - 1)
    if let flexible, total > style.width { widths[flexible] = max(10, widths[flexible] - (total - style.width)) }
    func line(_ cells: [String]) -> String {
      var line = ""
      for (cell, width) in zip(cells, widths) {
        let text = cell.cut(to: width)
        line += text + String(repeating: " ", count: max(0, width - text.columns)) + "  "
      }
      while line.last == " " { line.removeLast() }
      return line
    }
    return [style.text(line(heading), .bold)] + rows.map(line)
  }
}
