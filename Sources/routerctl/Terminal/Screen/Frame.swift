/// What is to be seen of a prompt at one moment: lines, and where the cursor stands.
struct Frame: Sendable, Hashable {
  /// A place after the text at the start of a line. The terminal decides how many columns that takes.
  struct Cursor: Sendable, Hashable {
    var row: Int
    var prefix: String
  }

  var lines: [String]
  /// `nil` where nothing is typed.
  var cursor: Cursor?
  /// How many lines of the text are above what is to be seen of it.
  var scroll = 0
}

struct ScreenSize: Sendable, Hashable {
  var columns: Int
  var rows: Int
}
