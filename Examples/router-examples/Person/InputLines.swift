import Dispatch
import Glibc

/// Reads lines of standard input, one at a time. If a reader is canceled, the next one gets the line.
actor InputLines {
  /// The end of the input.
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
  /// - Parameter hidden: Whether to turn off echo.
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

  /// Turns the terminal's echo on or off.
  ///
  /// - Returns: The previous setting; `nil` if there is no terminal.
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
