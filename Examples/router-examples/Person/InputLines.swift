import Dispatch
import Glibc

/// The lines of standard input, one at a time; who waits for one may be cancelled, and the line is the next one's.
actor InputLines {
  /// There will be no more lines.
  struct End: Error, CustomStringConvertible {
    let description = "there is no more input"
  }

  private var lines: [String] = []
  private var hasEnded = false
  private var waiter: CheckedContinuation<Void, Never>?

  init() {
    let (read, continuation) = AsyncStream<String>.makeStream()
    // Ends with the input, or with the process.
    DispatchQueue.global().async {
      while let line = readLine() { continuation.yield(line) }
      continuation.finish()
    }
    // Ends with the input as well.
    Task {
      for await line in read { await add(line) }
      await end()
    }
  }

  /// Waits for a line.
  ///
  /// - Parameter hidden: Whether the terminal is not to show it.
  /// - Throws: ``End``; `CancellationError`.
  func next(hidden: Bool = false) async throws -> String {
    fflush(nil)
    let before = hidden ? setEcho(false) : nil
    defer { if let before { setEcho(before) } }
    while lines.isEmpty, !hasEnded, !Task.isCancelled {
      await withTaskCancellationHandler {
        await withCheckedContinuation { waiter = $0 }
      } onCancel: {
        Task { await wake() }
      }
    }
    try Task.checkCancellation()
    guard !lines.isEmpty else { throw End() }
    return lines.removeFirst()
  }

  private func add(_ line: String) {
    lines.append(line)
    wake()
  }

  private func end() {
    hasEnded = true
    wake()
  }

  private func wake() {
    waiter?.resume()
    waiter = nil
  }

  /// Lets the terminal show what is typed, or not.
  ///
  /// - Returns: Whether it did before; `nil` where there is no terminal.
  @discardableResult
  private func setEcho(_ isShown: Bool) -> Bool? {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    let before = settings.c_lflag & tcflag_t(ECHO) != 0
    if isShown { settings.c_lflag |= tcflag_t(ECHO) } else { settings.c_lflag &= ~tcflag_t(ECHO) }
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    return before
  }
}
