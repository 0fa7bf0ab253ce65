package enum Bar {
  private static let eighths = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
  private static let heights = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// Returns a bar that fills a share of the columns, to an eighth of a column; the track fills the rest.
  package static func text(_ share: Double, columns: Int, track: String = " ") -> String {
    let filled = Int((min(1, max(0, share)) * Double(columns * 8)).rounded())
    var text = String(repeating: "█", count: filled / 8)
    var used = filled / 8
    if filled % 8 > 0 {
      text += eighths[filled % 8]
      used += 1
    }
    return text + String(repeating: track, count: columns - used)
  }

  /// Returns one column per number, with a matching height; a space for zero.
  package static func sparkline(_ numbers: [Int]) -> String {
    let most = max(1, numbers.max() ?? 0)
    return numbers.map { $0 <= 0 ? " " : heights[min(7, ($0 * 8 - 1) / most)] }.joined()
  }
}
