import Router
import RouterClient

/// The terminal that this program was started in, as a presenter: key by key where it can be drawn on, else line by line.
struct PresenterTerminal: Sendable {
  /// Called when there is no more input: nothing can be answered any more.
  let ended: @Sendable () -> Void

  init(ended: @escaping @Sendable () -> Void) {
    self.ended = ended
  }

  /// Runs `body` with the presenter. The terminal is as it was found after that, however `body` ends.
  func run(
    name: String, _ client: RouterClient, body: (any Presenter) async throws -> Void
  ) async throws {
    guard TerminalModes.areThere else { return try await body(TerminalPresenter(name: name, inputEnded: ended)) }
    let keyboard = Keyboard(ended: ended)
    try await keyboard.whileReading {
      try await body(
        ScreenPresenter(name: name, keyboard: keyboard, screen: .terminal) { id in
          guard let seconds = try? await client.prompt(of: id)["timeLeft"]?.number?.double else { return nil }
          return .seconds(seconds)
        })
    }
  }
}
