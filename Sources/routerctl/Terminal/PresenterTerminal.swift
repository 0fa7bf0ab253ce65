import Router
import RouterClient

/// Presents in this program's terminal: key by key if the terminal supports drawing, otherwise line by line.
struct PresenterTerminal: Sendable {
  private let stream: StandardStream
  private let ended: @Sendable () -> Void
  /// The keyboard; `nil` in line-by-line mode.
  private let keyboard: Keyboard?
  private let announcement: KeyMode.Announcement
  /// Whether a remembered answer can be taken back until the next prompt: not if the program ends with the answer.
  private let takesBack: Bool

  /// - Parameters:
  ///   - stream: The stream to draw on.
  ///   - announcement: The signal for a new prompt.
  ///   - ended: Called at the end of the input, when no further answers are possible.
  init(
    on stream: StandardStream = .output, announcement: KeyMode.Announcement = .bell, takesBack: Bool = false,
    ended: @escaping @Sendable () -> Void
  ) {
    self.stream = stream
    self.ended = ended
    self.announcement = announcement
    self.takesBack = takesBack
    keyboard = TerminalModes.areThere(on: stream) ? Keyboard(ended: ended) : nil
  }

  func say(_ text: String) {
    if keyboard?.deliver(.said(text)) != true { StandardStream.error.message("routerctl: " + text.escapedForTerminal()) }
  }

  /// Runs `body` with the presenter. Always restores the terminal.
  func run(name: String, _ client: RouterClient, body: (any Presenter) async throws -> Void) async throws {
    guard let keyboard else {
      let input = LineInput()
      guard !input.isAtEnd else { return say("standard input has ended, so prompts cannot be answered here") }
      return try await body(
        TerminalPresenter(name: name, mode: LineMode(input: input, output: stream, inputEnded: ended, alike: client.others)))
    }
    try await keyboard.whileReading {
      let mode = KeyMode(
        keyboard: keyboard, screen: .terminal(stream), announcement: announcement, alike: client.others,
        takeBack: takesBack ? client.takeBack : nil, timeLeft: client.timeLeft)
      try await body(TerminalPresenter(name: name, mode: mode))
    }
  }
}

extension RouterClient {
  /// Returns the prompts that one answer may include with a given one; none if they are unknown.
  @Sendable func others(like id: PresentationID) async -> [Presentation] { (try? await alike(id)) ?? [] }

  /// Returns the time until a presentation expires; `nil` if it does not expire, or if the time is unknown.
  @Sendable func timeLeft(of id: PresentationID) async -> Duration? {
    (try? await prompt(of: id))?.timeLeft
  }

  /// Revokes what an answer to a presentation made remembered. Returns what to say.
  @Sendable func takeBack(_ id: PresentationID) async -> String {
    do {
      guard let grant = try await grants().first(where: { $0.grant.presentation == id })?.grant else {
        return "nothing is remembered of it"
      }
      _ = try await revoke(grant.id)
      return "taken back: \(grant.coverage)"
    } catch {
      return "cannot take it back: \(DaemonCheck.words(error))"
    }
  }
}
