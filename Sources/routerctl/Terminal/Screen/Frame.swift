/// The visible lines of a prompt and its cursor.
struct Frame: Sendable, Hashable {
  /// A position after some text at the start of a line. The terminal determines the width of the text.
  struct Cursor: Sendable, Hashable {
    var row: Int
    var prefix: String
  }

  var lines: [String]
  /// `nil` if no input has the focus.
  var cursor: Cursor?
  /// The number of text lines scrolled out at the top.
  var scroll = 0
  /// The number of lines that Page Down scrolls: one less than are visible.
  var page = 1
}
