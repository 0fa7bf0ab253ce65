import Glibc

/// Turns off a terminal's echo until it is restored (termios(3)).
package struct HiddenEcho {
  private let descriptor: Int32
  private let before: termios?

  package init(descriptor: Int32) {
    self.descriptor = descriptor
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else {
      before = nil
      return
    }
    before = settings
    settings.c_lflag &= ~tcflag_t(ECHO)
    // Continues to echo the line feed, so that further output starts on a new line.
    settings.c_lflag |= tcflag_t(ECHONL)
    tcsetattr(descriptor, TCSAFLUSH, &settings)
  }

  package func restore() {
    guard var before else { return }
    tcsetattr(descriptor, TCSAFLUSH, &before)
  }
}
