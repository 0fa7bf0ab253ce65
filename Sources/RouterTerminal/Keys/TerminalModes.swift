import Glibc
import RouterSystem
import Synchronization

/// Switches the terminal between its original mode and raw key input without echo. Restores it at exit, except after SIGKILL.
package enum TerminalModes {
  /// The original mode, read once before any change.
  private static let original: termios? = {
    var modes = termios()
    return tcgetattr(STDIN_FILENO, &modes) == 0 ? modes : nil
  }()
  private static let isChanged = Atomic(false)
  /// The stream to draw on: standard error if standard output receives the answer. Read before any change.
  private static let screen = isatty(STDOUT_FILENO) == 1 ? StandardStream.output : .error

  /// Fatal signals whose handler restores the terminal. SIGINT, SIGTERM, SIGHUP and SIGQUIT have their own handlers.
  private static let deadly = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGSYS]

  private static let restoresAtTheEnd: Void = {
    atexit { TerminalModes.restore() }
    for number in deadly {
      signal(number) { number in
        TerminalModes.restore()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }()

  /// Whether both standard input and the stream are a terminal that supports drawing.
  package static func areThere(on stream: StandardStream) -> Bool {
    let terminal = environmentVariable("TERM") ?? ""
    return isatty(STDIN_FILENO) == 1 && isatty(stream.descriptor) == 1 && !["", "dumb"].contains(terminal)
  }

  /// Reads each key as it is pressed, without echo. Keeps signal keys and output processing enabled.
  static func readKeys() {
    guard var modes = original, isInForeground else { return }
    _ = restoresAtTheEnd
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    modes.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
    withUnsafeMutableBytes(of: &modes.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    isChanged.store(true, ordering: .sequentiallyConsistent)
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    // Turns on bracketed paste, so that a pasted line break presses no button.
    screen.text("\u{1B}[?2004h")
  }

  /// Restores the original mode. Async-signal-safe: signal-safety(7).
  package static func restore() {
    guard isInForeground, isChanged.exchange(false, ordering: .sequentiallyConsistent), var modes = original else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    // Shows the cursor, turns on line wrapping and turns off bracketed paste.
    let text: StaticString = "\u{1B}[?25h\u{1B}[?7h\u{1B}[?2004l"
    _ = write(screen.descriptor, text.utf8Start, text.utf8CodeUnitCount)
  }

  package static var isInForeground: Bool {
    let group = tcgetpgrp(STDIN_FILENO)
    // A terminal that does not control this session has no foreground process group.
    return group < 0 || group == getpgrp()
  }
}
