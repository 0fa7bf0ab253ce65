/// Draws frames in place at the cursor with control sequences (ECMA-48). Truncates long lines instead of wrapping them.
package struct Painter {
  /// Whether frames start at the top of the screen, rather than below the existing text.
  private let fillsScreen: Bool
  private var shown: [String] = []
  private var row = 0

  package init(fillsScreen: Bool = false) { self.fillsScreen = fillsScreen }

  package static let clearsScreen = "\u{1B}[H\u{1B}[2J"
  private static let hidesCursor = "\u{1B}[?25l"
  private static let showsCursor = "\u{1B}[?25h"
  private static let neverWraps = "\u{1B}[?7l"
  private static let wraps = "\u{1B}[?7h"

  /// Redraws the lines that differ from the last frame.
  package mutating func paint(_ frame: Frame) -> String {
    var text = Self.hidesCursor + Self.neverWraps + toFirstLine
    for (index, line) in frame.lines.enumerated() {
      if index > 0 { text += "\r\n" }
      if !shown.indices.contains(index) || shown[index] != line { text += "\u{1B}[2K" + line }
    }
    var here = frame.lines.count - 1
    if shown.count > frame.lines.count {
      text += "\r\n\u{1B}[J"
      here += 1
    }
    row = frame.cursor?.row ?? frame.lines.count - 1
    text += Self.up(here - row) + "\r"
    if let cursor = frame.cursor { text += cursor.prefix + Self.showsCursor }
    shown = frame.lines
    return text + Self.wraps
  }

  /// Prepares for the first frame, or for the first one after another program used the screen.
  mutating func begin() -> String { fillsScreen ? clearScreen() : "" }

  mutating func resize(from old: ScreenSize, to new: ScreenSize) -> String {
    // Terminals either wrap or cut lines when they shrink, so the positions of lines are unknown.
    let isCut = new.columns < min(old.columns, PromptView.maximumColumns) || new.rows <= shown.count
    return fillsScreen || isCut ? clearScreen() : ""
  }

  /// Erases the last frame; further output starts in its place.
  package mutating func erase() -> String {
    defer { forget() }
    return toFirstLine + "\u{1B}[J" + Self.showsCursor
  }

  /// Leaves the last frame on the screen and moves below it.
  package mutating func leave() -> String {
    defer { forget() }
    guard !shown.isEmpty else { return Self.showsCursor }
    let down = shown.count - 1 - row
    return (down > 0 ? "\u{1B}[\(down)B" : "") + "\r\n" + Self.showsCursor
  }

  /// Clears the entire screen when the positions of lines are unknown.
  package mutating func clearScreen() -> String {
    forget()
    return Self.clearsScreen
  }

  private mutating func forget() {
    shown = []
    row = 0
  }

  private var toFirstLine: String { Self.up(row) + "\r" }

  private static func up(_ count: Int) -> String { count > 0 ? "\u{1B}[\(count)A" : "" }
}
