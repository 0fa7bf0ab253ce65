import RouterCore

/// A presenter's drawing surface: a terminal or a test's buffer.
package struct Screen: Sendable {
  package var size: @Sendable () -> ScreenSize
  package var hasColor: Bool
  package var write: @Sendable (String) -> Void

  package init(size: @escaping @Sendable () -> ScreenSize, hasColor: Bool, write: @escaping @Sendable (String) -> Void) {
    self.size = size
    self.hasColor = hasColor
    self.write = write
  }

  package static func terminal(_ stream: StandardStream) -> Screen {
    Screen(size: { stream.size }, hasColor: stream.style.hasColor, write: { stream.text($0) })
  }

  var style: OutputStyle { .prompt(columns: size().columns, hasColor: hasColor) }

  /// Writes text that remains on the screen.
  func note(_ text: String) {
    let style = style
    for line in text.escapedForTerminal().wrapped(to: style.width) { write(style.text(line, .dim) + "\n") }
  }
}
