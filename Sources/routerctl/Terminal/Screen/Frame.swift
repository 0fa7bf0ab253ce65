/// What is to be seen of a prompt at one moment: lines, and where the cursor stands.
struct Frame: Sendable, Hashable {
  /// A place in the lines, after a text that stands at the start of one. What a terminal makes of that text is its own word
  /// on how many columns it takes.
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
