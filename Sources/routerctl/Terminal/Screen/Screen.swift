import Router

/// A presenter's drawing surface: a terminal or a test's buffer.
struct Screen: Sendable {
  var size: @Sendable () -> ScreenSize
  var hasColor: Bool
  var write: @Sendable (String) -> Void

  static func terminal(_ stream: StandardStream) -> Screen {
    Screen(size: { stream.size }, hasColor: stream.style.hasColor, write: { stream.text($0) })
  }
}
