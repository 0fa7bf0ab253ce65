import Router
import RouterClient

/// The terminal that this program was started in, as a presenter: key by key where it can be drawn on, else line by line.
struct PresenterTerminal: Sendable {
  private let ended: @Sendable () -> Void
  /// `nil` where it is asked line by line.
  private let keyboard: Keyboard?

  /// - Parameter ended: Called when there is no more input: nothing can be answered any more.
  init(ended: @escaping @Sendable () -> Void) {
    self.ended = ended
    keyboard = TerminalModes.areThere ? Keyboard(ended: ended) : nil
  }

  func say(_ text: String) {
    if keyboard?.deliver(.said(text)) != true { StandardStream.error.line("routerctl: " + text.escapedForTerminal()) }
  }

  /// Runs `body` with the presenter. The terminal is as it was found after that, however `body` ends.
  func run(name: String, _ client: RouterClient, body: (any Presenter) async throws -> Void) async throws {
    guard let keyboard else { return try await body(TerminalPresenter(name: name, inputEnded: ended)) }
    try await keyboard.whileReading {
      try await body(
        ScreenPresenter(name: name, keyboard: keyboard, screen: .terminal) { id in
          guard let seconds = try? await client.prompt(of: id)["timeLeft"]?.number?.double else { return nil }
          return .seconds(seconds)
        })
    }
  }
}
