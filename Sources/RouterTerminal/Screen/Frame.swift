/// The visible lines of a prompt and its cursor.
package struct Frame: Sendable, Hashable {
  /// A position after some text at the start of a line. The terminal determines the width of the text.
  package struct Cursor: Sendable, Hashable {
    package var row: Int
    package var prefix: String

    package init(row: Int, prefix: String) {
      self.row = row
      self.prefix = prefix
    }
  }

  package var lines: [String]
  /// `nil` if no input has the focus.
  package var cursor: Cursor?
  /// The number of text lines scrolled out at the top.
  package var scroll: Int
  /// The number of lines that Page Down scrolls: one less than the visible lines.
  package var page: Int
  /// Whether the end of the text is or was visible.
  package var hasSeenAll: Bool
  /// The controls with labels that are not fully visible.
  package var cut: Set<PromptState.Stop>

  package init(
    lines: [String], cursor: Cursor? = nil, scroll: Int = 0, page: Int = 1, hasSeenAll: Bool = true,
    cut: Set<PromptState.Stop> = []
  ) {
    self.lines = lines
    self.cursor = cursor
    self.scroll = scroll
    self.page = page
    self.hasSeenAll = hasSeenAll
    self.cut = cut
  }
}
