/// A presenter's drawing surface: a terminal or a test's buffer.
struct Screen: Sendable {
  var size: @Sendable () -> ScreenSize
  var hasColour: Bool
  var write: @Sendable (String) -> Void

  static var terminal: Screen {
    let output = StandardStream.output
    return Screen(size: { output.size }, hasColour: output.style.hasColour, write: { output.text($0) })
  }
}
