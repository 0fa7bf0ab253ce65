import Glibc
import Router
import RouterClient

/// Attaches this terminal as the presenter of the command's own prompt.
final class InlineAttachment: Sendable {
  /// How long to wait for the prompt to be removed from the screen once the outcome is known.
  private static let patience = Duration.seconds(1)

  let terminal: PresenterTerminal
  private let inputEnd: AsyncStream<Void>
  private let hasInputEnded = Mutex(false)
  private let isShown = Mutex(false)
  private let (changes, change) = AsyncStream<Void>.makeStream()

  /// Returns `nil` unless standard input and standard error are a terminal with this program in its foreground.
  init?() {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1, TerminalModes.isInForeground else { return nil }
    let (inputEnd, end) = AsyncStream<Void>.makeStream()
    self.inputEnd = inputEnd
    // Standard output is for the answer.
    terminal = PresenterTerminal(on: .error) { end.finish() }
  }

  /// Presents the prompt until the task is canceled or the input ends. Ends at once if the daemon does not let the requester
  /// answer.
  ///
  /// - Returns: Whether the input has ended.
  func present(_ id: PresentationID, on surface: String, _ client: RouterClient) async -> Bool {
    try? await terminal.run(name: "inline", client) { presenter in
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

  /// Waits until the prompt is removed from the screen, with a time limit, so that the person can read why.
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
