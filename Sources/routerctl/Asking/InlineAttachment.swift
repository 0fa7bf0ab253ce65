import Glibc
import Router
import RouterClient

/// Attaches this terminal as the presenter of the command's own prompt.
final class InlineAttachment: Sendable {
  /// The maximum wait for the prompt to be removed from the screen after the outcome is known.
  private static let patience = Duration.seconds(1)

  let terminal: PresenterTerminal
  private let inputEnd: AsyncStream<Void>
  private let hasInputEnded = Mutex(false)
  private let isShown = Mutex(false)
  private let (changes, change) = AsyncStream<Void>.makeStream()

  /// The original standard input, replaced by the terminal; `nil` if it was the terminal.
  private let input: Int32?

  /// Returns `nil` unless standard error is a terminal with this program in its foreground. If standard input is something
  /// else, such as the lines of a `while read` loop, the terminal replaces it in this program until ``giveBack()``.
  init?() {
    guard isatty(STDERR_FILENO) == 1 else { return nil }
    if isatty(STDIN_FILENO) == 1 {
      input = nil
    } else {
      let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
      guard terminal >= 0 else { return nil }
      // Above the standard streams, and closed in child processes; -1 if standard input is closed.
      input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
      dup2(terminal, STDIN_FILENO)
      if terminal != STDIN_FILENO { close(terminal) }
    }
    let (inputEnd, end) = AsyncStream<Void>.makeStream()
    self.inputEnd = inputEnd
    // Standard output is reserved for the answer.
    terminal = PresenterTerminal(on: .error) { end.finish() }
    guard TerminalModes.isInForeground else {
      giveBack()
      return nil
    }
  }

  /// Restores the original standard input.
  func giveBack() {
    guard let input else { return }
    if input >= 0 { dup2(input, STDIN_FILENO) } else { close(STDIN_FILENO) }
  }

  /// Waits until the person presses Enter; false at the end of the input, or if the task is canceled.
  func entered() async -> Bool {
    let lines = LineInput()
    while let line = try? await lines.line() { if line.isEmpty { return true } }
    return false
  }

  /// Presents the prompt until the task is canceled or the input ends. Throws if the daemon does not let the requester answer.
  ///
  /// - Returns: Whether the input has ended.
  func present(_ id: PresentationID, on surface: String, _ client: RouterClient) async throws -> Bool {
    try await terminal.run(name: "inline", client) { presenter in
      let inline = InlinePresenter(presenter: presenter) { isShown in
        self.isShown.withLock { $0 = isShown }
        self.change.yield()
      }
      try await withThrowingTaskGroup { group in
        group.addTask {
          try await client.run(inline, over: client.attach(presenter: inline.name, to: surface, PresenterScope(only: id)))
        }
        group.addTask {
          for await _ in self.inputEnd {}
          self.hasInputEnded.withLock { $0 = !Task.isCancelled }
        }
        defer { group.cancelAll() }
        try await group.next()
      }
    }
    return hasInputEnded.withLock(\.self)
  }

  /// Waits for a limited time until the prompt is removed from the screen, so that the person can read the reason.
  func takenDown() async {
    await withTaskGroup { group in
      group.addTask { try? await PresentationClock.system.sleep(for: Self.patience) }
      group.addTask {
        for await _ in self.changes where !self.isShown.withLock(\.self) { return }
      }
      change.yield()
      await group.next()
      group.cancelAll()
    }
  }
}

/// A presenter that reports whether it is showing a prompt.
private struct InlinePresenter: WrappingPresenter {
  let presenter: any Presenter
  let shows: @Sendable (Bool) -> Void

  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    shows(true)
    return try await presenter.present(presentation, waiting: waiting)
  }

  func willWithdraw(_ presentation: Presentation, because reason: Presentation.Withdrawal) async {
    await presenter.willWithdraw(presentation, because: reason)
    shows(false)
  }
}
