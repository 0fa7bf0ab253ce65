/// What a presenter draws on: a terminal, or what a test looks at.
struct Screen: Sendable {
  var size: @Sendable () -> ScreenSize
  var hasColour: Bool
  var write: @Sendable (String) -> Void

  static var terminal: Screen {
    let output = StandardStream.output
    return Screen(size: { output.size }, hasColour: output.style.hasColour, write: { output.text($0) })
  }
}
