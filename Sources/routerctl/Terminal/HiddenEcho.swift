import Glibc

/// A terminal that does not show what is typed, until it is restored (termios(3)).
struct HiddenEcho {
  private let descriptor: Int32
  private let before: termios?

  init(descriptor: Int32) {
    self.descriptor = descriptor
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else {
      before = nil
      return
    }
    before = settings
    settings.c_lflag &= ~tcflag_t(ECHO)
    // The line's end is shown all the same, so that what follows starts on a new line.
    settings.c_lflag |= tcflag_t(ECHONL)
    tcsetattr(descriptor, TCSAFLUSH, &settings)
  }

  func restore() {
    guard var before else { return }
    tcsetattr(descriptor, TCSAFLUSH, &before)
  }
}
