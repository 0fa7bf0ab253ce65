import Glibc
import Synchronization

/// The mode of standard input's terminal: original, or key by key without echo. Restored at exit, except by SIGKILL.
enum TerminalModes {
  /// How it was found. Read before anything is changed, and never again.
  private static let original: termios? = {
    var modes = termios()
    return tcgetattr(STDIN_FILENO, &modes) == 0 ? modes : nil
  }()
  private static let isChanged = Atomic(false)

  /// Signals that end a program without its being asked. SIGINT, SIGTERM and SIGHUP have handlers of their own.
  private static let deadly = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGSYS]

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

  /// Whether there is a terminal on both sides that can be drawn on.
  static var areThere: Bool {
    let terminal = getenv("TERM").map { String(cString: $0) } ?? ""
    return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && !["", "dumb"].contains(terminal)
  }

  /// Each key is read as it is pressed, and is not shown. Signals from keys stay, and so does what is done to output.
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
    // Pasted text comes between marks, so that a line's end in it presses nothing.
    StandardStream.output.text("\u{1B}[?2004h")
  }

  /// As it was found. May be called from a signal's handler: signal-safety(7).
  static func restore() {
    guard isInForeground, isChanged.exchange(false, ordering: .sequentiallyConsistent), var modes = original else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    // The cursor is seen, long lines wrap, and what is pasted is no different from what is typed.
    let text: StaticString = "\u{1B}[?25h\u{1B}[?7h\u{1B}[?2004l"
    _ = write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }

  static var isInForeground: Bool {
    let group = tcgetpgrp(STDIN_FILENO)
    // A terminal that is not this session's own has no foreground to be in.
    return group < 0 || group == getpgrp()
  }
}
